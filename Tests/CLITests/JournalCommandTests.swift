import Foundation
import TestSupport
import Testing
import Tintype

struct JournalCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func aFolderWithoutAJournalIsWrongUsage() throws {
        let result = try Tool.run(["journal", "."], in: folder)
        #expect(result.exitCode == 2 && result.outputText.isEmpty)
        #expect(result.errorText.contains("'.' has no journal."))
    }

    @Test func aPipeInTheJournalsPlaceIsRefused() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("out/.tintype"), withIntermediateDirectories: true)
        try #require(mkfifo(folder.path("out/.tintype/journal.jsonl"), 0o600) == 0)
        try folder.write(FirstBytes.jpeg, to: "a.jpg")
        for arguments in [["journal", "out"], ["apply", "-f", "sepia", "-o", "out", "a.jpg"]] {
            let running = try Tool.start(arguments, in: folder)
            #expect(eventually { !running.process.isRunning }, "\(arguments) waits")
            running.process.terminate()
            running.process.waitUntilExit()
            let result = try running.result()
            #expect(
                result.exitCode != 0 && result.errorText.contains("not a regular file"), "\(result.errorText)"
            )
        }
    }

    @Test func failuresAreNamedAndMakeTheExitCode() throws {
        let journal = try Journal(outputFolder: folder.path("out"))
        var done = Receipt(
            .done, output: "a.jpg", input: InputIdentity(location: "/in/a.jpg"), recipe: "r",
            file: FileFingerprint(byteCount: 5_000_000, modified: 1, digest: ContentDigest(.blake3, "00")),
            time: 86_400)
        (done.device, done.pixelCount) = ("cpu", 12_000_000)
        try journal.append(done)
        let all = try Tool.run(["journal", "out"], in: folder)
        #expect(all.exitCode == 0 && all.errorText.isEmpty)
        for text in ["done", "12.0 MP", "5.0 MB", "on cpu", "1970-01-02T00:00:00Z"] {
            #expect(all.outputText.contains(text))
        }

        var failure = Receipt(
            .failed, output: "b.jpg", input: InputIdentity(location: "/in/b.jpg"), recipe: "r")
        failure.error = "the file is empty."
        try journal.append(failure)
        let failed = try Tool.run(["journal", "out", "--failed"], in: folder)
        #expect(failed.exitCode == 1 && failed.outputText == "/in/b.jpg: the file is empty.\n")
        let json = try Tool.run(["journal", "out", "--json"], in: folder).outputLines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(json.map { $0["type"] as? String } == ["photo", "journal"])
        #expect(
            json[0]["error"] as? String == "the file is empty." && json[0]["output"] as? String == "b.jpg")
        #expect(
            json[1]["done"] as? Int == 1 && json[1]["failed"] as? Int == 1
                && json[1]["bytes"] as? Int == 5_000_000)
    }

    @Test func outputsOfAPhotoAreToldApart() throws {
        let journal = try Journal(outputFolder: folder.path("out"))
        for name in ["small", "web"] {
            var failure = Receipt(
                .failed, output: "\(name)/a.jpg", input: InputIdentity(location: "/in/a.jpg"), recipe: "r")
            (failure.variant, failure.error) = (name, "the file is empty.")
            try journal.append(failure)
        }
        let failed = try Tool.run(["journal", "out", "--failed"], in: folder)
        #expect(
            failed.outputLines == [
                "/in/a.jpg, output small: the file is empty.", "/in/a.jpg, output web: the file is empty.",
            ])
    }
}
