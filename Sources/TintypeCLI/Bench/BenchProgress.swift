import Foundation

/// The benchmark's progress: a line that is redrawn on a terminal, or a line every few seconds elsewhere.
final class BenchProgress {
    /// How often a line is printed if the output is no terminal.
    private static let plainInterval = Duration.seconds(5)

    private let terminal: Terminal
    private let style: ProgressStyle
    private var lastLine: ContinuousClock.Instant?
    /// The first share that was reported, and when. The time left is estimated from there.
    private var firstShare: (share: Double, time: ContinuousClock.Instant)?

    init(_ terminal: Terminal, _ style: ProgressStyle) {
        self.terminal = terminal
        self.style = style
    }

    /// - Parameter share: the share of the run that is done, 0...1; 0 while it is unknown.
    func show(_ activity: String, _ share: Double) {
        guard style != .none else { return }
        let redraws = style == .auto && terminal.isInteractive
        if !redraws {
            if let lastLine, lastLine.duration(to: .now) < Self.plainInterval { return }
            lastLine = .now
        }
        let left = secondsLeft(share).map { "ETA \(ProgressLine.clock($0))" }
        if redraws {
            terminal.show(
                Self.line(activity, share, left, width: terminal.columns - 1, terminal.glyphs))
        } else {
            terminal.print(Self.plainLine(activity, share, left))
        }
    }

    func clear() { terminal.show("") }

    static func line(
        _ activity: String, _ share: Double, _ timeLeft: String?, width: Int, _ glyphs: ProgressBar.Glyphs
    ) -> String {
        let bar = ProgressBar.text(share: share, width: ProgressBar.width(in: width), glyphs)
        let percentage = ProgressBar.percentage(share)
        var line = StatusLine(width: width, glyphs)
        line.add("\(percentage) \(bar)", rank: 0, orElse: percentage)
        line.add(timeLeft, rank: 1)
        line.add(activity.printable, rank: 2, canBeCut: true)
        return line.text
    }

    static func plainLine(_ activity: String, _ share: Double, _ timeLeft: String?) -> String {
        let percentage = share > 0 ? ProgressBar.percentage(share).trimmingCharacters(in: .whitespaces) : nil
        return [percentage, timeLeft, activity].compactMap(\.self).joined(separator: "  ")
    }

    private func secondsLeft(_ share: Double) -> Double? {
        guard share > 0 else { return nil }
        guard let first = firstShare else {
            firstShare = (share, .now)
            return nil
        }
        let done = share - first.share
        guard done > 0.02 else { return nil }
        return first.time.duration(to: .now).seconds / done * (1 - share)
    }
}
