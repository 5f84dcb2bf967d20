import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// `plan`, `apply --manifest`, `verify` and `status`: a run in parts, with no lock between them.
struct ClusterTests {
    let folder: TemporaryFolder
    private static let count = 12

    init() throws {
        folder = try TemporaryFolder()
        for index in 0..<Self.count {
            try folder.write(
                try TestPhoto.jpeg(width: 40 + 8 * index, height: 32, seed: UInt64(index)),
                to: "photos/\(index % 3)/\(index).jpg")
        }
    }

    @discardableResult
    private func tool(
        _ text: String, exitCode: Int32 = 0, environment: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Tool.Result {
        let result = try Tool.run(
            text.split(separator: " ").map(String.init), in: folder, environment: environment)
        #expect(result.exitCode == exitCode, "\(text): \(result.errorText)", sourceLocation: location)
        return result
    }

    private func plan(_ arguments: String = "-f sepia -o out photos", to name: String = "m.jsonl") throws {
        try tool("plan -m \(name) \(arguments)")
    }

    private func bytes(_ name: String) throws -> [String: [UInt8]] {
        let files = folder.files().filter { $0.hasPrefix("\(name)/") }
        return Dictionary(
            uniqueKeysWithValues: try files.map { (String($0.dropFirst(name.count)), try folder.read($0)) })
    }

    @Test func threeShardsMakeTheBytesOfOneRun() throws {
        try plan("-f tilt-shift -o out photos")
        let runs = try (1...3).map {
            try Tool.start(["apply", "-m", "m.jsonl", "--shard", "\($0)/3", "-d", "cpu"], in: folder)
        }
        for run in runs {
            run.process.waitUntilExit()
            #expect(try run.result().exitCode == 0)
        }
        try tool("apply -f tilt-shift -o single -d cpu photos")
        #expect(try bytes("out") == bytes("single"))
        let verified = try tool("verify -m m.jsonl")
        #expect(verified.outputText == "12 of 12 outputs are there, whole and once.\n")
        let status = try tool("status -m m.jsonl")
        #expect(status.outputText.contains("12 of 12 outputs are done"))
    }

    @Test func outputsThatMayBeWrongArePlannedAgain() throws {
        try plan()
        try tool("apply -m m.jsonl -d cpu")
        // As a run leaves it whose device gave wrong pixels, and that has not made the output again.
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out/.tintype"))
        let journal = "out/.tintype/" + (try #require(files.first { $0.hasSuffix(".jsonl") }))
        let lines = String(decoding: try folder.read(journal), as: UTF8.self).split(separator: "\n")
        let done = try #require(lines.last { $0.contains(#"{"state":"done","output":"1/1.jpg""#) })
        let suspect =
            done.replacing(#""state":"done""#, with: #""state":"failed""#).dropLast() + #","suspect":1}"#
        try folder.write(Array((lines + [suspect[...]]).joined(separator: "\n").utf8 + [10]), to: journal)
        let verified = try tool("verify -m m.jsonl --missing-to rest.jsonl", exitCode: 1)
        #expect(verified.outputLines.first == "damaged: 1/1.jpg (it may be wrong)", "\(verified.outputText)")
        let again = try tool("apply -m rest.jsonl -d cpu --json")
        #expect(again.outputText.contains(#""done":1,"#), "\(again.outputText)")
        try tool("verify -m m.jsonl")
    }

    @Test func verifyNamesWhatIsWrongAndPlansTheRest() throws {
        try plan()
        try tool("verify -m m.jsonl", exitCode: 1)
        try tool("apply -m m.jsonl -d cpu")
        try FileManager.default.removeItem(atPath: folder.path("out/0/0.jpg"))
        try folder.write(try folder.read("out/1/1.jpg") + [0], to: "out/1/1.jpg")
        var flipped = try folder.read("out/2/2.jpg")
        flipped[flipped.count / 2] ^= 1
        try folder.write(flipped, to: "out/2/2.jpg")
        try folder.write(try folder.read("out/0/3.jpg"), to: "out/copy.jpg")
        try folder.write([1], to: "out/.tintype-shard1-of-1-x-1-x.tmp")
        let verified = try tool("verify -m m.jsonl --missing-to rest.jsonl", exitCode: 1)
        #expect(
            verified.outputLines == [
                "missing: 0/0.jpg (made, and gone since)",
                "damaged: 1/1.jpg (\(flippedSize("1/1.jpg")) bytes instead of \(flippedSize("1/1.jpg") - 1))",
                "damaged: 2/2.jpg (other bytes)", "foreign: copy.jpg (it is not planned)",
                "9 of 12 outputs are there, whole and once; 1 missing; 2 damaged; 1 foreign; 1 temporary files of killed runs.",
            ])
        #expect(
            verified.errorText
                == "Delete the damaged outputs, then make them again: tintype apply -m rest.jsonl\n")
        // What is there is replaced only if asked.
        let refused = try tool("apply -m rest.jsonl -d cpu", exitCode: 1)
        #expect(refused.errorText.contains("has other bytes than this run makes"))
        try tool("apply -m rest.jsonl -d cpu --overwrite")
        try FileManager.default.removeItem(atPath: folder.path("out/copy.jpg"))
        try tool("verify -m m.jsonl")
    }

    @Test func whatIsInTheWayOfTheRestIsNamedFirst() throws {
        try plan()
        let refused = try tool("verify -m m.jsonl --missing-to m.jsonl", exitCode: 2)
        #expect(refused.output.isEmpty && refused.errorText.contains("'m.jsonl' exists"))
    }

    private func flippedSize(_ name: String) -> Int { (try? folder.read("out/\(name)").count) ?? 0 }

    @Test func sizesAloneAreComparedIfAsked() throws {
        try plan()
        try tool("apply -m m.jsonl -d cpu")
        var flipped = try folder.read("out/2/2.jpg")
        flipped[flipped.count / 2] ^= 1
        try folder.write(flipped, to: "out/2/2.jpg")
        try tool("verify -m m.jsonl --no-hash")
        let line = try tool("verify -m m.jsonl --json", exitCode: 1).outputLines
        #expect(line.count == 2 && line[0].contains("\"status\":\"damaged\""))
        #expect(line[1].contains("\"damaged\":1") && line[1].contains("\"whole\":11"))
    }

    @Test func statusCountsOutputsThatAnyRunHasMade() throws {
        try plan()
        try tool("apply -m m.jsonl --shard 1/2 -d cpu")
        try tool("verify -m m.jsonl --missing-to rest.jsonl", exitCode: 1)
        try tool("apply -m rest.jsonl -d cpu")
        try folder.write(try folder.read("photos/0/0.jpg"), to: "more/more.jpg")
        try plan("-f sepia -o out more", to: "more.jsonl")
        try tool("apply -m more.jsonl -d cpu")
        let status = try tool("status -m m.jsonl --json").outputLines
        #expect(status.count == 2 && status[0].contains("\"done\":6,"), "\(status)")
        #expect(status.last?.contains("\"done\":12,") == true, "\(status)")
        #expect(status.last?.contains("\"left\":0,") == true, "\(status)")
        #expect(try tool("status -m more.jsonl").outputText.contains("1 of 1 outputs are done"))
        try tool("journal --merge out")
        #expect(try tool("status -m m.jsonl").outputText == "12 of 12 outputs are done.\n")
    }

    @Test func aKilledShardIsRunAgain() throws {
        try plan("-f tilt-shift:radius=20 -o out photos")
        for signal in [SIGKILL, SIGTERM] {
            let run = try Tool.start(["apply", "-m", "m.jsonl", "-d", "cpu", "-j", "1"], in: folder)
            usleep(150_000)
            kill(run.process.processIdentifier, signal)
            run.process.waitUntilExit()
        }
        try tool("apply -m m.jsonl -d cpu")
        let verified = try tool("verify -m m.jsonl")
        #expect(verified.outputText == "12 of 12 outputs are there, whole and once.\n")
    }

    @Test func twoRunsOfOneShardAtOnceAgree() throws {
        try plan("-f tilt-shift:radius=20 -o out photos")
        let runs = try (0..<3).map { _ in
            try Tool.start(["apply", "-m", "m.jsonl", "--shard", "1/1", "-d", "cpu"], in: folder)
        }
        for run in runs { run.process.waitUntilExit() }
        // A later run removes temporary files of an earlier one, which then fails these photos, but never all do.
        try tool("apply -m m.jsonl -d cpu")
        #expect(try tool("verify -m m.jsonl").outputText == "12 of 12 outputs are there, whole and once.\n")
    }

    @Test func anotherRecipeInTheFolderIsRefused() throws {
        try plan()
        try plan("-f noir -o out photos", to: "noir.jsonl")
        try tool("apply -m m.jsonl --shard 1/2 -d cpu")
        let refused = try tool("apply -m noir.jsonl --shard 2/2 -d cpu --overwrite", exitCode: 2)
        #expect(refused.errorText.contains("holds photos made with -f sepia"))
    }

    @Test func severalOutputsOfEachPhotoAreInOneShard() throws {
        let recipe = """
            {"outputs": {"web": {"filters": "sepia", "quality": 80}, "small": {"filters": "resize:long=16"}}}
            """
        try folder.write(Array(recipe.utf8), to: "two.json")
        try plan("--recipe two.json -o out photos")
        for number in 1...5 { try tool("apply -m m.jsonl --shard \(number)/5 -d cpu") }
        #expect(
            try tool("verify -m m.jsonl").outputText == "24 of 24 outputs are there, whole and once.\n")
        try tool("apply --recipe two.json -o single -d cpu photos")
        #expect(try bytes("out") == bytes("single"))
    }

