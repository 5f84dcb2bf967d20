import Crypto
import Foundation
import TestSupport
import Testing
import Tintype

/// The README's code compiles, is what the README shows, and does what the README says.
@Suite(.serialized) @MainActor struct ReadmeTests {
    /// The lines of a block that are neither empty nor an import, without their indentation.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    @Test func theReadmeShowsTheCodeThatIsCompiledHere() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let readme = try String(contentsOf: tests.appendingPathComponent("../../README.md"), encoding: .utf8)
        let code = try String(contentsOf: tests.appendingPathComponent("ReadmeCode.swift"), encoding: .utf8)
        #expect(code.split(separator: "\n").filter { $0.hasPrefix("import ") } == ["import Tintype"])
        let compiled = Self.lines(code)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            Self.lines($0.components(separatedBy: "```")[0])
        }.filter { $0.first != "// Package.swift" }
        #expect(blocks.count == 4)
        for block in blocks {
            let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: block) }
            #expect(isCompiled, "\(block.joined(separator: "\n"))")
        }
    }

    private final class List: PhotoView {
        var shown: [String] = []

        func reloadAll() { shown.append("all") }
        func reload(item: Int) { shown.append("\(item)") }
    }

    /// Runs `body` in a folder of its own.
    private func inFolder(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let before = FileManager.default.currentDirectoryPath
        #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
        defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
        try await body(folder)
    }

    @Test func aPhotoIsFilteredAndWritten() async throws {
        try await inFolder { folder in
            try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "beach.jpg")
            try await readmePhoto()
            #expect(folder.files() == ["beach-toned.jpg", "beach.jpg"])
        }
        try await readmePixels()
    }

    @Test func operationsReloadTheView() async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 2)
        let key = SymmetricKey(size: .bits256)
        let sealed = try [UInt8](#require(AES.GCM.seal(photo, using: key).combined))
        let server = try FaultServer { _, connection in connection.respond(body: sealed) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(key.withUnsafeBytes { Array($0) }, to: "key")
        let view = List()
        let operations = try readmeOperations(server.url("/beach.png.sealed"), keyFile, view)
        for _ in 0..<60_000 where !operations.allSatisfy(\.isFinished) {
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(view.shown == ["0"])
        #expect((operations[2] as? FilterOperation)?.image?.format == .png)
    }

    @Test func aSessionFiltersAListFromTheNetwork() async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 3)
        let list = Array(#"{"A": "a.png", "B": "b.png", "C": "gone.png"}"#.utf8)
        let server = try FaultServer { request, connection in
            switch request.target {
            case "/list.json": connection.respond(body: list)
            case "/gone.png": connection.respond(404)
            default: connection.respond(body: photo)
            }
        }
        defer { server.stop() }
        let view = List()
        let summary = try await readmeSession(server.url("/list.json"), view)
        #expect(summary == SessionSummary(filtered: 2, failed: 1, notDone: 0))
        #expect(view.shown.filter { $0 == "0" }.count == 2, "downloaded, then filtered")
    }
}
