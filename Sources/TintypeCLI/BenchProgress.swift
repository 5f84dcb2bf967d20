import Foundation

/// What the benchmark is at: one line that is redrawn, or a line now and then where there is no terminal.
final class BenchProgress {
    /// Where output is no terminal, a line this often.
    private static let plainInterval = Duration.seconds(5)

    private let terminal: Terminal
    private let style: ProgressStyle
    private var lastLine: ContinuousClock.Instant?
    /// When the first share was told, and which: the time left is counted from there.
    private var firstShare: (share: Double, time: ContinuousClock.Instant)?

    init(_ terminal: Terminal, _ style: ProgressStyle) {
        self.terminal = terminal
        self.style = style
    }

    /// - Parameter share: of the whole run that is done, 0...1; 0 while that is not known.
    func show(_ activity: String, _ share: Double) {
        guard style != .none else { return }
        let redraws = style == .auto && terminal.isInteractive
        if !redraws {
            if let lastLine, lastLine.duration(to: .now) < Self.plainInterval { return }
            lastLine = .now
        }
        let line = Self.line(activity, share: share, secondsLeft: secondsLeft(share))
        if redraws {
            terminal.show(String(line.prefix(max(0, terminal.columns - 1))))
        } else {
            terminal.print(line)
        }
    }

    func clear() { terminal.show("") }

    static func line(_ activity: String, share: Double, secondsLeft: Double?) -> String {
        var parts: [String] = []
        if share > 0 { parts.append(String(format: "%.0f%%", share * 100)) }
        if let secondsLeft { parts.append("ETA \(ProgressLine.clock(secondsLeft))") }
        return (parts + [activity]).joined(separator: "  ")
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
