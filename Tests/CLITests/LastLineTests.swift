import Foundation
import TestSupport
import Testing

/// The last line of `--json`, which comes whatever happens.
struct LastLineTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lastLine(_ result: Tool.Result) throws -> [String: Any] {
        let line = try #require(result.outputLines.last, "\(result.errorText)")
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        (["apply", "-f", "sepia", "-o", "out", "empty"], 3, "summary", "There are no photos in empty"),
        (["apply", "-f", "sepia"], 3, "summary", "No photos were given"),
        (["apply", "photo.jpg"], 2, "summary", "There is nothing to do"),
        (["apply", "-f", "sepja", "photo.jpg"], 2, "summary", "sepja"),
        (["apply", "-f", "sepia", "--nonsense"], 2, "summary", "--nonsense"),
        (["apply", "-d", "99", "-f", "sepia", "-o", "out", "photo.jpg"], 4, "summary", "99"),
        (["apply", "-f", "sepia", "-o", "photo.jpg/x", "photo.jpg"], 2, "summary", "cannot be a folder"),
        (["apply", "-f", "sepia", "--retry-failed", "-o", "none"], 2, "summary", "journal"),
        (["plan", "-m", "m", "-f", "sepia", "-o", "out", "empty"], 3, "plan", "no photos to plan"),
        (["plan", "-m", "m", "-f", "sepia", "-o", "out"], 2, "plan", "No photos were given"),
        (["verify", "-m", "none"], 2, "verification", "cannot be read"),
        (["status", "-m", "none"], 2, "status", "cannot be read"),
        (["journal", "none"], 2, "journal", "has no journal"),
    ])
    func anErrorIsInTheLastLine(arguments: [String], exitCode: Int32, type: String, error: String) throws {
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "photo.jpg")
        try folder.write(FirstBytes.text, to: "empty/notes.txt")
        let result = try Tool.run(arguments + ["--json"], in: folder)
        let line = try lastLine(result)
        #expect(result.exitCode == exitCode && line["exitCode"] as? Int == Int(exitCode))
        #expect(line["type"] as? String == type)
        #expect((line["error"] as? String)?.contains(error) == true, "\(line)")
        // Without the flag, there is none.
        #expect(try Tool.run(arguments, in: folder).output.isEmpty)
    }

    @Test func aMistakeInTheSettingsFileIsInTheLastLine() throws {
        try folder.write(Array("{ \"jobs\": 0 }".utf8), to: "own.json")
        let result = try Tool.run(
            ["apply", "--json", "-f", "sepia", "a.jpg"], in: folder,
            environment: ["TINTYPE_CONFIG": folder.path("own.json")])
        #expect(try (lastLine(result)["error"] as? String)?.contains("own.json, line 1") == true)
    }

    @Test func filesThatWereSkippedAreInTheLastLine() throws {
        try folder.write(FirstBytes.text, to: "set/a.bmp")
        let result = try Tool.run(["apply", "--json", "-f", "sepia", "-o", "out", "set"], in: folder)
        #expect(try lastLine(result)["skippedFiles"] as? [String: Int] == ["BMP": 1])
    }

    @Test func aRunThatSucceedsHasNoError() throws {
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "set/a.jpg")
        let run = try Tool.run(
            ["apply", "--json", "-d", "cpu", "-f", "sepia", "-o", "out", "set"], in: folder)
        let line = try lastLine(run)
        #expect(line["exitCode"] as? Int == 0 && line["error"] == nil)
    }
}