    @Test func photosMayBeElsewhereOnTheMachineThatRuns() throws {
        try plan()
        try FileManager.default.moveItem(atPath: folder.path("photos"), toPath: folder.path("mounted"))
        let lost = try tool("apply -m m.jsonl -d cpu", exitCode: 1)
        #expect(lost.errorText.contains("photos/0/0.jpg: The file cannot be read"))
        try tool("apply -m m.jsonl --root mounted -o elsewhere -d cpu")
        try tool("verify -m m.jsonl -o elsewhere")
    }

    @Test func aFullDiskIsNoWrongUsage() {
        #expect(ExitStatus(startError: ManifestError.cannotWrite(path: "m", .noSpace)) == .resourceLimit)
        #expect(ExitStatus(startError: ManifestError.exists(path: "m")) == .usage)
    }

    @Test func theOutputFolderMayBeALink() throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
        try plan("-f sepia -o link photos")
        try tool("apply -m m.jsonl -d cpu")
        try tool("verify -m m.jsonl")
        #expect(try bytes("real").count == Self.count)
        try files.createSymbolicLink(atPath: folder.path("again"), withDestinationPath: "photos")
        let refused = try tool("plan photos -f sepia -o again -m x.jsonl", exitCode: 2)
        #expect(refused.errorText.contains("The outputs would be among the photos"))
    }

    @Test func aPhotoThatHasChangedIsNotDone() throws {
        try plan()
        try folder.write(try folder.read("photos/1/1.jpg") + [0], to: "photos/1/1.jpg")
        let result = try tool("apply -m m.jsonl -d cpu", exitCode: 1)
        #expect(result.errorText.contains("when it was planned"))
        #expect(folder.files().filter { $0.hasPrefix("out/") }.count == Self.count - 1)
    }

    @Test func listsArePlannedAsTheyAreApplied() throws {
        let list =
            (0..<Self.count).map { "photos/\($0 % 3)/\($0).jpg" } + ["photos/none.jpg", "photos/0/0.jpg"]
        try folder.write(Array(list.joined(separator: "\n").utf8), to: "list.txt")
        let planned = try tool("plan --files-from list.txt -o out -f sepia -m m.jsonl --json", exitCode: 1)
        #expect(planned.outputLines.last?.contains("\"failed\":1,") == true)
        #expect(planned.outputLines.last?.contains("\"photos\":12,") == true)
        try tool("apply -m m.jsonl -d cpu")
        try tool("apply --files-from list.txt -o single -f sepia -d cpu", exitCode: 1)
        #expect(try bytes("out") == bytes("single"))
    }

    /// A pipe can be read only once.
    @Test func aListFromAPipeIsPlannedAsAWhole() throws {
        let list = (0..<Self.count).map { folder.path("photos/\($0 % 3)/\($0).jpg") }
        try folder.write(Array(list.joined(separator: "\n").utf8), to: "list.txt")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "cat list.txt | \"$0\" plan --files-from /dev/stdin -o out -f sepia -m m.jsonl", Tool.path,
        ]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Tool.environment
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let manifest = try Manifest(folder.path("m.jsonl"))
        #expect(manifest.photoCount == Self.count)
        // The folder of a pipe, /dev, says nothing of the photos.
        #expect(manifest.header.root == folder.path)
    }

    @Test func aPlanHoldsNoSecretAndNoClash() throws {
        let list = [
            "https://ann:secret@host/a.jpg", "https://host/b.jpg?X-Amz-Signature=secret",
            "https://host/c.jpg",
            "photos/0/0.jpg", "photos/0/../0/0.jpg",
        ]
        try folder.write(try folder.read("photos/0/0.jpg"), to: "more/0.jpg")
        try folder.write(Array(list.joined(separator: "\n").utf8), to: "list.txt")
        let planned = try tool(
            "plan --files-from list.txt more/0.jpg photos/0/0.jpg -o out/{stem}.{ext} -f sepia -m m.jsonl",
            exitCode: 1)
        let text = String(decoding: try folder.read("m.jsonl"), as: UTF8.self)
        #expect(!(text + planned.errorText + planned.outputText).contains("secret"))
        #expect(planned.errorText.contains("would also be that of another photo"))
        #expect(text.contains("https://host/c.jpg") && text.contains("\"photos\":"))
    }

    @Test(arguments: [
        ("plan photos -o photos -f sepia -m m.jsonl", 2, "The outputs would be among the photos"),
        ("plan photos -o out -m m.jsonl", 2, "There is nothing to do"),
        ("plan -o out -f sepia -m m.jsonl", 2, "No photos were given"),
        ("plan - -o out -f sepia -m m.jsonl", 2, "standard input"),
        ("plan photos -o - -f sepia -m m.jsonl", 2, "needs -o with a folder"),
        ("plan photos -o out -f sepia -m full", 2, "never replaced"),
        ("plan none -o out -f sepia -m m.jsonl", 1, "No such file"),
        ("plan empty -o out -f sepia -m m.jsonl", 3, "no photos to plan"),
        ("apply --shard 1/2 photos -f sepia", 2, "give --manifest"),
        ("apply -m full photos", 2, "leave out photos"),
        ("apply -m full --dry-run", 2, "exclude each other"),
        ("apply -m full", 2, "is no manifest"),
        ("apply -m none", 2, "cannot be read"),
        ("apply -m full --shard 0/2", 2, "--shard"),
        ("verify -m full", 2, "is no manifest"),
        ("status -m none", 2, "cannot be read"),
    ])
    func mistakesAreNamed(text: String, exitCode: Int32, message: String) throws {
        try folder.write([1], to: "full")
        try folder.write([1], to: "empty/x.txt")
        let result = try tool(text, exitCode: exitCode)
        #expect(result.errorText.contains(message), "\(result.errorText)")
        #expect(FileManager.default.fileExists(atPath: folder.path("m.jsonl")) == false)
    }

    @Test func aFolderThatCannotBeListedIsNotVerified() throws {
        try plan()
        try tool("apply -m m.jsonl")
        try folder.write([1], to: "file")
        let verified = try tool("verify -m m.jsonl -o file", exitCode: 2)
        #expect(verified.errorText.contains("file") && verified.errorText.contains("Not a directory"))
    }

    @Test func statusNeedsTheFolderThatIsGiven() throws {
        try plan()
        #expect(try tool("status -m m.jsonl").outputText == "0 of 12 outputs are done.\n")
        let refused = try tool("status -m m.jsonl -o nosuch", exitCode: 2)
        #expect(refused.output.isEmpty && refused.errorText.contains("'nosuch' has no journal"))
    }

    @Test func theSettingsFileChangesNoPlan() throws {
        try plan()
        try folder.write(Array(#"{"output": "mine", "exclude": "*", "quality": 5}"#.utf8), to: "config.json")
        try tool("apply -m m.jsonl -d cpu", environment: ["TINTYPE_CONFIG": folder.path("config.json")])
        try tool("verify -m m.jsonl")
    }

    @Test func aTaskFindsItsShardAndWritesMetrics() throws {
        try plan()
        let task = ["JOB_COMPLETION_INDEX": "1", "TINTYPE_SHARD_COUNT": "3"]
        try tool("apply -m m.jsonl --shard auto -d cpu --metrics t.prom", environment: task)
        let metrics = String(decoding: try folder.read("t.prom"), as: UTF8.self)
        #expect(metrics.contains("tintype_outputs_total{shard=\"2/3\",status=\"done\"} 4\n"))
        #expect(metrics.contains("tintype_exit_code{shard=\"2/3\"} 0\n"))
        let status = try tool("status -m m.jsonl --json").outputLines
        #expect(status.count == 2 && status[0].contains("\"shard\":\"2/3\""))
        #expect(status[1].contains("\"done\":4") && status[1].contains("\"left\":8"))
        let all = try tool("apply -m m.jsonl --shard auto", exitCode: 2)
        #expect(all.errorText.contains("--shard auto finds no array task"))
        try tool("journal --merge out")
        try tool("apply -f sepia -o out -d cpu photos")
        try tool("verify -m m.jsonl")
    }

    @Test func outputsOfShardsInAnInputFolderAreSkipped() throws {
        try plan("-f sepia -o photos/out photos")
        try tool("apply -m m.jsonl --shard 1/2 -d cpu")
        let made = folder.files().filter { $0.hasPrefix("photos/out/") && $0.hasSuffix(".jpg") }.count
        #expect(made > 0 && made < Self.count)
        let dry = try tool("apply -f noir -o other photos --dry-run -d cpu")
        #expect(dry.errorText.contains("Would do \(Self.count) photos"))
        #expect(dry.errorText.contains("Skipped \(made) photos that Tintype made"))
        let preview = try tool("apply -f sepia -o photos/out photos --dry-run -d cpu", exitCode: 2)
        #expect(preview.errorText.contains("--merge"))
    }

    @Test func aPlanNamesNoOutputAmongTheJournals() throws {
        let recipe = #"{"outputs": {"web": {"filters": "sepia", "output": ".tintype/{stem}.{ext}"}}}"#
        try folder.write(Array(recipe.utf8), to: "own.json")
        for command in ["plan -m m.jsonl", "apply"] {
            let refused = try tool("\(command) --recipe own.json -o out photos", exitCode: 2)
            #expect(refused.errorText.contains("own.json, line 1: 'output': The template"))
        }
    }

    @Test func linkedFoldersArePlannedIfAsked() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("photos/3"), withDestinationPath: folder.path("photos/0"))
        let plain = try tool("plan -m m.jsonl -f sepia -o out photos")
        #expect(plain.errorText.contains("Skipped 1 link to a folder; add --follow"))
        let followed = try tool("plan -m n.jsonl -f sepia -o out --follow photos --json")
        #expect(followed.outputText.contains("\"photos\":16"))
        try tool("apply -m n.jsonl --follow", exitCode: 2)
    }
}
