import TintypeImaging

/// What binds a run: what must become faster, so that the run becomes faster.
package enum Bottleneck: String, Codable, Sendable {
    /// They are busy nearly always.
    case processors
    /// The workers compute, but leave processors idle: there are too few workers.
    case workers
    /// The workers wait for the device most of the time.
    case device
    /// The workers read most of the time.
    case reading
    /// The workers write most of the time, with the journal, or wait until the disk has what they wrote.
    case writing

    /// What was measured, and the bottleneck that follows.
    package struct Evidence: Sendable {
        /// Nil if nothing binds clearly.
        package let bottleneck: Bottleneck?
        /// The share of the processors' time that the run took, 0...1.
        package let processorShare: Double
        /// The part of the workers' time that is largest, and its share, 0...1.
        package let largest: (part: Bottleneck, share: Double)

        /// - Parameters:
        ///   - times: those of all photos.
        ///   - processorSeconds: what the run took of the processors' time.
        ///   - seconds: the run's duration.
        ///   - workerCount: photos that were filtered at once.
        package init(
            _ times: PhotoTimes, processorSeconds: Double, seconds: Double, workerCount: Int,
            processorCount: Int
        ) {
            processorShare = min(1, processorSeconds / max(seconds * Double(processorCount), 1e-9))
            let parts = Bottleneck.parts.map { part, phases in
                (part: part, seconds: phases.reduce(0) { $0 + times[$1] / .seconds(1) })
            }
            let busy = parts.reduce(0) { $0 + $1.seconds }
            let first = parts.max { $0.seconds < $1.seconds } ?? parts[0]
            largest = (first.part, busy > 0 ? first.seconds / busy : 0)
            let occupied = times.total / .seconds(1) / max(seconds * Double(workerCount), 1e-9)
            if processorShare >= Bottleneck.busyShare {
                bottleneck = .processors
            } else if occupied < Bottleneck.occupiedShare {
                // Workers had no photos, as with slow downloads.
                bottleneck = nil
            } else if largest.share < Bottleneck.clearShare {
                bottleneck = nil
            } else {
                // Workers as many as processors would keep these busy, if nothing else had them.
                let isCertain = largest.part != .workers || workerCount < processorCount
                bottleneck = isCertain ? largest.part : nil
            }
        }
    }

    /// The parts of workers' time.
    private static let parts: [(Bottleneck, [PhotoPhase])] = [
        (.workers, [.plan, .host, .queue, .hash]), (.device, [.device]), (.reading, [.read]),
        (.writing, [.write, .sync, .journal]),
    ]
    /// Shares that leave no doubt. Chosen by eye.
    private static let busyShare = 0.85, clearShare = 0.5, occupiedShare = 0.7
}
