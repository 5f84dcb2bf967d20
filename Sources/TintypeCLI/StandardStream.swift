import Foundation
import Tintype

/// Standard output or standard error, written without a buffer and without dying of a closed pipe.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// A write to standard output failed.
    struct OutputError: Error, CustomStringConvertible {
        let reason: SystemError

        /// The reader has closed the pipe, as `head` does: no message is needed.
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

    /// Writes a command's result to standard output.
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

    /// The width of tables: the terminal's, or 80 columns.
    static var resultColumns: Int { output.columns ?? 80 }
}
