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
    package static let diskFullTexts = texts(of: [ENOSPC, EDQUOT])

    /// What the system says of a disk that is read-only, damaged or gone.
    package static let diskFailureTexts = texts(of: [EROFS, EIO, ENXIO, ENODEV, ESTALE, EUCLEAN])

    private static func texts(of codes: [Int32]) -> [String] {
        codes.map { SystemError(call: "write", code: $0).description }
    }
}
