import Foundation
import TestSupport
import Testing

/// Photos that vanish, shrink, grow or change between the search for them and their turn, or while they are read.
struct ChangingInputTests {
    private static let count = 250

    let folder: TemporaryFolder
    private let small: [UInt8]
    private let large: [UInt8]

    struct Line: Decodable {
        let type: String
        let input, output, status, error: String?
    }

    init() throws {
        folder = try TemporaryFolder()
        small = try TestPhoto.jpeg(width: 40, height: 30, seed: 1)
        large = try TestPhoto.jpeg(width: 300, height: 200, seed: 2)
        for index in 0..<Self.count { try folder.write(small, to: name(index)) }
    }

    private func name(_ index: Int) -> String { "in/\(1000 + index).jpg" }

    private func start(_ flags: [String] = []) throws -> Tool.Running {
        try Tool.start(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "1", "--json", "-o", "out"] + flags + ["in"],
            in: folder)
    }

    private func results(_ running: Tool.Running) throws -> (Tool.Result, [String: Line]) {
        running.process.waitUntilExit()
        let result = try running.result()
        let lines = try result.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let photos = lines.filter { $0.type == "photo" }.map { ($0.input ?? "", $0) }
        return (result, Dictionary(uniqueKeysWithValues: photos))
    }

    @Test(arguments: [[], ["--no-journal"]])
    func photosThatChangeBeforeTheirTurnAreDoneAsTheyAreOrNamed(flags: [String]) throws {
        let running = try start(flags)
        // The first one, as photos are done in order.
        while running.process.isRunning, access(folder.path("out/1000.jpg"), F_OK) != 0 { usleep(500) }
        let last = Self.count - 1
        let files = FileManager.default
        try files.removeItem(atPath: folder.path(name(last)))
        try folder.write(Array(small.prefix(small.count / 2)), to: name(last - 1))
        try folder.write([], to: name(last - 2))
        try folder.write(large, to: name(last - 3))
        try files.removeItem(atPath: folder.path(name(last - 4)))
        try files.createDirectory(atPath: folder.path(name(last - 4)), withIntermediateDirectories: false)
        try files.removeItem(atPath: folder.path(name(last - 5)))
        #expect(mkfifo(folder.path(name(last - 5)), 0o600) == 0)
        try files.removeItem(atPath: folder.path(name(last - 6)))
        try files.createSymbolicLink(atPath: folder.path(name(last - 6)), withDestinationPath: "nothing")
        let (result, lines) = try results(running)
        #expect(result.exitCode == 1 && lines.count == Self.count, "\(result.errorText)")
        for (index, reason) in [
            (last, "No such file"), (last - 1, "ends"), (last - 2, "empty"), (last - 4, "not a regular file"),
            (last - 5, "not a regular file"), (last - 6, "No such file"),
        ] {
            let line = try #require(lines[name(index)])
            #expect(line.status == "failed" && line.error?.contains(reason) == true, "\(line), not \(reason)")
        }
        #expect(lines.values.count { $0.status == "done" } == Self.count - 6)
        try folder.write(large, to: "one/large.jpg")
        #expect(
            try Tool.run(
                ["apply", "-f", "sepia", "-d", "cpu", "-o", "whole", "one"], in: folder
            ).exitCode == 0)
        #expect(try folder.read("out/\(1000 + last - 3).jpg") == folder.read("whole/large.jpg"))
        #expect(!folder.files().contains { $0.contains("/.tintype-") })
    }

    /// A photo that is written again and again while runs read it: an output is of one state, never of two.
    @Test func aPhotoThatIsWrittenWhileItIsReadIsOfOneStateOrFails() throws {
        let states = try (1...4).map {
            try TestPhoto.jpeg(width: 300, height: 200 + 100 * $0, seed: UInt64($0))
        }
        var expected: [[UInt8]] = []
        for state in states {
            try folder.write(state, to: "one/a.jpg")
            let arguments = ["apply", "-f", "sepia", "-d", "cpu", "--overwrite", "-o", "whole", "one"]
            #expect(try Tool.run(arguments, in: folder).exitCode == 0)
            expected.append(try folder.read("whole/a.jpg"))
        }
        // In place: truncated, written in pieces, never renamed.
        let path = folder.path("one/a.jpg")
        var (done, failed) = (0, 0)
        for round in 0..<12 {
            let running = try Tool.start(
                ["apply", "-f", "sepia", "-d", "cpu", "--overwrite", "-o", "out", "one"], in: folder)
            var index = 0
            while running.process.isRunning {
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.truncate(atOffset: 0)
                let state = states[index % states.count]
                for start in stride(from: 0, to: state.count, by: 1 << 14) {
                    try file.write(contentsOf: state[start..<min(start + 1 << 14, state.count)])
                }
                try file.close()
                index += 1
                // Some rounds leave it alone for longer than a photo takes.
                usleep(round % 3 == 0 ? 20_000 : 200)
            }
            let result = try running.result()
            if result.exitCode == 0 { done += 1 } else { failed += 1 }
            #expect([0, 1, 3].contains(result.exitCode), "\(result.errorText)")
            if let output = try? folder.read("out/a.jpg") { #expect(expected.contains(output)) }
        }
        print("\(done) runs took one state, \(failed) failed.")
        #expect(failed > 0)
    }
}
