import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography
import TintypeLocking

/// The code of the README, of the guide and of the articles compiles, is what they show, and does what they say.
@Suite(.serialized) @MainActor struct DocumentedCodeTests {
    /// The lines of a block that are neither empty nor an import, without their indentation.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    /// The README, the library's page of the guide, and the articles of the library's documentation.
    private nonisolated static let pages =
        ["README.md", "docs/guide/library.md"]
        + ["FirstPhoto", "GraphOfOperations", "SessionWithAView", "WithoutARunLoop", "YourOwnFilter"].map {
            "Sources/Tintype/Tintype.docc/\($0).md"
        }

    @Test(arguments: zip(pages, [1, 4, 5, 1, 4, 1, 3]))
    func pagesShowTheCodeThatIsCompiledHere(page: String, blockCount: Int) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: tests.appendingPathComponent("../../\(page)"), encoding: .utf8)
        let code = try String(
            contentsOf: tests.appendingPathComponent("DocumentedCode.swift"), encoding: .utf8)
        #expect(code.split(separator: "\n").filter { $0.hasPrefix("import ") } == ["import Tintype"])
        // The examples are a package that `make examples` builds.
        let examples = try ["Filters/Glow.swift", "own-filter/main.swift"].map { name in
            try String(
                contentsOf: tests.appendingPathComponent("../../Examples/Sources/\(name)"), encoding: .utf8)
        }
        let compiled = ([code] + examples).flatMap(Self.lines)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            Self.lines($0.components(separatedBy: "```")[0])
        }.filter { $0.first != "// Package.swift" }
        #expect(blocks.count == blockCount)
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
            try await documentedPhoto()
            #expect(folder.files() == ["beach-toned.jpg", "beach.jpg"])
        }
        try await documentedPixels()
    }

    @Test func aFolderIsFilteredWithAJournal() async throws {
        try await inFolder { folder in
            try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "photos/beach.jpg")
            try await documentedBatch()
            #expect(folder.files() == ["out/beach.jpg", "photos/beach.jpg"])
            #expect(try folder.read("out/.tintype/journal.jsonl").isEmpty == false)
        }
    }

    @Test func aSealedPhotoIsDownloadedOpenedAndWritten() async throws {
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 8), key = [UInt8](1...32)
        let folder = try TemporaryFolder()
        let sealed = URL(fileURLWithPath: try folder.write(AES256GCM(key: key).seal(photo), to: "sealed"))
        let keyFile = URL(fileURLWithPath: try folder.write(key, to: "key"))
        let output = URL(fileURLWithPath: folder.path("out.png"))
        try await documentedDownload(sealed, keyFile, output)
        let expected = try await EncodedImage(bytes: photo).filtered(by: Noir(), Vignette(), on: .cpu)
        #expect(try folder.read("out.png") == expected.bytes())
    }

    @Test func aChainIsTheOneThatItsTextSays() async throws {
        let photo = try EncodedImage(bytes: try TestPhoto.png(width: 40, height: 30, seed: 9))
        let (isEqual, small) = try await documentedChain(photo)
        #expect(isEqual && small.format == .jpeg)
    }

    @Test func aKernelsFileIsAFilter() async throws {
        let kernel = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/Sources/GlowKernel/glow.cl")
        let photo = try EncodedImage(bytes: try TestPhoto.png(width: 40, height: 30, seed: 10))
        try await inFolder { folder in
            try folder.write([UInt8](Data(contentsOf: kernel)), to: "glow.cl")
            let lit = try await documentedKernelFile(photo)
            let dark = try await photo.filtered(by: Vignette(), on: .cpu)
            #expect(try lit.bytes() != dark.bytes())
        }
    }

    private final class Target: ReloadTarget {
        let reloaded = Locked<[Int]>([])

        func reloadAll() { Issue.record("one photo has changed") }
        func reload(item: Int) { reloaded.withLock { $0.append(item) } }
    }

    @Test func aThreadMayWaitForReloadsOnAQueueOfTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 11)
        let url = URL(fileURLWithPath: try folder.write(photo, to: "a.png"))
        let target = Target()
        let image = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try documentedBlocking(url, target) })
            }
        }
        #expect(target.reloaded.withLock { $0 } == [0])
        let expected = try await EncodedImage(bytes: photo).filtered(by: Noir(), on: .cpu)
        #expect(try image?.bytes() == expected.bytes())
    }

    @Test func operationsReloadTheView() async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 2)
        let key = [UInt8](1...32)
        let sealed = AES256GCM(key: key).seal(photo)
        let server = try FaultServer { _, connection in connection.respond(body: sealed) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let keyFile = try folder.write(key, to: "key")
        let view = List()
        let operations = try await documentedOperations(server.url("/beach.png.sealed"), keyFile, view)
        #expect(await eventually { operations.allSatisfy(\.isFinished) })
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
        let summary = try await documentedSession(server.url("/list.json"), view)
        #expect(summary == SessionSummary(filtered: 2, failed: 1, notDone: 0))
        #expect(view.shown.filter { $0 == "0" }.count == 2, "downloaded, then filtered")
    }

    @Test func scrollingFiltersWhatIsInView() async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 4)
        let server = try FaultServer { _, connection in connection.respond(body: photo) }
        defer { server.stop() }
        let steps = PhotoSteps(
            downloadingThrough: try PhotoDownloader(),
            filteringThrough: PhotoPipeline(Recipe(FilterChain([Noir()]))), on: try DevicePool(.cpu))
        let view = Rows()
        let session = PhotoSession(
            (0..<20).map { PhotoRecord(url: server.url("/\($0).png")) }, steps: steps, view: view)
        view.records = session.records
        let events = Task { await documentedEvents(session) }
        documentedScrolling(session)
        for await event in session.events {
            if case .rested(let summary) = event {
                #expect(summary == SessionSummary(filtered: 3, failed: 0, notDone: 17))
                break
            }
        }
        #expect((12...14).allSatisfy { session.records[$0].state == .filtered })
        events.cancel()
    }
}
