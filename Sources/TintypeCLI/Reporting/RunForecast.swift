import Foundation
import Tintype

/// What `auto` expected of a run, and what came.
struct RunForecast {
    let expectedSeconds: Double
    private let seconds: Double
    /// The share of the measured speed that the next run will expect; nil if this run tells nothing of it.
    let correction: Double?

    /// - Parameters:
    ///   - outputCount: of each photo.
    ///   - evidence: what bound the run; nil if it was short.
    ///   - corrections: gets the correction; nil if the run is no usual one.
    init(
        _ forecast: Forecast, _ tally: RunTally, outputCount: Int, _ evidence: Bottleneck.Evidence?,
        seconds: Double, corrections: SpeedStore?
    ) {
        self.seconds = seconds
        // A photo's pixels count for each of its outputs.
        expectedSeconds = forecast.seconds(
            ofMegapixels: Double(tally.pixelCount) / 1e6 / Double(outputCount))
        guard let device = forecast.device, Self.isTelling(tally, evidence, device) else {
            correction = nil
            return
        }
        correction = corrections?.correct(device, by: expectedSeconds / max(seconds, 1e-9))
    }

    /// Whether the run was as fast as its device and the processors are, and not as its disks or its failures.
    private static func isTelling(
        _ tally: RunTally, _ evidence: Bottleneck.Evidence?, _ device: DeviceInfo
    ) -> Bool {
        switch evidence?.bottleneck {
        case .processors, .workers, .device: break
        case .reading, .writing, nil: return false
        }
        return tally.fallbackCount == 0 && tally.failureKinds.isEmpty
            && 2 * tally.photosByDevice[device.identifier, default: 0] >= tally.doneCount
    }

    var note: String {
        let times = String(format: "auto expected %.1f s; it took %.1f s.", expectedSeconds, seconds)
        guard let correction else { return times }
        return times + String(format: " The next run expects %.0f%% of the measured speed.", 100 * correction)
    }
}
