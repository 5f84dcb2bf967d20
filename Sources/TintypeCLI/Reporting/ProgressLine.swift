import Foundation

/// A run's progress as one line.
struct ProgressLine {
    /// Of the work, 0...1.
    var share: Double
    var doneCount: Int
    var totalCount: Int
    var failedCount: Int
    var megapixelsPerSecond: Double
    var secondsElapsed: Double
    /// Nil while it is not known.
    var secondsLeft: Double?
    var device: String
    var noun = RunTally.Noun.photo

    /// ` 42% ▕███▌     ▏ 123/10000  45.2 MP/s  1:03  ETA 1:23  2 failed  NVIDIA H200`, in at most `width`
    /// columns; the least important parts are left out first.
    func text(width: Int, _ glyphs: ProgressBar.Glyphs, _ palette: Palette = .none) -> String {
        let bar = ProgressBar.text(share: share, width: ProgressBar.width(in: width), glyphs)
        let percentage = ProgressBar.percentage(share)
        var line = StatusLine(width: width, glyphs)
        line.add("\(percentage) \(bar)", rank: 0, orElse: percentage)
        line.add("\(doneCount)/\(totalCount)", rank: 3)
        line.add(speed, rank: 4)
        line.add(Self.clock(secondsElapsed), rank: 5)
        line.add(timeLeft, rank: 2)
        line.add(failures, rank: 1)
        line.add(device, rank: 6, canBeCut: true)
        let text = line.text
        guard let failures else { return text }
        // Painted last: colour codes take no columns.
        return text.replacingOccurrences(of: "  \(failures)", with: "  " + palette.paint(failures, .failure))
    }

    /// The whole line, without a bar.
    var plainText: String {
        [
            ProgressBar.percentage(share).trimmingCharacters(in: .whitespaces),
            "\(doneCount)/\(totalCount) \(noun.rawValue)s", speed.trimmingCharacters(in: .whitespaces),
            "\(Self.clock(secondsElapsed)) elapsed", timeLeft, failures, device,
        ].compactMap(\.self).joined(separator: "  ")
    }

    /// Of constant width, so that the text after it does not move.
    private var speed: String { String(format: "%5.1f MP/s", megapixelsPerSecond) }
    private var timeLeft: String? { secondsLeft.map { "ETA \(Self.clock($0))" } }
    private var failures: String? { failedCount > 0 ? "\(failedCount) failed" : nil }

    /// `0:07`, `12:30`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let total = Int(min(max(seconds, 0), 359_999).rounded())
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }
}
