import Foundation

/// Why the operating system refused something.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `errno`'s value.
    package let code: Int32
    package let call: String

    /// The error of the call that has just failed.
    package init(call: String, code: Int32 = errno) {
        self.code = code
        self.call = call
    }

    /// The system's own words: `Permission denied`.
    package var description: String { String(cString: strerror(code)) }

    /// True where the machine ran out of something, so that other photos will fail likewise.
    package var isResourceLimit: Bool { [ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM].contains(code) }
}
