import Foundation
import SystemPackage
import Tintype

/// Standard output or standard error, written without a buffer and without dying of a closed pipe.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// A write to standard output failed.
    struct OutputError: Error, CustomStringConvertible {
        let reason: Errno

        /// The reader has closed the pipe, as `head` does: no message is needed.
        var isReaderGone: Bool { reason == .brokenPipe }

        var description: String { "Standard output cannot be written: \(reason)." }
    }

    /// Writes all of `text`.
    ///
    /// - Returns: nil, or why the system took no more.
    @discardableResult
    func write(_ text: String) -> Errno? {
        do throws(Errno) {
            _ = try Errno.typed { try FileDescriptor(rawValue: rawValue).writeAll(text.utf8) }
            return nil
        } catch {
            return error
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
