import Foundation
import TestSupport
import Testing

/// Photos with any name that a file system allows.
struct NameTests {
    let folder: TemporaryFolder
    private let photo: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        photo = try TestPhoto.jpeg(width: 40, height: 30, seed: 1)
    }

    struct Line: Decodable {
        let type: String
        let input, output, status, error: String?
    }

    /// Writes a photo whose name is bytes, which Foundation would not take.
    private func write(_ name: [UInt8], in parent: String = "in") throws {
        try FileManager.default.createDirectory(
            atPath: folder.path(parent), withIntermediateDirectories: true)
        let path = Array("\(folder.path(parent))/".utf8) + name + [0]
        let file = path.withUnsafeBufferPointer { path in
            path.withMemoryRebound(to: CChar.self) {
                open($0.baseAddress!, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            }
        }
        try #require(file >= 0, "\(String(cString: strerror(errno)))")
        defer { close(file) }
        try #require(
            photo.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) } == photo.count)
    }

    private func apply(_ arguments: [String]) throws -> (Tool.Result, [Line]) {
        let result = try Tool.run(["apply", "-f", "sepia", "-d", "cpu", "--json"] + arguments, in: folder)
        let lines = try result.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        return (result, lines.filter { $0.type == "photo" })
    }

    /// As bytes: a composed and a decomposed accent are equal as text.
    private func bytes(_ names: [String]) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }

    private static let names = [
        "new\nline.jpg", "-f.jpg", "--overwrite.jpg", "blank .jpg", " .jpg", "trailing.jpg .jpg", "tab\t.jpg",
        "esc\u{1B}[2J.jpg", "delete\u{7F}.jpg", "quote'\".jpg", "back\\slash.jpg", "{stem}.jpg", "%2F.jpg",
        "*?[a].jpg", "$HOME`x`.jpg", "Case.jpg", "case.jpg", "CASE.JPG", "é.jpg", "e\u{301}.jpg",
        "\u{301}.jpg", "\u{301}/\u{301}/a.jpg",
        "\u{202E}gpj.jpg", "日本.jpeg", "a.b.c.jpg", "~.jpg", "#.jpg", "http:.jpg", "s3:.jpg", "-.jpg",
        "file:a.jpg", "a.jpg.tmp.jpg", "tintype-1-a.tmp.jpg", "nul\u{1}.jpg",
    ]

    @Test(arguments: [["-o", "out"], ["-o", "out", "--no-journal"], ["-o", "out/{stem}.{ext}"], []])
    func everyNameThatIsTextGetsAnOutput(flags: [String]) throws {
        // With `-sepia` behind it, as long as a name may be.
        let longest = String(repeating: "x", count: 255 - 10) + ".jpg"
        let names = Self.names + [longest, String(repeating: "é", count: 122) + ".jpg"]
        for name in names {
            let parts = name.utf8.split(separator: UInt8(ascii: "/"))
            let parent = (["in"] + parts.dropLast().map { String(Substring($0)) }).joined(separator: "/")
            try write(Array(parts[parts.count - 1]), in: parent)
        }
        let isFlat = flags.last == "out/{stem}.{ext}"
        let (result, lines) = try apply(flags + ["in"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(bytes(lines.compactMap(\.input)) == bytes(names.map { "in/\($0)" }))
        let reference = try #require(lines.first?.output.map { try folder.read($0) })
        for line in lines {
            #expect(line.status == "done", "\(line)")
            #expect(try folder.read(#require(line.output)) == reference, "\(line)")
        }
        let outputs = bytes(lines.compactMap(\.output))
        #expect(outputs.count == names.count)
        if flags.first == "-o", !isFlat { #expect(outputs == bytes(names.map { "out/\($0)" })) }
        if flags.isEmpty { #expect(outputs.allSatisfy { $0.starts(with: Array("in/".utf8)) }) }
        #expect(!folder.files().contains { $0.contains("/.tintype-") })
        // The journal reads its own names.
        guard flags == ["-o", "out"] else { return }
        let (again, known) = try apply(flags + ["in"])
        #expect(again.exitCode == 0 && known.allSatisfy { $0.status == "upToDate" }, "\(again.errorText)")
    }

    @Test func anOutputsNameMayHaveTheFull255Bytes() throws {
        let name = String(repeating: "x", count: 251) + ".jpg"
        try write(Array(name.utf8))
        #expect(try apply(["-o", "out", "in"]).0.exitCode == 0)
        #expect(folder.files().contains("out/\(name)"))
        // An output beside it would need six more.
        let (result, lines) = try apply(["in"])
        #expect(result.exitCode == 1, "\(result.errorText)")
        #expect(lines.count == 1 && lines[0].error?.contains("File name too long") == true, "\(lines)")
        #expect(folder.files().count == 2)
    }

    /// Two folders of names that are equal as text.
    @Test func foldersWithAComposedAndADecomposedAccentAreTwo() throws {
        try write(Array("a.jpg".utf8), in: "in/caf\u{E9}")
        try write(Array("a.jpg".utf8), in: "in/cafe\u{301}")
        let (result, lines) = try apply(["-o", "out", "in"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        let expected = ["out/caf\u{E9}/a.jpg", "out/cafe\u{301}/a.jpg"]
        #expect(bytes(lines.compactMap(\.output)) == bytes(expected))
        for output in expected { #expect(FileManager.default.fileExists(atPath: folder.path(output))) }
    }

    /// What is decoded of a damaged photo gets a longer name, which may be too long. The damage is told all the same.
    @Test func aDamagedPhotoWithALongNameIsNamedWithItsDamage() throws {
        let name = String(repeating: "x", count: 251) + ".jpg"
        try folder.write(Array(photo.prefix(photo.count / 2)), to: "in/\(name)")
        let (result, lines) = try apply(["--lenient", "-o", "out", "in"])
        #expect(result.exitCode == 1, "\(result.errorText)")
        #expect(lines.count == 1 && lines[0].error?.contains("File name too long") == true, "\(lines)")
        #expect(lines[0].error?.contains("damaged") == true, "\(lines)")
        #expect(folder.files().count == 1)
    }

    @Test func namesThatAreNotTextAreNamedAndTheRestIsDone() throws {
        let odd: [[UInt8]] = [
            Array("caf".utf8) + [0xE9] + Array(".jpg".utf8), [0xFF, 0xFE] + Array(".jpg".utf8),
            [0xC0, 0xAF] + Array(".jpg".utf8), [0xED, 0xA0, 0x80] + Array(".jpg".utf8),
        ]
        for name in odd { try write(name) }
        try write(Array("a.jpg".utf8))
        try write(Array("b.jpg".utf8), in: "in/sub")
        let (result, lines) = try apply(["-o", "out", "in"])
        #expect(result.exitCode == 1, "\(result.errorText)")
        #expect(lines.count { $0.status == "done" } == 2)
        let failed = lines.filter { $0.status == "failed" }
        #expect(
            failed.count == 4 && failed.allSatisfy { $0.error?.contains("not UTF-8") == true }, "\(failed)")
        #expect(failed.contains { $0.input == "in/caf\\xE9.jpg" })
    }
}
