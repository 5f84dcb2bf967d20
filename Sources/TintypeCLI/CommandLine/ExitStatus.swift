import ArgumentParser
import SystemPackage
import Tintype
import TintypeBenchmarking

/// The process's exit codes.
enum ExitStatus: Int32 {
    case done = 0
    /// Some photos failed; each was named.
    case photosFailed = 1
    case usage = 2
    /// The inputs hold no photo.
    case noInputs = 3
    /// A device is missing, or failed where no fallback was allowed, or outputs may be wrong.
    case device = 4
    /// The disk is full or cannot be written, or the memory is full.
    case resourceLimit = 6
    /// Only downloads failed, for reasons that may be temporary, or another run still filters some photos:
    /// sysexits.h's EX_TEMPFAIL.
    case tryAgain = 75

    /// The code for a run with these failures. If all have the same cause, in the machine or the network, the
    /// code names that cause.
    ///
    /// - Parameter endedEarly: whether photos have no result. The disk has ended the run then, if it has failed, and
    ///   the code says so, whatever else has failed.
    init(failures: Set<PhotoError.Kind>, endedEarly: Bool = false) {
        self =
            switch failures {
            case []: .done
            case [.device]: .device
            case [.resourceLimit]: .resourceLimit
            case [.transient]: .tryAgain
            default: endedEarly && failures.contains(.resourceLimit) ? .resourceLimit : .photosFailed
            }
    }

    /// The code for a command whose result could not be printed.
    init(outputError error: StandardStream.OutputError) {
        self = error.reason.isResourceLimit ? .resourceLimit : .photosFailed
    }

    /// The code for an error that kept a run from starting.
    init(startError error: any Error) {
        switch error {
        case ManifestError.cannotWrite(_, let error) where error.isDiskFull: self = .resourceLimit
        case JournalError.cannotOpen(_, .permissionDenied), JournalError.cannotOpen(_, .notPermitted),
            JournalError.cannotOpen(_, .notDirectory), JournalError.cannotOpen(_, .isDirectory):
            self = .usage
        case is OutputError, is DecryptionError, is ManifestError, JournalError.none, JournalError.isLink,
            JournalError.notARegularFile, JournalError.otherRecipe, JournalError.otherRecipeAtWork,
            JournalError.hasShards:
            self = .usage
        case is ProcessLimitError, is WatchError, BenchmarkError.noFolder: self = .resourceLimit
        case JournalError.cannotWrite(_, let error) where error.isDiskFull: self = .resourceLimit
        default: self = ExitStatus(failures: [PhotoError(error, path: "").kind])
        }
    }
}

extension ParsableCommand {
    /// Does a command's work. Prints an error that keeps it from its result, and ends the command with its exit code.
    ///
    /// - Parameter type: of the last JSON line; nil if none was asked for.
    func reporting<Result>(json type: String?, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as StandardStream.OutputError {
            throw error
        } catch {
            let exitCode = ExitStatus(startError: error).rawValue
            StandardStream.error.writeMessage("\(error)")
            if let type { LastLine.write("\(error)", exitCode: exitCode, type: type) }
            throw ExitCode(exitCode)
        }
    }
}
