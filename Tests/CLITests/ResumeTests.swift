import Foundation
import TestSupport
import Testing
import TintypeCryptography

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

    /// A device that filters on the CPU, or that decodes and encodes as well.
    enum Device: String, CaseIterable { case cpu, coding }

    private func arguments(_ output: String, on device: Device = .cpu) -> [String] {
        let device = device == .cpu ? ["-d", "cpu"] : ["-d", "0", "--device-codec", "always"]
        return ["apply"] + device + ["-f", "sepia", "-f", "tilt-shift:radius=6", "-o", output, "set"]
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

    /// Half of the kills hit two runs at once. `make test-crashes` raises the number of kills.
    @Test(arguments: Device.allCases)
    func aRunThatIsKilledAgainAndAgainIsFinishedByOneCleanRun(device: Device) throws {
        // OpenCL takes a second to start.
        let usual = device == .cpu ? 40 : 8
        let kills = ProcessInfo.processInfo.environment["TINTYPE_KILLS"].flatMap { Int($0) } ?? usual
        let count = 4 * kills
        try writePhotos(count)
        func arguments(_ output: String) -> [String] { self.arguments(output, on: device) }
        func onePhoto(_ output: String) -> [String] {
            Array(arguments(output).dropLast() + ["set/0/0.jpg"])
        }
        // Compiles what the other runs then find compiled.
        if device == .coding { _ = try seconds(of: onePhoto("first")) }
        let whole = try seconds(of: arguments("whole"))
        let start = try seconds(
            of: device == .cpu ? arguments("out") + ["--dry-run"] : onePhoto("second"))
        // From just after the start to more than an equal share of the work.
        let work = max(0.1 * whole, whole - start), moments = 0.3 * start...start + 2 * work / Double(kills)
        var random = SeededGenerator(seed: 5)
        var struck = 0
        // Every third round has two runs, so that half of the kills hit those.
        for round in 0..<(3 * kills / 4) {
            let runs = try (0..<(round % 3 == 2 ? 2 : 1)).map { _ in
                try Tool.start(arguments("out"), in: folder)
            }
            for (index, running) in runs.enumerated() {
                let moment = Double.random(in: moments, using: &random)
                usleep(UInt32(1e6 * (index == 0 ? moment : moment - moments.lowerBound)))
                kill(running.process.processIdentifier, SIGKILL)
                running.process.waitUntilExit()
                if running.process.terminationReason == .uncaughtSignal { struck += 1 }
            }
        }
        let doneByThen = try finalReceipts("out").count
        print(
            "\(struck) of \(kills) runs were killed before their end; \(doneByThen) of \(count) photos were done then."
        )
        #expect(struck > 0)
        let last = try Tool.run(arguments("out"), in: folder)
        #expect(last.exitCode == 0, "\(last.errorText)")
        #expect(try outputs("out") == outputs("whole"))
        let receipts = try finalReceipts("out")
        #expect(receipts.count == count && receipts.values.allSatisfy { $0 == 1 }, "\(receipts)")
    }

    /// Older versions hashed with SHA-256.
    @Test func aPhotoFromStandardInputIsKnownByItsOlderHash() throws {
        let photo = try TestPhoto.jpeg(width: 90, height: 80, seed: 5)
        let arguments = ["apply", "-d", "cpu", "-f", "sepia", "-o", "out", "-"]
        #expect(try Tool.run(arguments, in: folder, input: photo).exitCode == 0)
        let journal = "out/.tintype/journal.jsonl"
        let older = String(decoding: try folder.read(journal), as: UTF8.self).replacing(
            /"inputBLAKE3":"\w+"/, with: "\"inputSHA256\":\"\(SHA256.hash(photo).hexadecimal)\"")
        #expect(older.contains("inputSHA256"))
        try folder.write(Array(older.utf8), to: journal)
        for flags in [["--dry-run"], []] {
            let again = try Tool.run(arguments + flags, in: folder, input: photo)
            #expect(again.errorText.contains("1 up to date"), "\(again.errorText)")
        }
        let other = try TestPhoto.jpeg(width: 90, height: 80, seed: 6)
        let changed = try Tool.run(arguments, in: folder, input: other)
        #expect(changed.exitCode == 0 && !changed.errorText.contains("up to date"), "\(changed.errorText)")
    }

    @Test func onlyChangedPhotosAreDoneAgain() throws {
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
        #expect(refused.exitCode == 2 && refused.errorText.contains("--overwrite"), "\(refused.errorText)")
        #expect(refused.errorText.split(separator: "\n").count == 1, "once, not once a photo")
        #expect(try outputs("out") == before)
        // The message's own suggestion, also for recipes that differ in settings only.
        for filter in ["noir", "sepia:intensity=0.5", "sepia:intensity=0.6"] {
            let template = "out/{dir}/{stem}-{recipe}.{ext}"
            #expect(refused.errorText.contains(template))
            let beside = ["apply", "-d", "cpu", "-f", filter, "-o", template, "set"]
            #expect(try Tool.run(beside, in: folder).exitCode == 0, "\(filter)")
        }
        #expect(try before.allSatisfy { try folder.read("out\($0.key)") == $0.value })
        #expect(try Tool.run(noir + ["--overwrite"], in: folder).exitCode == 0)
        #expect(try before.allSatisfy { try folder.read("out\($0.key)") != $0.value })
        let again = try Tool.run(noir + ["--overwrite"], in: folder)
        #expect(again.exitCode == 0 && again.errorText.contains("2 up to date"), "\(again.errorText)")
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

    @Test func retryingNeedsNoInputs() throws {
        try writePhotos(3)
        let whole = try folder.read("set/1/1.jpg")
        try folder.write(Array(whole.prefix(whole.count / 2)), to: "set/1/1.jpg")
        #expect(try Tool.run(arguments("out"), in: folder).exitCode == 1)
        try folder.write(whole, to: "set/1/1.jpg")
        // Without photos and filters, which the journal has.
        let retry = ["apply", "-d", "cpu", "-o", "out", "--retry-failed"]
        let preview = try Tool.run(retry + ["--dry-run"], in: folder)
        #expect(preview.exitCode == 0 && preview.outputLines.count == 1, "\(preview.outputText)")
        #expect(preview.outputText.contains("out/1/1.jpg (it failed before"), "\(preview.outputText)")
        let result = try Tool.run(retry, in: folder)
        #expect(result.exitCode == 0 && result.errorText.contains("1 photo,"), "\(result.errorText)")
        #expect(try outputs("out").count == 3)
        let nothing = try Tool.run(retry, in: folder)
        #expect(nothing.exitCode == 0 && nothing.errorText.contains("0 photos"), "\(nothing.errorText)")
        let never = try Tool.run(["apply", "-f", "sepia", "--retry-failed", "-o", "no"], in: folder)
        #expect(never.exitCode == 2 && never.errorText.contains("has no journal"), "\(never.errorText)")
    }

    @Test func twoRunsWithTwoRecipesDoNotMix() throws {
        try writePhotos(30)
        let noir = ["apply", "-d", "cpu", "-f", "noir", "-o", "out", "set"]
        let runs = try [arguments("out"), noir].map { try Tool.start($0, in: folder) }
        for run in runs { run.process.waitUntilExit() }
        let codes = try runs.map { try $0.result().exitCode }
        // The first run does all photos; the second one fails with a message.
        #expect(codes.sorted() == [0, 2], "\(codes)")
        let text = String(decoding: try folder.read("out/.tintype/journal.jsonl"), as: UTF8.self)
        let recipes = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["recipe"]
                as? String
        }
        #expect(try Set(recipes).count == 1 && outputs("out").count == 30)
    }

    @Test func aRunThatBrokeOffIsContinuedWithoutAJournal() throws {
        try writePhotos(4)
        let template = ["apply", "-d", "cpu", "-f", "sepia", "-o", "{stem}_{chain}.{ext}", "set"]
        #expect(try Tool.run(template, in: folder).exitCode == 0)
        unlink(folder.path("2_sepia.jpg"))
        let refused = try Tool.run(template, in: folder)
        #expect(
            refused.exitCode == 2 && refused.errorText.contains("--skip-existing"), "\(refused.errorText)")
        let resumed = try Tool.run(template + ["--skip-existing", "--json"], in: folder)
        #expect(resumed.exitCode == 0 && resumed.errorText.contains("1 photo,"), "\(resumed.errorText)")
        #expect(
            resumed.errorText.contains("3 skipped") && resumed.outputText.contains("\"status\":\"exists\""))
        #expect(folder.files().contains("2_sepia.jpg"))
    }
}
