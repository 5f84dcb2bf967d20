import Foundation

/// How far a run has come, as one line.
struct ProgressLine {
    var doneCount: Int
    var totalCount: Int
    var failedCount: Int
    var megapixelsPerSecond: Double
    /// Nil as long as nothing is known.
    var secondsLeft: Double?
    var device: String

    /// The line in at most `width` columns; what matters least is left out first.
    func text(width: Int, _ palette: Palette = .none) -> String {
        let count = "\(doneCount)/\(totalCount) photos"
        let speed = String(format: "%.1f MP/s", megapixelsPerSecond)
        let left = secondsLeft.map { "ETA \(Self.clock($0))" }
        let failed = failedCount > 0 ? "\(failedCount) failed" : nil
        let choices: [[String?]] = [
            [count, speed, left, failed, device], [count, speed, left, failed], [count, left, failed],
            [count, failed], [count],
        ]
        let lines = choices.map { $0.compactMap(\.self).joined(separator: "  ") }
        let line = lines.first { $0.count <= width } ?? String(count.prefix(max(width, 0)))
        guard let failed else { return line }
        // Painted at last: what steers the terminal takes no columns.
        return line.replacingOccurrences(of: "  \(failed)", with: "  " + palette.paint(failed, .failure))
    }

    /// `0:07`, `12:30`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let total = Int(min(max(seconds, 0), 359_999).rounded())
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }
}
