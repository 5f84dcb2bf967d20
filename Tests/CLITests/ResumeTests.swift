import Foundation
import TestSupport
import Testing

/// Runs that are killed, repeated and shared, on one output folder.
struct ResumeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writePhotos(_ count: Int) throws {
        for index in 0..<count {
            let jpeg = try TestPhoto.jpeg(width: 200 + index % 100, height: 150, seed: UInt64(index))
            try folder.write(jpeg, to: "set/\(index % 3)/\(index).jpg")
        }
    }

    /// How long a run takes that succeeds.
    private func seconds(of arguments: [String]) throws -> Double {
        let begin = ContinuousClock.now
        let result = try Tool.run(arguments, in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        return begin.duration(to: .now) / .seconds(1)
    }

    private func arguments(_ output: String) -> [String] {
        ["apply", "-d", "cpu", "-f", "sepia", "-f", "tilt-shift:radius=6", "-o", output, "set"]
    }

    private func outputs(_ output: String) throws -> [String: [UInt8]] {
        let names = folder.files().filter { $0.hasPrefix("\(output)/") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { (String($0.dropFirst(output.count)), try folder.read($0)) })
    }

    /// How often each output's photo was finally done or failed, by the journal.
    private func finalReceipts(_ output: String) throws -> [String: Int] {
        let text = String(decoding: try folder.read("\(output)/.tintype/journal.jsonl"), as: UTF8.self)
        let receipts = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let final = receipts.filter { $0["state"] as? String != "publishing" }
        return Dictionary(final.map { ($0["output"] as? String ?? "?", 1) }, uniquingKeysWith: +)
    }

    /// `make test-crashes` raises the number of kills.
    @Test func aRunThatIsKilledAgainAndAgainIsFinishedByOneCleanRun() throws {
        let kills = ProcessInfo.processInfo.environment["TINTYPE_KILLS"].flatMap { Int($0) } ?? 40
        let count = 4 * kills
        try writePhotos(count)
        let work = try seconds(of: arguments("whole"))
        let start = try seconds(of: arguments("out") + ["--dry-run"])
        // From a moment in which it has hardly begun to one in which it has done more than its share.
        let moments = 0.3 * start...start + 2.5 * work / Double(kills)
        var random = SeededGenerator(seed: 5)
        var struck = 0
        for _ in 0..<kills {
            let running = try Tool.start(arguments("out"), in: folder)
            usleep(UInt32(1e6 * Double.random(in: moments, using: &random)))
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
            if running.process.terminationReason == .uncaughtSignal { struck += 1 }
        }
        let doneByThen = try finalReceipts("out").count
        print(
            "\(struck) of \(kills) runs were killed before their end; \(doneByThen) of \(count) photos were done then."
        )
        let last = try Tool.run(arguments("out"), in: folder)
        #expect(last.exitCode == 0, "\(last.errorText)")
        #expect(try outputs("out") == outputs("whole"))
        let receipts = try finalReceipts("out")
        #expect(receipts.count == count && receipts.values.allSatisfy { $0 == 1 }, "\(receipts)")
    }

    @Test func whatIsDoneIsNotDoneAgainAndWhatChangedIs() throws {
        try writePhotos(5)
        #expect(try Tool.run(arguments("out"), in: folder).exitCode == 0)
        let again = try Tool.run(arguments("out"), in: folder)
        #expect(again.exitCode == 0 && again.errorText.contains("5 up to date"), "\(again.errorText)")
        #expect(try finalReceipts("out").values.allSatisfy { $0 == 1 })

        let before = try folder.read("out/0/0.jpg")
        try folder.write(try TestPhoto.jpeg(width: 90, height: 80, seed: 77), to: "set/0/0.jpg")
        let changed = try Tool.run(arguments("out"), in: folder)
        #expect(changed.exitCode == 0 && changed.errorText.contains("4 up to date"), "\(changed.errorText)")
        #expect(try folder.read("out/0/0.jpg") != before)
    }

    @Test func anotherRecipeDoesNotReplaceWhatIsThere() throws {
        try writePhotos(2)
        #expect(try Tool.run(arguments("out"), in: folder).exitCode == 0)
        let before = try outputs("out")
        let noir = ["apply", "-d", "cpu", "-f", "noir", "-o", "out", "set"]
        let refused = try Tool.run(noir, in: folder)
        #expect(refused.exitCode == 1 && refused.errorText.contains("--overwrite"), "\(refused.errorText)")
        #expect(try outputs("out") == before)
        #expect(try Tool.run(noir + ["--overwrite"], in: folder).exitCode == 0)
        #expect(try outputs("out") != before)
    }

    @Test func twoRunsOnOneFolderShareThePhotos() throws {
        try writePhotos(60)
        let runs = try (0..<2).map { _ in try Tool.start(arguments("out"), in: folder) }
        for run in runs { run.process.waitUntilExit() }
        for run in runs {
            let result = try run.result()
            #expect(result.exitCode == 0, "\(result.errorText)")
        }
        let receipts = try finalReceipts("out")
        #expect(receipts.count == 60 && receipts.values.allSatisfy { $0 == 1 }, "\(receipts)")
        #expect(try outputs("out").count == 60)
    }

    @Test func withoutAJournalEveryDeviceWritesTheSameFolder() throws {
        try writePhotos(4)
        for (device, output) in [("cpu", "simd"), ("cpu.baseline", "baseline"), ("0", "opencl")] {
            let chain = ["-f", "sepia", "-f", "tilt-shift:radius=3"]
            let result = try Tool.run(
                ["apply", "-d", device] + chain + ["--no-journal", "-o", output, "set"], in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("\(output)/.tintype")))
        }
        #expect(try outputs("simd").count == 4)
        #expect(try outputs("simd") == outputs("opencl") && outputs("simd") == outputs("baseline"))
        let again = try Tool.run(["apply", "-f", "sepia", "--no-journal", "-o", "simd", "set"], in: folder)
        #expect(again.exitCode == 2 && again.errorText.contains("--overwrite"), "\(again.errorText)")
    }

    @Test func failuresAreKeptAndRetriedAlone() throws {
        try writePhotos(3)
        let whole = try folder.read("set/1/1.jpg")
        try folder.write(Array(whole.prefix(whole.count / 2)), to: "set/1/1.jpg")
        #expect(try Tool.run(arguments("out"), in: folder).exitCode == 1)
        let journal = try Tool.run(["journal", "out"], in: folder)
        #expect(journal.exitCode == 1 && journal.outputText.contains("set/1/1.jpg"), "\(journal.outputText)")

        try folder.write(whole, to: "set/1/1.jpg")
        let retry = try Tool.run(arguments("out") + ["--retry-failed"], in: folder)
        #expect(retry.exitCode == 0 && retry.errorText.contains("1 photo,"), "\(retry.errorText)")
        #expect(try Tool.run(["journal", "out"], in: folder).exitCode == 0)
        #expect(try outputs("out").count == 3)
    }
}
