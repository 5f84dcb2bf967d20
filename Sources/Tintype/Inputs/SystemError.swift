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

    /// True where the machine ran out of something that another run may have.
    package var isResourceLimit: Bool { [ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM].contains(code) }

    /// What the system says of a disk or a quota that is full; encoders hand on the words alone.
    package static let diskFullTexts = [ENOSPC, EDQUOT].map {
        SystemError(call: "write", code: $0).description
    }
}
