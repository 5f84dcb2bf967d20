import Foundation
import Locking

/// Standard error: messages, and below them one status line where it is a terminal.
final class Terminal: Sendable {
    private let status = Locked("")
    /// Whether a line can be redrawn.
    let isInteractive: Bool
    let palette = Palette(for: .error)

    init() {
        isInteractive =
            StandardStream.error.isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Columns of the terminal; 80 where it does not say.
    var columns: Int {
        var size = winsize()
        guard ioctl(StandardStream.error.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// Prints a message above the status line.
    func print(_ message: String, _ colour: Palette.Colour? = nil) {
        let text = palette.paint(message.printable, colour)
        status.withLock { status in
            // One write: the line never flickers.
            _ = StandardStream.error.write(Self.erasing(status) + text + "\n" + status)
        }
    }

    /// Redraws the status line; an empty one erases it.
    func show(_ line: String) {
        guard isInteractive else { return }
        status.withLock { status in
            guard line != status else { return }
            StandardStream.error.write(Self.erasing(status) + line)
            status = line
        }
    }

    private static func erasing(_ status: String) -> String { status.isEmpty ? "" : "\r\u{1B}[K" }
}

extension String {
    /// The text with control characters spelled out: a file's name must not steer the terminal.
    var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { scalar in
            scalar.isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
