import Foundation
import TestSupport
import Testing

/// The files that a run accepts, and the messages for others.
struct InputRulesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    private func writePhotos(_ names: String...) throws {
        for (seed, name) in names.enumerated() {
            try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: UInt64(seed)), to: name)
        }
    }

    private func json(_ result: Tool.Result) throws -> [[String: Any]] {
        try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func laterRunsSkipOutputsInsideTheInputFolder() throws {
        try writePhotos("in/a.jpg", "in/x/b.jpg")
        #expect(try apply(["-f", "sepia", "-o", "in/sepia", "in"]).exitCode == 0)
        let noir = try apply(["-f", "noir", "-o", "in/noir", "--json", "in"])
        #expect(noir.exitCode == 0 && noir.errorText.contains("2 photos,"), "\(noir.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("in/noir") } == ["in/noir/a.jpg", "in/noir/x/b.jpg"])
        #expect(noir.errorText.contains("Skipped 2 photos that Tintype made"))
        #expect(try json(noir).last?["ownOutputs"] as? Int == 2)
    }

    @Test func outputsBesideTheirPhotosAreNotFilteredAgain() throws {
        try writePhotos("in/a.jpg", "in/b.jpg")
        #expect(try apply(["-f", "sepia", "in"]).exitCode == 0)
        #expect(try apply(["-f", "noir", "in"]).exitCode == 0)
        let names = ["a-noir", "a-sepia", "a", "b-noir", "b-sepia", "b"]
        #expect(folder.files() == names.map { "in/\($0).jpg" }.sorted())
        let again = try apply(["-f", "noir", "in"])
        #expect(again.exitCode == 2 && again.errorText.contains("--skip-existing"), "\(again.errorText)")
        #expect(try apply(["-f", "noir", "--skip-existing", "in"]).exitCode == 0)
        #expect(folder.files().count == 6)
    }

    @Test func skippedFilesAreReportedInOneLine() throws {
        try writePhotos("in/a.jpg")
        for name in ["1.bmp", "2.bmp", "x/3.CRW"] { try folder.write(FirstBytes.text, to: "in/\(name)") }
        let result = try apply(["-f", "sepia", "-o", "out", "--json", "in"])
        #expect(result.exitCode == 0 && result.errorText.contains("Skipped 3 files: 2 BMP, 1 RAW."))
        #expect(try json(result).last?["skippedFiles"] as? [String: Int] == ["BMP": 2, "RAW": 1])
        let none = try apply(["-f", "sepia", "-o", "out", "--exclude", "*.jpg", "in"])
        #expect(none.exitCode == 3 && none.errorText.contains("Skipped 3 files"), "\(none.errorText)")
    }

    @Test func patternsThatLeaveNoPhotoAreNamed() throws {
        try writePhotos("in/a.jpg", "in/x/b.jpg")
        for (flags, text) in [
            (["--include", "*.gif"], "--include left out 2 files and folders."),
            (["--exclude", "a.jpg", "--exclude", "x"], "--exclude left out 2 files and folders."),
            (["--include", "a.jpg", "--exclude", "*.jpg"], "--include and --exclude left out 2 files"),
        ] {
            for verb in [["apply"], ["plan", "-m", "manifest.jsonl"], ["gallery"]] {
                let result = try #require(
                    try Tool.runUnlessItHangs(
                        verb + ["-f", "sepia", "-o", "out", "in"] + flags, in: folder))
                #expect(
                    result.exitCode == 3 && result.errorText.contains(text), "\(verb): \(result.errorText)")
            }
        }
        try FileManager.default.createDirectory(
            atPath: folder.path("empty"), withIntermediateDirectories: true)
        let empty = try apply(["-f", "sepia", "-o", "out", "--exclude", "*", "empty"])
        #expect(empty.exitCode == 3 && !empty.errorText.contains("--exclude"), "\(empty.errorText)")
    }

    @Test func onlyThePhotosThatClashFail() throws {
        try writePhotos("in/a.jpg", "in/a.png", "in/b.jpg")
        let result = try apply(["-f", "sepia", "-o", "out", "in"])
        #expect(result.exitCode == 1 && folder.files().filter { $0.hasPrefix("out/") } == ["out/b.jpg"])
        #expect(result.errorText.contains("in/a.png: The output 'out/a.jpg' would also be that of in/a.jpg"))
        let apart = try apply(["-f", "sepia", "-o", "out/{dir}/{stem}-{id}.{ext}", "in"])
        #expect(apart.exitCode == 0 && folder.files().filter { $0.hasPrefix("out/a-") }.count == 2)
    }

    @Test func aFolderThatCannotBeSearchedIsAFailure() throws {
        try writePhotos("in/a.jpg", "in/closed/b.jpg")
        #expect(chmod(folder.path("in/closed"), 0o600) == 0)
        defer { chmod(folder.path("in/closed"), 0o700) }
        // Permissions do not bind root, unless it gives up its capabilities.
        let shell =
            geteuid() == 0
            ? "exec setpriv --bounding-set=-all --inh-caps=-all \"$0\" \"$@\"" : "exec \"$0\" \"$@\""
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", shell, Tool.path] + ["apply", "-d", "cpu", "-f", "sepia", "-o", "out", "in"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Tool.environment
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            process.terminationStatus == 1 && text.contains("in/closed/b.jpg: The file cannot be read"),
            "\(text)")
        #expect(folder.files().contains("out/a.jpg"))
    }

    @Test func namesDoNotSteerTheTerminal() throws {
        try folder.write(FirstBytes.text, to: "in/a\n\u{1B}[2J\u{9B}.jpg")
        try writePhotos("in/b\n.jpg")
        let result = try apply(["-f", "sepia", "-v", "--dry-run", "-o", "out", "in"])
        #expect(result.outputLines == ["in/b\\n.jpg -> out/b\\n.jpg"])
        let error = try #require(result.errorText.split(separator: "\n").first)
        #expect(error.hasPrefix("in/a\\n\\u{1b}[2J\\u{9b}.jpg: "), "\(result.errorText)")
        let run = try apply(["-f", "sepia", "-v", "-o", "out", "in"])
        #expect(run.errorText.contains("in/b\\n.jpg -> out/b\\n.jpg") && !run.errorText.contains("in/b\n"))
    }

    @Test func argumentsThatAreNotUTF8AreRefused() throws {
        try writePhotos("in/a.jpg")
        let script = "exec \"$0\" apply -d cpu -f sepia -o \"$(printf 'caf\\351')\" in"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, Tool.path]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Tool.environment
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2 && text.contains("'caf\\xE9' is not UTF-8"), "\(text)")
        #expect(folder.files() == ["in/a.jpg"])
    }

    @Test func outputsThatCannotBeFoldersAreNamed() throws {
        try writePhotos("in/a.jpg")
        try folder.write(FirstBytes.text, to: "file")
        for output in ["file", "file/below"] {
            let result = try apply(["-f", "sepia", "-o", output, "in"])
            #expect(result.exitCode == 2 && result.errorText.contains("there is a file of that name"))
        }
        let bucket = try apply(["-f", "sepia", "-o", "gs://bucket/photos", "in"])
        #expect(bucket.exitCode == 2 && bucket.errorText.contains("is an address"), "\(bucket.errorText)")
        #expect(folder.files() == ["file", "in/a.jpg"])
    }

    @Test func refusalsThatAreAllAlikeAreCounted() throws {
        for index in 0..<30 { try writePhotos("in/\(index).jpg") }
        #expect(try apply(["-f", "sepia", "--no-journal", "-o", "out", "in"]).exitCode == 0)
        let result = try apply(["-f", "sepia", "-o", "out", "in"])
        #expect(result.exitCode == 1 && result.errorText.contains("20 more outputs were refused"))
        #expect(result.errorText.split(separator: "\n").count == 12, "\(result.errorText)")
        let skipped = try apply(["-f", "sepia", "--skip-existing", "-o", "out", "in"])
        #expect(skipped.exitCode == 0 && skipped.errorText.contains("30 skipped"), "\(skipped.errorText)")
    }

    @Test func aDryRunSaysWhatARunWouldDo() throws {
        try writePhotos("in/done.jpg", "in/changed.jpg", "in/edited.jpg", "in/new.jpg")
        #expect(try apply(["-f", "sepia", "-o", "out", "--exclude", "new.jpg", "in"]).exitCode == 0)
        try folder.write(try TestPhoto.jpeg(width: 41, height: 31, seed: 9), to: "in/changed.jpg")
        try folder.write(FirstBytes.text, to: "out/edited.jpg")
        try folder.write(FirstBytes.text, to: "in/broken.jpg")
        let before = try folder.read("out/.tintype/journal.jsonl")
        let arguments = ["-f", "sepia", "-o", "out", "in"]
        let text = try apply(arguments + ["--dry-run"])
        #expect(text.exitCode == 1)
        #expect(
            text.outputLines == [
                "in/changed.jpg -> out/changed.jpg (the photo has changed)", "in/done.jpg: up to date",
                "in/edited.jpg: The output 'out/edited.jpg' was changed after Tintype had written it. Add --overwrite to "
                    + "replace it, or give another --output.", "in/new.jpg -> out/new.jpg",
            ])
        #expect(
            text.errorText.contains("Would do 2 photos; 1 up to date; 1 refused; 1 failed."),
            "\(text.errorText)")
        let lines = try json(try apply(arguments + ["--dry-run", "--json"]))
        #expect(
            lines.map { $0["status"] as? String } == [
                "failed", "planned", "upToDate", "refused", "planned", nil,
            ])
        #expect(lines[1]["reason"] as? String == "inputChanged" && lines[4]["reason"] as? String == "new")
        #expect(lines[5]["planned"] as? Int == 2 && lines[5]["exitCode"] as? Int == 1)
        #expect(try folder.read("out/.tintype/journal.jsonl") == before)
        let other = try apply(["-f", "noir", "-o", "out", "--dry-run", "in"])
        #expect(other.exitCode == 2 && other.errorText.contains("holds photos made with -f sepia"))
        #expect(try apply(["-f", "noir", "-o", "fresh", "--dry-run", "in/new.jpg"]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("fresh")))
        #expect(try apply(arguments).exitCode == 1, "the run ends as the dry run said")
    }

    /// A container with a root file system that cannot be written.
    @Test func aPipeNeedsATemporaryFolderForLargePhotosOnly() throws {
        let environment = ["TMPDIR": folder.path("none")]
        let arguments = ["apply", "-d", "cpu", "-f", "sepia", "--optimize", "-o", "-", "-"]
        let small = try TestPhoto.jpeg(width: 400, height: 300, seed: 1)
        let result = try Tool.run(arguments, in: folder, input: small, environment: environment)
        #expect(result.exitCode == 0 && result.output.starts(with: [0xFF, 0xD8]), "\(result.errorText)")
        let large = small + [UInt8](repeating: 0, count: 17 << 20)
        let refused = try Tool.run(arguments, in: folder, input: large, environment: environment)
        #expect(refused.exitCode == 6 && refused.output.isEmpty)
        #expect(
            refused.errorText.contains("No temporary file can be written in '\(folder.path("none"))"),
            "\(refused.errorText)")
    }

    @Test func linkedFoldersAreNamedOrFollowed() throws {
        try writePhotos("in/a.jpg", "real/b.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/album"), withDestinationPath: folder.path("real"))
        let plain = try apply(["-f", "sepia", "-o", "out", "--json", "in"])
        #expect(plain.errorText.contains("Skipped 1 link to a folder; add --follow to search it."))
        #expect(try json(plain).last?["skippedLinks"] as? Int == 1)
        let followed = try apply(["-f", "sepia", "-o", "out", "--follow", "in"])
        #expect(followed.exitCode == 0 && folder.files().contains("out/album/b.jpg"))
    }
}
