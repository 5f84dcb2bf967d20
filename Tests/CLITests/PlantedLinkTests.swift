import Foundation
import TestSupport
import Testing

/// Symbolic links that somebody has put into an output folder: nothing is written or removed behind them.
struct PlantedLinkTests {
    let folder: TemporaryFolder
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        for name in ["in/a.jpg", "in/sub/b.jpg", "precious/a.jpg", "precious/b.jpg", "precious/lock"] {
            try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: name)
        }
        for name in ["old.txt", "old.part.json"] { try folder.write(FirstBytes.text, to: "precious/\(name)") }
    }

    private func link(_ name: String, to target: String) throws {
        let parent = (folder.path(name) as NSString).deletingLastPathComponent
        try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder.path(name), withDestinationPath: folder.path(target))
    }

    private func apply(_ flags: [String] = [], _ output: String = "out") throws -> Tool.Result {
        try Tool.run(["apply", "-f", "sepia", "-d", "cpu", "-o", output] + flags + ["in"], in: folder)
    }

    /// Every file outside of the output folder, with its bytes and its time.
    private func others() throws -> [String: String] {
        let names = folder.files(withRecords: true).filter { !$0.hasPrefix("out/") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, "\(try folder.read(name).hashValue) \(try folder.modificationTime(name) as Any)")
            })
    }

    /// Runs with a link in the output folder, and expects all other files to stay.
    private func expectUntouched(
        _ flags: [String], _ name: String, to target: String
    ) throws -> Tool.Result {
        try link(name, to: target)
        let before = try others()
        let result = try apply(flags)
        #expect(try others() == before, "\(name) -> \(target), \(flags): \(result.errorText)")
        return result
    }

    @Test(arguments: [[], ["--overwrite"], ["--no-journal"], ["--no-journal", "--overwrite"]])
    func aLinkedSubfolderIsNotFollowedOut(flags: [String]) throws {
        let result = try expectUntouched(flags, "out/sub", to: "precious")
        #expect(result.exitCode == 1, "\(result.errorText)")
        #expect(result.errorText.contains("in/sub/b.jpg: The output 'out/sub/b.jpg' would lie outside"))
        #expect(folder.files().contains("out/a.jpg"))
    }

    @Test func aLinkedSubfolderThatStaysInsideIsFollowed() throws {
        try files.createDirectory(atPath: folder.path("out/real"), withIntermediateDirectories: true)
        try link("out/sub", to: "out/real")
        #expect(try apply().exitCode == 0)
        #expect(folder.files().contains("out/real/b.jpg"))
    }

    @Test func theOutputFolderMayBeALink() throws {
        try files.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: folder.path("linked"), withDestinationPath: "disk")
        #expect(try apply([], "linked").exitCode == 0)
        #expect(try apply([], "linked/below").exitCode == 0)
        #expect(folder.files().filter { $0.hasPrefix("disk/") }.count == 4)
    }

    @Test(
        arguments: ["precious/a.jpg", "in/a.jpg", "nothing"],
        [[], ["--overwrite"], ["--no-journal", "--overwrite"]])
    func aLinkInTheOutputsPlaceIsNotWrittenThrough(target: String, flags: [String]) throws {
        let result = try expectUntouched(flags, "out/a.jpg", to: target)
        let isOriginal = target == "in/a.jpg"
        #expect((result.exitCode == 0) == (!flags.isEmpty && !isOriginal), "\(result.errorText)")
        if result.exitCode == 0 {
            #expect(
                try files.attributesOfItem(atPath: folder.path("out/a.jpg"))[.type] as? FileAttributeType
                    == .typeRegular)
        }
    }

    @Test(arguments: [
        (".tintype", "precious"), (".tintype/journal.jsonl", "precious/a.jpg"),
        (".tintype/lock", "precious/lock"),
        (".tintype/lock", "nothing"), (".tintype/journal.jsonl", "nothing"),
    ])
    func aLinkInTheJournalsPlaceStopsTheRun(name: String, target: String) throws {
        let result = try expectUntouched([], "out/\(name)", to: target)
        #expect(result.exitCode == 2, "\(result.errorText)")
        #expect(result.errorText.contains("'out/\(name)' is a symbolic link"), "\(result.errorText)")
        #expect(!folder.files().contains("out/a.jpg"))
    }

    @Test(arguments: ["recipe", "recipe.new", "journal.jsonl.new"], ["precious/a.jpg", "nothing"])
    func aLinkInThePlaceOfARecordIsReplaced(name: String, target: String) throws {
        let result = try expectUntouched([], "out/.tintype/\(name)", to: target)
        #expect(result.exitCode == 0, "\(result.errorText)")
        let again = try apply()
        #expect(again.exitCode == 0 && again.errorText.contains("2 up to date"), "\(again.errorText)")
    }

    /// Old files in the folder of unfinished downloads are removed, which must not reach other folders.
    @Test func aLinkInThePlaceOfUnfinishedDownloadsRemovesNothing() throws {
        let photo = try folder.read("in/a.jpg")
        let server = try FaultServer { _, connection in connection.respond(body: photo) }
        for name in ["a.jpg", "old.txt", "old.part.json"] {
            let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, folder.path("precious/\(name)"), [time, time], 0) == 0)
        }
        try link("out/.tintype/partial", to: "precious")
        let before = try others()
        let result = try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", server.url("/c.jpg").absoluteString],
            in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try others() == before)
        server.stop()
    }

    /// The link comes after the run has planned its outputs.
    @Test func aLinkThatComesDuringTheRunIsNotFollowed() throws {
        for index in 0..<400 {
            try files.linkItem(atPath: folder.path("in/a.jpg"), toPath: folder.path("in/\(index).jpg"))
        }
        let running = try Tool.start(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "1", "-o", "out", "in"], in: folder)
        while running.process.isRunning, !folder.files().contains(where: { $0.hasPrefix("out/") }) {
            usleep(500)
        }
        try link("out/sub", to: "precious")
        let before = try others()
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(try others() == before)
        #expect(result.exitCode == 1, "\(result.errorText)")
        #expect(result.errorText.contains("in/sub/b.jpg: The output 'out/sub/b.jpg' would lie outside"))
    }

    @Test func aFolderThatAllMayWriteIsUsed() throws {
        try files.createDirectory(
            atPath: folder.path("out"), withIntermediateDirectories: true)
        chmod(folder.path("out"), 0o1777)
        #expect(try apply().exitCode == 0)
        #expect(folder.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/sub/b.jpg"])
    }

    @Test(arguments: [[], ["--overwrite"], ["--skip-existing"], ["--no-journal", "--overwrite"]])
    func originalsAreNeverOutputs(flags: [String]) throws {
        let before = try others()
        let result = try apply(flags, "in")
        #expect(result.exitCode == (flags == ["--skip-existing"] ? 0 : 2), "\(result.errorText)")
        #expect(try others() == before)
    }
}
