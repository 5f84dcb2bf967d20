import Foundation
import TestSupport
import Testing

/// `--watch`, with the built tool.
struct WatchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try photo(1), to: "in/a.jpg")
    }

    private func photo(_ seed: UInt64) throws -> [UInt8] {
        try TestPhoto.jpeg(width: 40, height: 30, seed: seed)
    }

    private func start(
        _ flags: [String], input: String = "in", device: String = "cpu", _ environment: [String: String] = [:]
    ) throws -> Tool.Running {
        let running = try Tool.start(
            ["apply", "-d", device, "-f", "sepia", "--watch"] + flags + [input], in: folder,
            environment: environment)
        try waitUntil { try running.errorText().contains("Watching") || !running.process.isRunning }
        return running
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
        #expect(try eventually(condition))
    }

    private var outputs: [String] {
        folder.files().filter {
            ($0.hasPrefix("in/out/") || $0.hasPrefix("out/")) && !$0.contains(".tintype-")
        }
    }

    private func end(_ running: Tool.Running, by signal: Int32 = SIGINT) throws -> Tool.Result {
        kill(running.process.processIdentifier, signal)
        running.process.waitUntilExit()
        return try running.result()
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func photosThatAppearAreFiltered(signal: Int32) throws {
        let running = try start(["-o", "in/out"])
        #expect(outputs == ["in/out/a.jpg"])
        try folder.write(try photo(2), to: "in/b.jpg")
        try folder.write(try photo(3), to: "in/new/deep/c.jpg")
        try folder.write(try photo(4), to: "d.jpg")
        try FileManager.default.moveItem(atPath: folder.path("d.jpg"), toPath: folder.path("in/d.jpg"))
        try waitUntil { try running.errorText().contains("4 photos so far") }
        #expect(outputs == ["in/out/a.jpg", "in/out/b.jpg", "in/out/d.jpg", "in/out/new/deep/c.jpg"])
        let before = try folder.read("in/out/b.jpg")
        try folder.write(try photo(5), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("5 photos so far") }
        #expect(try folder.read("in/out/b.jpg") != before)
        // Time for a round of its own outputs, which there must not be.
        usleep(600_000)
        let result = try end(running, by: signal)
        #expect(result.exitCode == 0 && result.errorText.contains("5 photos, "), "\(result.errorText)")
        #expect(outputs.count == 4)
        let again = try Tool.run(["apply", "-d", "cpu", "-f", "sepia", "-o", "in/out", "in"], in: folder)
        #expect(again.errorText.contains("4 up to date"), "\(again.errorText)")
    }

    @Test func aFolderMayEndInASlash() throws {
        let running = try start(["-o", "out"], input: "in/")
        try folder.write(try photo(2), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("so far") }
        #expect(try end(running).exitCode == 0 && outputs == ["out/a.jpg", "out/b.jpg"])
    }

    @Test(arguments: ["in/slow.jpg", "in/new/slow.jpg"])
    func aPhotoIsTakenOnceItIsClosed(name: String) throws {
        let running = try start(["-o", "out"])
        let bytes = try photo(2)
        try FileManager.default.createDirectory(
            atPath: folder.path("in/new"), withIntermediateDirectories: true)
        // Never closed while it is empty.
        let descriptor = open(folder.path(name), O_CREAT | O_WRONLY, 0o644)
        try #require(descriptor >= 0)
        let writer = FileHandle(fileDescriptor: descriptor)
        try writer.write(contentsOf: bytes.prefix(bytes.count / 2))
        try folder.write(try photo(3), to: "in/b.jpg")
        try waitUntil { outputs.contains("out/b.jpg") }
        usleep(300_000)
        try writer.write(contentsOf: bytes.dropFirst(bytes.count / 2))
        try writer.close()
        try waitUntil { try running.errorText().contains("3 photos so far") }
        let result = try end(running)
        #expect(result.exitCode == 0 && !result.errorText.contains("failed"), "\(result.errorText)")
    }

    @Test func outputsBesideTheirPhotosAreNoPhotos() throws {
        let running = try start(["--overwrite"])
        try folder.write(try photo(2), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("2 photos so far") }
        try folder.write(try photo(3), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("3 photos so far") }
        usleep(600_000)
        let result = try end(running)
        #expect(result.exitCode == 0 && result.errorText.contains("3 photos, "), "\(result.errorText)")
        #expect(folder.files() == ["in/a-sepia.jpg", "in/a.jpg", "in/b-sepia.jpg", "in/b.jpg"])
    }

    @Test func withoutAJournalAnOutputStaysWhenItsPhotoIsWrittenAgain() throws {
        let running = try start(["--no-journal", "-o", "out"])
        let before = try folder.read("out/a.jpg")
        try folder.write(try photo(2), to: "in/a.jpg")
        try waitUntil { try running.errorText().contains("1 failed") }
        let result = try end(running)
        #expect(result.exitCode == 1 && result.errorText.contains("Add --overwrite"), "\(result.errorText)")
        #expect(try folder.read("out/a.jpg") == before)
    }

    @Test func theRunEndsWithItsFolder() throws {
        let running = try start(["-o", "out"])
        try FileManager.default.moveItem(atPath: folder.path("in"), toPath: folder.path("moved"))
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(
            result.exitCode == 0 && result.errorText.contains("The folders are gone"), "\(result.errorText)")
    }

    @Test func anEmptyFolderIsWatchedToo() throws {
        try FileManager.default.removeItem(atPath: folder.path("in/a.jpg"))
        let running = try start(["-o", "out", "--json"])
        try folder.write(try photo(2), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("1 photo so far") }
        #expect(outputs == ["out/b.jpg"])
        let result = try end(running, by: SIGTERM)
        #expect(result.exitCode == 0 && result.outputLines.count == 2, "\(result.errorText)")
    }

    @Test(arguments: [
        ["in/a.jpg", "-o", "out"], ["-", "-o", "out"], ["http://host/a.jpg", "-o", "out"], ["-o", "out"],
        ["in", "-o", "-"], ["in", "-o", "b.jpg"], ["in", "-o", "in"], ["in", "-o", "in/{stem}-x.{ext}"],
        ["in", "-o", "out", "--dry-run"], ["in", "-o", "out", "--files-from", "list.txt"],
        ["in", "-o", "out", "--retry-failed"],
    ])
    func wrongUsageIsExplained(arguments: [String]) throws {
        let result = try Tool.run(["apply", "-f", "sepia", "--watch"] + arguments, in: folder)
        #expect(result.exitCode == 2 && result.errorText.contains("--watch"), "\(result.errorText)")
    }

    @Test func whatAnEarlierRoundHasMadeWronglyIsMadeAgain() throws {
        try #require(FileManager.default.fileExists(atPath: DeviceFaultTests.layer))
        // Right in its tests only. One photo in twelve is checked.
        let running = try start(
            ["-o", "out", "--device-check", "0.1", "-j", "1", "--fallback", "cpu"], device: "0",
            ["OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_FAULT": "clEnqueueNDRangeKernel:5+:wrong"])
        var count = 1
        while try !running.errorText().contains("computes other pixels"), running.process.isRunning,
            count < 1000
        {
            for _ in 0..<5 {
                try folder.write(
                    try TestPhoto.jpeg(width: 100, height: 1300, seed: UInt64(count)), to: "in/\(count).jpg")
                count += 1
            }
            try waitUntil {
                try running.errorText().contains("\(count) photos so far") || !running.process.isRunning
            }
        }
        let result = try end(running)
        #expect(result.exitCode == 0, "\(result.errorText)")
        let right = try Tool.run(
            ["apply", "--no-journal", "-d", "cpu", "-f", "sepia", "-o", "cpu", "in"], in: folder)
        #expect(right.exitCode == 0)
        for output in outputs {
            #expect(
                try folder.read(output) == folder.read("cpu" + output.dropFirst(3)),
                "\(output): \(result.errorText)")
        }
        #expect(
            outputs.count == count && result.errorText.contains("\(count) photos, "), "\(result.errorText)")
    }

    @Test func aDownloadIsTakenOnceItHasItsName() throws {
        let running = try start(["-o", "out"])
        let bytes = try photo(2)
        try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "in/b.jpg.part")
        usleep(600_000)
        try folder.write(bytes, to: "in/b.jpg.part")
        usleep(600_000)
        try FileManager.default.moveItem(
            atPath: folder.path("in/b.jpg.part"), toPath: folder.path("in/b.jpg"))
        try waitUntil { try running.errorText().contains("2 photos so far") }
        let result = try end(running)
        #expect(result.exitCode == 0 && outputs == ["out/a.jpg", "out/b.jpg"], "\(result.errorText)")
    }

    /// As some programs write to one name in several steps.
    @Test func aPhotoThatWasHalfThereFirstHasNotFailedAtTheEnd() throws {
        let running = try start(["-o", "out"])
        let bytes = try photo(2)
        try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("1 failed") }
        try folder.write(bytes, to: "in/b.jpg")
        try waitUntil { try running.errorText().contains("2 photos so far") }
        let result = try end(running)
        #expect(result.exitCode == 0 && outputs == ["out/a.jpg", "out/b.jpg"], "\(result.errorText)")
    }

    @Test func linksThatAppearAreFollowedAsInASearch() throws {
        try folder.write(try photo(2), to: "real/b.jpg")
        let running = try start(["-o", "out", "--follow"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/c.jpg"), withDestinationPath: folder.path("real/b.jpg"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/album"), withDestinationPath: folder.path("real"))
        try waitUntil { try running.errorText().contains("3 photos so far") }
        try folder.write(try photo(3), to: "real/d.jpg")
        try waitUntil { try running.errorText().contains("4 photos so far") }
        #expect(try end(running).exitCode == 0)
        #expect(outputs == ["out/a.jpg", "out/album/b.jpg", "out/album/d.jpg", "out/c.jpg"])
    }
}
