import Foundation
import Tintype

extension RunTally {
    /// What binds a shorter run is its start, and its last photos.
    private static let leastSeconds = 10.0

    /// What bound the run; nil if it is short.
    ///
    /// - Parameters:
    ///   - workerCount: photos that were filtered at once.
    ///   - processorSeconds: what the run took of the processors' time.
    func evidence(
        seconds: Double, workerCount: Int, processorSeconds: Double,
        processorCount: Int = AvailableMachine.current.processorCount
    ) -> Bottleneck.Evidence? {
        guard seconds >= Self.leastSeconds, doneCount > 0 else { return nil }
        return Bottleneck.Evidence(
            times, processorSeconds: processorSeconds, seconds: seconds,
            workerCount: workerCount, processorCount: processorCount)
    }

    /// `bound by reading (120 MB/s)`; nil if nothing is clear.
    func clause(_ evidence: Bottleneck.Evidence, seconds: Double) -> String? {
        func speed(_ byteCount: Int) -> String {
            String(format: "%.0f MB/s", Double(byteCount) / 1e6 / seconds)
        }
        func percent(_ share: Double) -> String { String(format: "%.0f%%", share * 100) }
        let share = percent(evidence.largest.share), busy = percent(evidence.processorShare)
        switch evidence.bottleneck {
        case .processors: return "bound by the processors (\(busy) busy)"
        case .workers: return "bound by the number of workers (-j; the processors were \(busy) busy)"
        case .device: return "waiting mostly for the device (\(share) of the workers' time)"
        case .reading: return "bound by reading (\(speed(readByteCount)))"
        case .writing: return "bound by writing (\(speed(outputByteCount)))"
        case nil: return nil
        }
    }
}
