import Tintype

/// What one run of the pipeline's benchmark measured: what `tintype bench --pipeline --json` prints.
package struct PipelineReport: Codable, Equatable, Sendable {
    /// Changes when a field is removed or changes its meaning.
    package var schema = 1
    package var version: String
    /// The commit that the tool was built from, or `unknown`.
    package var commit: String
    /// ISO 8601, in UTC.
    package var date: String
    package var machine: Machine
    package var chain: String
    /// Where photos and outputs were.
    package var folder: String
    /// Whether that is memory, so that no disk was measured.
    package var isInMemory: Bool
    /// The number of rounds that were started.
    package var rounds: Int
    /// The duration of the whole run.
    package var seconds: Double
    /// False if the run was interrupted in its first round.
    package var isComplete: Bool
    package var devices: [BenchmarkReport.DeviceEntry]
    package var photos: [BenchmarkReport.PhotoEntry]
    package var conditions: Conditions?
    package var rows: [Row] = []
    /// What binds each device, in sentences.
    package var findings: [String] = []

    /// Batches on a device, of some photos at once.
    package struct Row: Codable, Equatable, Sendable {
        package var device: String
        package var jobs: Int
        /// Whether a journal was kept.
        package var journal: Bool
        package var photosPerSecond: Spread
        package var megapixelsPerSecond: Spread
        /// Of a photo, all threads together.
        package var processorSeconds: Spread
        /// The share of the processors' time that the batches took, 0...1.
        package var processorShare: Double
        /// Of a photo: seconds of the worker that has it, by `PhotoPhase`.
        package var phaseSeconds: [String: Double]
        /// Nil if nothing binds clearly.
        package var bottleneck: Bottleneck?
        /// The part of the workers' time that is largest, and its share, 0...1.
        package var largestPart: Bottleneck
        package var largestShare: Double
    }

    /// Whether every device was measured.
    package var areDevicesSound: Bool { devices.allSatisfy { !$0.isOut } }
}

extension PipelineReport.Row {
    /// - Parameters:
    ///   - uses: of the rounds; nil is returned for none.
    ///   - megapixels: of a photo.
    init?(
        device: String, jobs: Int, journal: Bool, _ uses: [PipelineRun.Use], megapixels: Double
    ) {
        let speeds = uses.map { Double($0.photoCount) / $0.seconds }
        guard let photosPerSecond = Spread(speeds),
            let megapixelsPerSecond = Spread(speeds.map { $0 * megapixels }),
            let processorSeconds = Spread(uses.map { $0.processorSeconds / Double($0.photoCount) })
        else { return nil }
        let sum = uses.dropFirst().reduce(uses[0]) { $0.adding($1) }
        let evidence = Bottleneck.Evidence(
            sum.times, processorSeconds: sum.processorSeconds, seconds: sum.seconds, workerCount: jobs,
            processorCount: AvailableMachine.current.processorCount)
        self.init(
            device: device, jobs: jobs, journal: journal, photosPerSecond: photosPerSecond,
            megapixelsPerSecond: megapixelsPerSecond, processorSeconds: processorSeconds,
            processorShare: evidence.processorShare,
            phaseSeconds: sum.times.seconds.mapValues { $0 / Double(sum.timedPhotoCount) },
            bottleneck: evidence.bottleneck,
            largestPart: evidence.largest.part, largestShare: evidence.largest.share)
    }
}

extension PipelineRun.Use {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum.photoCount += other.photoCount
        sum.seconds += other.seconds
        sum.processorSeconds += other.processorSeconds
        sum.times += other.times
        sum.timedPhotoCount += other.timedPhotoCount
        return sum
    }
}
