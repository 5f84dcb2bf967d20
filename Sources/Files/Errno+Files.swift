import Glibc
import SystemPackage

extension Errno {
    /// The error of the C function that has just failed.
    package static var last: Errno { Errno(rawValue: Glibc.errno) }

    /// Runs calls of swift-system, which throw `Errno` and nothing else, but do not say so.
    package static func typed<Result: ~Copyable>(_ body: () throws -> Result) throws(Errno) -> Result {
        do {
            return try body()
        } catch let error as Errno {
            throw error
        } catch {
            preconditionFailure("\(error) is no system call's")
        }
    }

    /// The disk, or the user's share of it, is full.
    package var isDiskFull: Bool { self == .noSpace || self == .diskQuotaExceeded }

    /// The disk is read-only, damaged or gone.
    package var isDiskFailure: Bool {
        let codes = [Glibc.EROFS, Glibc.EIO, Glibc.ENXIO, Glibc.ENODEV, Glibc.ESTALE, Glibc.EUCLEAN]
        return codes.contains(rawValue)
    }

    /// The machine ran out of something that another run may have.
    package var isResourceLimit: Bool {
        isDiskFull || [Glibc.EMFILE, Glibc.ENFILE, Glibc.ENOMEM].contains(rawValue)
    }
}
