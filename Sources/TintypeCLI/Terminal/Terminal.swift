import Foundation
import Tintype
import TintypeLocking

/// Standard error: messages and, on a terminal, one status line below them.
///
/// The cursor rests at the status line's beginning. When a window becomes narrower, many terminals wrap the
/// line, and the cursor stays with its first character: erasing from there on leaves no fragment.
final class Terminal: Sendable {
    private let status = Locked("")
    /// Whether a line can be redrawn.
    let isInteractive: Bool
    let palette = Palette(for: .error)
    let glyphs = ProgressBar.Glyphs(environment: ProcessInfo.processInfo.environment)
    private let resultsGoToTerminal = StandardStream.output.isTerminal

    init() {
        isInteractive =
            StandardStream.error.isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Columns of the terminal; 80 where it does not say.
    var columns: Int { StandardStream.error.columns ?? 80 }

    /// Prints a message above the status line.
    func print(_ message: String, _ colour: Palette.Colour? = nil) {
        let message = message.printable
        let text = palette.paint(isInteractive ? message.wrapped(to: columns) : message, colour)
        status.withLock { status in
            // One write: the line never flickers.
            _ = StandardStream.error.write(erasing(status) + text + "\n" + Self.drawing(status))
        }
    }

    /// Writes to standard output; above the status line where both are on the terminal.
    ///
    /// - Returns: nil, or why the system took no more.
    func writeResult(_ text: String) -> Errno? {
        guard isInteractive, resultsGoToTerminal else { return StandardStream.output.write(text) }
        return status.withLock { status in
            StandardStream.error.write(erasing(status))
            defer { StandardStream.error.write(Self.drawing(status)) }
            return StandardStream.output.write(text)
        }
    }

    /// Redraws the status line; an empty one erases it.
    ///
    /// - Parameter line: at most `columns` - 1 wide.
    func show(_ line: String) {
        guard isInteractive else { return }
        status.withLock { status in
            guard line != status, line.isEmpty || isInForeground else { return }
            StandardStream.error.write(erasing(status) + Self.drawing(line))
            status = line
        }
    }

    /// False where the shell has the terminal, as after `bg`: its prompt must not be drawn over.
    private var isInForeground: Bool {
        let group = tcgetpgrp(StandardStream.error.rawValue)
        return group < 0 || group == getpgrp()
    }

    private func erasing(_ status: String) -> String {
        status.isEmpty ? "" : Self.erasing(columnCount: status.columnCount, in: columns)
    }

    /// Erases a status line, also where it was wrapped; the cursor stays at its beginning.
    ///
    /// Not by "erase below": on a screen's first row, tmux takes that for clearing it, and keeps a copy.
    static func erasing(columnCount: Int, in columns: Int) -> String {
        let furtherRows = max(0, columnCount - 1) / max(1, columns)
        guard furtherRows > 0 else { return "\r\u{1B}[K" }
        return "\r\u{1B}7\u{1B}[K" + String(repeating: "\u{1B}[B\u{1B}[K", count: furtherRows) + "\u{1B}8"
    }

    /// Without wrapping (DECAWM): the window may have become narrower than the line since it was laid out.
    private static func drawing(_ status: String) -> String {
        status.isEmpty ? "" : "\u{1B}[?7l\(status)\u{1B}[?7h\r"
    }
}
