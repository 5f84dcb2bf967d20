import Tintype

/// Measures whole batches, from files to files, with several numbers of photos at once, with a journal and without.
///
/// A round measures every case once. Each round begins with another case, so that a machine that slows down does not always slow
/// down the same one.
package final class PipelineBenchmark {
    /// A row of the table.
    private struct Case {
        let device: Int
        let run: PipelineRun
        /// Further photos of the longer batch; 0 before the first round.
        var photoCount = 0
        var uses: [PipelineRun.Use] = []

        /// Photos of the shorter batch, in which all workers have begun.
        var fewCount: Int { max(4, 2 * run.jobs) }
    }

    private let settings: PipelineSettings
    private let folder: PipelineFolder
    private let hooks: Benchmark.Hooks
    private var cases: [Case] = []
    private var devices: [BenchmarkReport.DeviceEntry]
    private var roundCount = 0
    private var isComplete = false
    private let start = ContinuousClock.now
    private let processorTime = ProcessorTime()

    /// Seconds of a batch, of which short ones depend on chance.
    private static let usualBatch = 0.2...2.0

    /// - Throws: `ProcessLimitError` if there is too little memory for photos; `BenchmarkError.noFolder` if the folder has too little
    ///   room for them.
    package init(
        _ settings: PipelineSettings, in folder: PipelineFolder, hooks: Benchmark.Hooks = Benchmark.Hooks()
    ) throws {
        self.settings = settings
        self.folder = folder
        self.hooks = hooks
        devices = settings.devices.map { BenchmarkReport.DeviceEntry($0.info) }
        var limits = DecodeLimits()
        limits.jpegCodec = settings.jpegCodec
        let memory = MemoryBudget(byteCount: try AvailableMachine.current.photoByteCount(withDrivers: true))
        var pipeline = PhotoPipeline(Recipe(settings.chain.chain), limits: limits, memory: memory)
        pipeline.outputFolder = folder.output
        for (index, device) in settings.devices.enumerated() {
            for jobs in settings.jobs(on: device) {
                for keepsJournal in [false, true] {
                    let run = PipelineRun(
                        device: device, jobs: jobs, keepsJournal: keepsJournal, pipeline: pipeline,
                        folder: folder)
                    cases.append(Case(device: index, run: run))
                }
            }
        }
        // Photos and outputs.
        cases.removeAll { 2 * $0.fewCount * photoByteCount > folder.byteLimit }
        guard !cases.isEmpty else { throw BenchmarkError.noFolder(path: folder.parent, .noSpace) }
    }

    private var photoByteCount: Int {
        settings.photos.reduce(0) { $0 + $1.jpeg.count } / settings.photos.count
    }

    /// Measures until all rounds are done, time is up, or `isCancelled` returns true.
    ///
    /// - Throws: `BenchmarkError`. Errors of devices are in the report.
    package func run() throws {
        do {
            try warmUp()
            try measureRounds()
        } catch is CancellationError {}
    }

    /// Makes what a device makes once for each photo at once: lanes, memory, and programs.
    private func warmUp() throws {
        for index in devices.indices {
            guard let most = cases.last(where: { $0.device == index }) else { continue }
            try attempt(index) {
                hooks.progress("starting \(label(index))", 0)
                _ = try measure(most, count: most.fewCount)
                devices[index].status = .ok
            }
        }
    }

    private func measureRounds() throws {
        for round in 0..<settings.rounds {
            roundCount = round + 1
            let first = cases.count * round / settings.rounds
            for (step, index) in (Array(cases.indices[first...]) + cases.indices[..<first]).enumerated() {
                if round > 0, seconds > settings.secondsLimit { return }
                let done = Double(round) + Double(step) / Double(cases.count)
                try attempt(cases[index].device) { try measure(index, done: done) }
            }
            isComplete = true
        }
    }

    private func measure(_ index: Int, done: Double) throws {
        let run = cases[index].run
        hooks.progress(
            "\(run.jobs) at once on \(label(cases[index].device))\(run.keepsJournal ? ", with a journal" : "")",
            Pace.share(
                seconds: seconds, roundsDone: done, rounds: Double(settings.rounds),
                secondsLimit: settings.secondsLimit))
        let few = try measure(cases[index], count: cases[index].fewCount)
        if cases[index].photoCount == 0 { cases[index].photoCount = photoCount(cases[index], after: few) }
        let all = try measure(cases[index], count: few.photoCount + cases[index].photoCount)
        cases[index].uses.append(all.beyond(few))
    }

    private func measure(_ measured: Case, count: Int) throws -> PipelineRun.Use {
        if hooks.isCancelled() { throw CancellationError() }
        return try measured.run.run(
            try folder.jobs(count, of: settings.photos), isCancelled: hooks.isCancelled)
    }

    /// As many as take the time that a batch has, if the folder may have so many.
    private func photoCount(_ measured: Case, after few: PipelineRun.Use) -> Int {
        let share = settings.secondsLimit / Double(settings.rounds * cases.count) / 1.5
        let time = min(max(share, Self.usualBatch.lowerBound), Self.usualBatch.upperBound)
        let count = Int(time * Double(few.photoCount) / max(few.seconds, 1e-6))
        let most = folder.byteLimit / (2 * photoByteCount) - few.photoCount
        return max(measured.fewCount, min(count, most))
    }

    /// Calls `body`. If it throws, the device is not measured any more; the others are.
    private func attempt(_ device: Int, _ body: () throws -> Void) throws {
        guard !devices[device].isOut else { return }
        do {
            try body()
        } catch let error where !(error is CancellationError || error is BenchmarkError) {
            devices[device].status = .failed
            devices[device].error = "\(error)"
        }
    }

    private func label(_ device: Int) -> String { DeviceLabels(devices)[devices[device].device] }

    private var seconds: Double { start.duration(to: .now) / .seconds(1) }

    package func report(version: String, commit: String, date: String, machine: Machine) -> PipelineReport {
        var report = PipelineReport(
            version: version, commit: commit, date: date, machine: machine, chain: settings.chain.name,
            folder: folder.parent, isInMemory: folder.isInMemory, rounds: roundCount, seconds: seconds,
            isComplete: isComplete, devices: devices,
            photos: settings.photos.map(BenchmarkReport.PhotoEntry.init))
        let megapixels = settings.photos.reduce(0) { $0 + $1.megapixels } / Double(settings.photos.count)
        report.rows = cases.compactMap { measured in
            PipelineReport.Row(
                device: devices[measured.device].device, jobs: measured.run.jobs,
                journal: measured.run.keepsJournal, measured.uses, megapixels: megapixels)
        }
        report.conditions = Conditions(
            timerSeconds: ClockStep.smallest, shareOfOthers: processorTime?.shareOfOthers)
        // The fastest row may be missing.
        if isComplete { report.findings = report.findingSentences }
        return report
    }
}
