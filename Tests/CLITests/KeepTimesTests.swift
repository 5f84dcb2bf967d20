import Foundation
import TestSupport
import Testing

/// `--keep-times`, with the built tool.
struct KeepTimesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "set/a.jpg")
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 2), to: "set/sub/b.png")
        for (name, seconds) in [("set/a.jpg", 1_000_000_000), ("set/sub/b.png", -1_000_000)] {
            let time = timespec(tv_sec: seconds, tv_nsec: 123_456_789)
            try #require(utimensat(AT_FDCWD, folder.path(name), [time, time], 0) == 0)
        }
    }

    /// Seconds and nanoseconds since 1970.
    private func modified(_ name: String) -> [Int] {
        var status = stat()
        #expect(stat(folder.path(name), &status) == 0)
        return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    @Test(arguments: [["-f", "sepia"], ["--quality", "keep"], ["--quality", "keep", "--no-journal"]])
    func outputsHaveTheTimesOfTheirPhotos(flags: [String]) throws {
        let result = try apply(flags + ["--keep-times", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(modified("out/a.jpg") == [1_000_000_000, 123_456_789])
        #expect(modified("out/sub/b.png") == [-1_000_000, 123_456_789])
    }

    @Test func aJournalKnowsOutputsWithKeptTimes() throws {
        let arguments = ["-f", "sepia", "-o", "out", "--json", "set"]
        #expect(try apply(arguments + ["--keep-times"]).exitCode == 0)
        for flags in [[], ["--keep-times"]] {
            let lines = try apply(arguments + flags).outputLines
            #expect(lines.filter { $0.contains("\"upToDate\"") && $0.contains("\"photo\"") }.count == 2)
        }
        #expect(modified("out/a.jpg") == [1_000_000_000, 123_456_789])
        // The photo with another content has another time; its output follows.
        try folder.write(try TestPhoto.jpeg(width: 20, height: 30, seed: 3), to: "set/a.jpg")
        #expect(try apply(arguments + ["--keep-times"]).exitCode == 0)
        #expect(modified("out/a.jpg") == modified("set/a.jpg"))
    }

    @Test func outputsThatAreUpToDateKeepTheirTimes() throws {
        let arguments = ["-f", "sepia", "-o", "out", "set"]
        #expect(try apply(arguments).exitCode == 0)
        let before = modified("out/a.jpg")
        #expect(try apply(arguments + ["--keep-times"]).exitCode == 0)
        #expect(before[0] > 1_000_000_000 && modified("out/a.jpg") == before)
    }

    @Test func onStandardOutputTimesHaveNoEffect() throws {
        let result = try apply(["-f", "sepia", "--keep-times", "-o", "-", "set/a.jpg"])
        #expect(result.exitCode == 0 && !result.output.isEmpty, "\(result.errorText)")
    }
}
