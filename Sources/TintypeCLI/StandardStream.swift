import Foundation

/// Standard output or standard error, written without a buffer and without dying of a closed pipe.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes all of `text`.
    ///
    /// - Returns: false where the reader has gone or the disk is full.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(rawValue, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
            }
            return true
        }
    }

    var isTerminal: Bool { isatty(rawValue) == 1 }
}
