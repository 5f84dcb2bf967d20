import Foundation
import Tintype
import TintypeLocking

/// A run's progress in Prometheus's text format, for the folder that a node exporter reads (`--metrics`).
final class MetricsFile: Sendable {
    private let path: String
    private let shard: Shard
    private let state = Locked((lastWrite: ContinuousClock.Instant?.none, hasFailed: false))

    /// As often as exporters are usually read.
    private static let interval = Duration.seconds(5)

    init(path: String, shard: Shard) {
        self.path = path
        self.shard = shard
    }

    /// Replaces the file, unless it was written a moment ago.
    ///
    /// - Parameter exitCode: of a run that has ended.
    /// - Returns: why the file cannot be written, once.
    func write(
        _ tally: RunTally, plannedCount: Int, seconds: Double, exitCode: Int32? = nil
    ) -> Errno? {
        let isDue = state.withLock { state in
            if exitCode == nil, let last = state.lastWrite, last.duration(to: .now) < Self.interval {
                return false
            }
            state.lastWrite = .now
            return true
        }
        guard isDue else { return nil }
        do throws(Errno) {
            let text = self.text(tally, plannedCount, seconds, exitCode)
            try OpenFile.replace(path) { file throws(Errno) in try file.write(Array(text.utf8)) }
            return nil
        } catch {
            return state.withLock { state in
                defer { state.hasFailed = true }
                return state.hasFailed ? nil : error
            }
        }
    }

    private func text(_ tally: RunTally, _ plannedCount: Int, _ seconds: Double, _ exitCode: Int32?) -> String
    {
        let label = "shard=\"\(shard)\""
        var text = Self.head("tintype_outputs_total", "counter", "Outputs that have a result.")
        for (status, count) in [
            ("done", tally.doneCount), ("failed", tally.failedCount), ("up_to_date", tally.upToDateCount),
        ] { text += "tintype_outputs_total{\(label),status=\"\(status)\"} \(count)\n" }
        for (name, type, help, value) in [
            ("tintype_outputs_planned", "gauge", "Outputs of the run.", "\(plannedCount)"),
            ("tintype_pixels_total", "counter", "Pixels of the photos that are done.", "\(tally.pixelCount)"),
            (
                "tintype_fallbacks_total", "counter", "Outputs that another device had to make.",
                "\(tally.fallbackCount)"
            ),
            ("tintype_run_seconds", "gauge", "Time since the run began.", String(format: "%.3f", seconds)),
            ("tintype_running", "gauge", "Whether the run is at work.", exitCode == nil ? "1" : "0"),
        ] { text += Self.head(name, type, help) + "\(name){\(label)} \(value)\n" }
        guard let exitCode else { return text }
        return text + Self.head("tintype_exit_code", "gauge", "The run's exit code.")
            + "tintype_exit_code{\(label)} \(exitCode)\n"
    }

    private static func head(_ name: String, _ type: String, _ help: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}
