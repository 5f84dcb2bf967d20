import Glibc
import SystemPackage

extension Errno {
    /// The error of the C function that has just failed.
    package static var last: Errno { Errno(rawValue: Glibc.errno) }

    /// Adds the type to the errors of swift-system, whose untyped `throws` only ever throws `Errno`.
    package static func typed<Result: ~Copyable>(_ body: () throws -> Result) throws(Errno) -> Result {
        do {
            return try body()
        } catch let error as Errno {
            throw error
        } catch {
            preconditionFailure("\(error) is no system call's")
        }
    }

    /// The disk is full, or the user's quota is reached.
    package var isDiskFull: Bool { self == .noSpace || self == .diskQuotaExceeded }

    /// The disk is read-only, damaged or gone.
    package var isDiskFailure: Bool {
        let codes = [Glibc.EROFS, Glibc.EIO, Glibc.ENXIO, Glibc.ENODEV, Glibc.ESTALE, Glibc.EUCLEAN]
        return codes.contains(rawValue)
    }

    /// The machine ran out of a resource; a later run may succeed.
    package var isResourceLimit: Bool {
        isDiskFull || [Glibc.EMFILE, Glibc.ENFILE, Glibc.ENOMEM, Glibc.EFBIG].contains(rawValue)
    }
}
