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

    /// Opens /dev/null for each of the process's three streams that is closed. Otherwise the next file would get its
    /// number, and messages would be written into that file. Printing to such a stream still fails.
    static func replaceClosed() {
        var descriptor: Int32
        repeat {
            descriptor = open("/dev/null", O_RDONLY)
        } while (STDIN_FILENO...STDERR_FILENO).contains(descriptor)
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// Writes all of `text`.
    ///
    /// - Returns: nil, or why the system took no more.
    @discardableResult
    func write(_ text: String) -> Errno? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            do throws(Errno) {
                rest = rest.dropFirst(
                    try Errno.typed {
                        try rest.withUnsafeBytes { try FileDescriptor(rawValue: rawValue).write($0) }
                    })
            } catch .wouldBlock {
                // Another program with the same terminal or pipe may have made it non-blocking.
                var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                poll(&stream, 1, -1)
            } catch {
                return error
            }
        }
        return nil
    }

    /// Writes a message and the end of its line. On a terminal, no word of it is broken.
    func writeMessage(_ text: String) {
        let text = text.printable
        write((isTerminal ? columns.map(text.wrapped) ?? text : text) + "\n")
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
