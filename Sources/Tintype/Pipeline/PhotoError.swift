import Codecs
import Compute
import Download

/// Why one photo could not be filtered. The messages do not name the photo: whoever reports them does.
public enum PhotoError: Error, Equatable, Sendable {
    case cannotRead(reason: String)
    case notARegularFile
    case nameIsNotUTF8
    /// The codec's own sentence: damaged, over a limit, of an unknown kind.
    case codec(String)
    /// The device's own sentence.
    case device(String)
    case download(DownloadError)
    case decryption(DecryptionError)
    /// An operation was to make an image out of another, and nothing yields that.
    case noImage
    /// An entry of a list that cannot be used, or the list itself.
    case list(ListError)
    /// The output's name is taken by what may not be lost.
    case outputRefused(path: String, JournalDecision.Obstacle)
    /// A file has appeared where the output was to go.
    case outputExists(path: String)
    case cannotWrite(path: String, reason: String)
    /// The disk that `path` was to go to is full: other photos would fail likewise.
    case diskFull(path: String, reason: String)
    /// The disk that `path` was to go to is read-only, damaged or gone, or the journal there cannot be written:
    /// other photos will hardly do better.
    case diskFailure(path: String, reason: String)
    /// The photo needs more of something, memory or open files, than it may have.
    case resourceLimit(String)
    case other(String)
}

extension PhotoError {
    /// Whose fault a failure is; the exit code follows from it.
    public enum Kind: String, Sendable {
        case photo
        case device
        case resourceLimit
        /// The network's: the same run may succeed later.
        case transient
    }

    public var kind: Kind {
        switch self {
        case .device: .device
        case .diskFull, .diskFailure, .resourceLimit: .resourceLimit
        case .download(let error) where error.isTransient: .transient
        default: .photo
        }
    }

    /// What an error that reached the pipeline's top means for the photo that goes to `path`.
    package init(_ error: any Error, path: String) {
        self =
            switch error {
            case let error as PhotoError: error
            case let error as DeviceError: .device(error.description)
            case let error as CodecError: Self.codec(error, path: path)
            case JournalError.diskFull(let path, let reason): .diskFull(path: path, reason: reason)
            case JournalError.cannotWrite(let path, let reason),
                JournalError.cannotLock(let path, let reason):
                .diskFailure(path: path, reason: reason)
            case let error as ListError: .list(error)
            case let error as DownloadError: Self.downloadFailure(error)
            case let error as DecryptionError: .decryption(error)
            case let error as SystemError where error.isResourceLimit: .resourceLimit("\(error).")
            case let error as SystemError: .cannotRead(reason: error.description)
            default: .other("\(error)")
            }
    }

    private static func codec(_ error: CodecError, path: String) -> PhotoError {
        switch error {
        case .writeFailed(let reason) where SystemError.diskFullTexts.contains(reason):
            .diskFull(path: path, reason: reason)
        case .writeFailed(let reason) where SystemError.diskFailureTexts.contains(reason):
            .diskFailure(path: path, reason: reason)
        case .outOfMemory, .needsTooMuchMemory: .resourceLimit("\(error)")
        default: .codec("\(error)")
        }
    }

    private static func downloadFailure(_ error: DownloadError) -> PhotoError {
        guard case .storage(let path, let reason) = error, SystemError.diskFullTexts.contains(reason) else {
            return .download(error)
        }
        return .diskFull(path: path, reason: reason)
    }

    /// A failure to write `path`.
    package static func writing(_ path: String, _ error: SystemError) -> PhotoError {
        if SystemError.diskFullTexts.contains(error.description) {
            return .diskFull(path: path, reason: error.description)
        }
        if SystemError.diskFailureTexts.contains(error.description) {
            return .diskFailure(path: path, reason: error.description)
        }
        if error.isResourceLimit {
            return .resourceLimit("The output '\(path)' cannot be written: \(error).")
        }
        return .cannotWrite(path: path, reason: error.description)
    }
}

extension PhotoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotRead(let reason): "The file cannot be read: \(reason)."
        case .notARegularFile: "This is not a regular file. Pipe it in, and name it '-' instead."
        case .nameIsNotUTF8: "The name is not UTF-8. Rename the file, then run again."
        case .codec(let message), .device(let message), .other(let message): message
        case .download(.storage(let path, let reason)):
            "The download could not be stored in '\(path)' (\(reason)); free space there, or set TMPDIR to another "
                + "folder."
        case .download(let error): error.explanation
        case .decryption(let error): error.description
        case .list(let error): error.description
        case .outputRefused(let path, let obstacle):
            "The output '\(path)' \(obstacle). Add --overwrite to replace it, or give another --output."
        case .noImage:
            "There is no image to work on. Give the operation one, or a dependency that yields one."
        case .outputExists(let path):
            "The output '\(path)' has appeared meanwhile and was left as it is. "
                + "Add --overwrite to replace it."
        case .cannotWrite(let path, let reason): "The output '\(path)' cannot be written: \(reason)."
        case .diskFull(let path, let reason):
            "The output '\(path)' cannot be written: \(reason). Make room, then run again."
        case .diskFailure(let path, let reason):
            "'\(path)' cannot be written: \(reason). Check the disk, then run again."
        case .resourceLimit(let message): message
        }
    }
}
