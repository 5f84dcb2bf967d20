import Foundation
import TestSupport
import Testing

/// System calls that fail at random: every photo is done or named with a reason, outputs are whole, and the next run
/// finishes the folder.
///
/// `TINTYPE_IO_FAULTS` is the number of runs (`make test-disks`), `TINTYPE_IO_FAULT_SEED` the first run's seed.
struct RandomFaultTests {
    private static let runs = number("TINTYPE_IO_FAULTS") ?? 16
    private static let firstSeed = number("TINTYPE_IO_FAULT_SEED") ?? 1

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    struct Line: Decodable {
        let type: String
        let input, output, status, error: String?
        let notDone: Int?
    }

    /// What a run may be asked for; each takes another path through the files.
    private static let flags: [[String]] = [
        [], ["--optimize"], ["--keep-times"], ["--overwrite"], ["--lenient", "-j", "1"],
        ["--no-journal", "--skip-existing"],
    ]

    let folder: TemporaryFolder
    let originals: [String: [UInt8]]

    init() throws {
        folder = try TemporaryFolder()
        var originals: [String: [UInt8]] = [:]
        for index in 0..<12 {
            let isPNG = index % 4 == 3
            let name = "in/\(index % 3)/\(index).\(isPNG ? "png" : "jpg")"
            let bytes =
                try isPNG
                ? TestPhoto.png(width: 60 + index, height: 40, seed: UInt64(index))
                : TestPhoto.jpeg(width: 80 + index, height: 60, seed: UInt64(index))
            try folder.write(bytes, to: name)
            originals[name] = bytes
        }
        self.originals = originals
    }

    private func arguments(_ flags: [String], _ output: String) -> [String] {
        ["apply", "-f", "sepia", "-d", "cpu", "-j", "3", "--json", "-o", output] + flags + ["in"]
    }

    private func outputs(_ output: String) throws -> [String: [UInt8]] {
        let names = folder.files().filter { $0.hasPrefix("\(output)/") && !$0.contains("/.tintype-") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { (String($0.dropFirst(output.count)), try folder.read($0)) })
    }

    private func environment(seed: Int) -> [String: String] {
        [
            "LD_PRELOAD": StorageFaultTests.library, "IO_FAULT_SEED": "\(seed)",
            "IO_FAULT_RATE": "\([4000, 12_000, 40_000, 100_000][seed % 4])", "IO_FAULT_PATH": folder.path,
            "IO_FAULT_LOG": folder.path("faults.log"),
        ]
    }

    @Test func afterAnyFaultsACleanRunFinishesTheFolder() throws {
        var faultCount = 0, failureCount = 0
        for flags in Self.flags.enumerated() {
            let whole = try Tool.run(arguments(flags.element, "whole\(flags.offset)"), in: folder)
            try #require(whole.exitCode == 0, "\(whole.errorText)")
        }
        for seed in Self.firstSeed..<Self.firstSeed + Self.runs {
            let number = seed / 4 % Self.flags.count
            let expected = try outputs("whole\(number)")
            // Every third time, the next run meets faults as well.
            for further in 0..<(seed % 3 == 0 ? 2 : 1) {
                failureCount += try runWithFaults(
                    seed: seed + 1_000_000 * further, Self.flags[number], expected)
            }
            let log = (try? folder.read("faults.log")) ?? []
            faultCount += log.count { $0 == UInt8(ascii: "\n") }
            try finishCleanly(
                Self.flags[number], expected, "seed \(seed): \(String(decoding: log, as: UTF8.self))")
            for name in ["out", "faults.log"] {
                try? FileManager.default.removeItem(atPath: folder.path(name))
            }
        }
        print("\(Self.runs) seeds, \(faultCount) faults, \(failureCount) photos failed.")
        #expect(faultCount > Self.runs && failureCount > Self.runs / 4)
    }

    /// - Returns: the number of photos that failed.
    private func runWithFaults(
        seed: Int, _ flags: [String], _ expected: [String: [UInt8]]
    ) throws -> Int {
        let result = try Tool.runUnlessItHangs(
            arguments(flags, "out"), in: folder, environment: environment(seed: seed))
        let log = String(decoding: (try? folder.read("faults.log")) ?? [], as: UTF8.self)
        let place = "seed \(seed), \(flags): \(result?.errorText ?? "it hangs")\n\(log)"
        let ended = try #require(result, "\(place)")
        #expect([0, 1, 2, 6].contains(ended.exitCode), "exit code \(ended.exitCode), \(place)")
        let lines = try ended.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let failed = lines.filter { $0.status == "failed" }
        #expect(failed.allSatisfy { ($0.error ?? "").count > 10 }, "\(place)")
        #expect(ended.exitCode == 0 || !ended.errorText.isEmpty, "\(place)")
        for line in lines where line.status == "done" {
            let output = try #require(line.output)
            #expect(FileManager.default.fileExists(atPath: folder.path(output)), "\(output), \(place)")
        }
        if let last = lines.last, last.type == "summary" {
            // Those of a folder that cannot be searched are one failure.
            let named = Set(lines.filter { $0.type == "photo" }.compactMap(\.input)).count
            // A run that cannot start says so.
            let isRefused = last.error != nil && ended.exitCode != 0
            #expect(named + (last.notDone ?? 0) >= 12 || !failed.isEmpty || isRefused, "\(place)")
        } else {
            #expect(ended.exitCode != 0, "\(place)")
        }
        for (name, bytes) in try outputs("out") { #expect(bytes == expected[name], "\(name), \(place)") }
        return failed.count
    }

    private func finishCleanly(_ flags: [String], _ expected: [String: [UInt8]], _ place: String) throws {
        let clean = try Tool.run(arguments(flags, "out"), in: folder)
        #expect(clean.exitCode == 0, "\(clean.errorText)\n\(place)")
        #expect(try outputs("out") == expected, "\(place)")
        let left = folder.files(withRecords: true).filter { name in
            [".tmp", ".new", "/.tintype-"].contains { name.contains($0) }
        }
        #expect(left.isEmpty, "\(left)\n\(place)")
        for (name, bytes) in originals { #expect(try folder.read(name) == bytes, "\(name)\n\(place)") }
    }
}
