import Foundation
import Tintype

/// Standard output or standard error, written without a buffer and without dying of a closed pipe.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Standard output took less than everything.
    struct OutputError: Error, CustomStringConvertible {
        let reason: SystemError

        /// The reader has gone, as `head` does: it knows, and nobody needs to be told.
        var isReaderGone: Bool { reason.code == EPIPE }

        var description: String { "Standard output cannot be written: \(reason)." }
    }

    /// Writes all of `text`.
    ///
    /// - Returns: nil, or why the system took no more.
    @discardableResult
    func write(_ text: String) -> SystemError? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(rawValue, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { return SystemError(call: "write") }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
            }
            return nil
        }
    }

    /// Writes what a command was asked for, to standard output.
    ///
    /// - Throws: `OutputError`, which the command passes on.
    static func writeResult(_ text: String) throws(OutputError) {
        if let reason = output.write(text) { throw OutputError(reason: reason) }
    }

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Columns of the terminal behind the stream; nil where there is none, or it does not say.
    var columns: Int? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// How wide tables may be: 80 columns where no terminal says otherwise.
    static var resultColumns: Int { output.columns ?? 80 }
}
