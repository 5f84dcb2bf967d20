import Foundation
import TestSupport
import Testing

/// What the built tool says and returns where no photo has to be decoded.
struct CommandLineTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let commandLines: [([String], Int32)] = [
        (["--version"], 0), (["--help"], 0), (["apply", "--help"], 0), (["filters"], 0),
        (["nonsense"], 2), (["apply", "--nonsense"], 2), (["apply", "a.jpg"], 2),
        (["apply", "-f", "sepja", "a.jpg"], 2), (["apply", "-f", "sepia", "--quality", "0", "a.jpg"], 2),
        (["apply", "-f", "sepia"], 3), (["apply", "-f", "sepia", "."], 3),
        (["apply", "-f", "sepia", "missing.jpg"], 1),
    ]

    @Test(arguments: commandLines)
    func exitCodes(arguments: [String], exitCode: Int32) throws {
        let result = try Tool.run(arguments, in: folder)
        #expect(result.exitCode == exitCode, "\(result.errorText)")
        // Facts on standard output, complaints on standard error.
        #expect(result.output.isEmpty == (exitCode != 0))
        #expect(result.errorText.isEmpty == (exitCode == 0))
    }

    @Test func filtersAreListedWithTheirSettings() throws {
        let text = try Tool.run(["filters"], in: folder).outputText
        for word in ["sepia", "noir", "tilt-shift", "intensity", "0 to 1", "default 0.8"] {
            #expect(text.contains(word))
        }
        let json = try JSONSerialization.jsonObject(
            with: Data(try Tool.run(["filters", "--json"], in: folder).output))
        let filters = try #require(json as? [[String: Any]])
        let sepia = try #require(filters.first { $0["name"] as? String == "sepia" })
        let intensity = try #require((sepia["parameters"] as? [[String: Any]])?.first)
        #expect(intensity["name"] as? String == "intensity" && intensity["default"] as? String == "0.8")
        #expect(intensity["minimum"] as? Double == 0 && intensity["maximum"] as? Double == 1)
    }

    @Test func failuresNameThePhotoInTextAndInJSON() throws {
        try folder.write(FirstBytes.text, to: "notes.txt")
        let result = try Tool.run(["apply", "-f", "sepia", "--json", "notes.txt", "gone.jpg"], in: folder)
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("notes.txt: ") && result.errorText.contains("gone.jpg: "))
        let lines = try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["type"] as? String } == ["photo", "photo", "summary"])
        #expect(lines[0]["input"] as? String == "notes.txt" && lines[0]["status"] as? String == "failed")
        #expect(lines[0]["error"] is String)
        #expect(lines[2]["failed"] as? Int == 2 && lines[2]["exitCode"] as? Int == 1)
    }

    @Test func aDryRunSaysWhatWouldBeWrittenAndWritesNothing() throws {
        try folder.write(FirstBytes.jpeg, to: "set/x/a.JPG")
        try folder.write(FirstBytes.png, to: "set/b.png")
        let plain = try Tool.run(["apply", "-f", "sepia", "--dry-run", "-o", "out", "set"], in: folder)
        #expect(plain.exitCode == 0)
        #expect(plain.outputLines == ["set/b.png -> out/b.png", "set/x/a.JPG -> out/x/a.JPG"])
        let template = "{stem}_{chain}.{ext}"
        let named = try Tool.run(["apply", "-f", "sepia", "--dry-run", "-o", template, "set"], in: folder)
        #expect(named.outputLines == ["set/b.png -> b_sepia.png", "set/x/a.JPG -> a_sepia.JPG"])
        #expect(folder.files() == ["set/b.png", "set/x/a.JPG"])
    }

    @Test func outputsInTheWayAreRefused() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/b.jpg")
        try folder.write(FirstBytes.text, to: "out/b.jpg")
        let existing = try Tool.run(["apply", "-f", "sepia", "-o", "out", "set"], in: folder)
        #expect(existing.exitCode == 1)
        #expect(existing.errorText.contains("'out/b.jpg'") && existing.errorText.contains("--overwrite"))
        let onto = try Tool.run(["apply", "-f", "sepia", "-o", "set", "--overwrite", "set"], in: folder)
        #expect(onto.exitCode == 2 && onto.errorText.contains("Originals are never replaced"))
        #expect(folder.files() == ["out/b.jpg", "set/a.jpg", "set/b.jpg"])
    }

    @Test func quietRunsPrintErrorsOnly() throws {
        let result = try Tool.run(["apply", "-q", "-f", "sepia", "gone.jpg"], in: folder)
        #expect(result.errorText == "gone.jpg: The file cannot be read: No such file or directory.\n")
    }
}
