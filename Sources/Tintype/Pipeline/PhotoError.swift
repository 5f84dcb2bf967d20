import Codecs
import Compute
import Download
import Imaging

/// Why one photo could not be filtered. The messages do not name the photo: whoever reports them does.
public enum PhotoError: Error, Equatable, Sendable {
    case cannotRead(reason: String)
    case notARegularFile
    /// The file was written, replaced or removed while it was read.
    case inputChanged
    case nameIsNotUTF8
    /// The codec's own sentence: damaged, over a limit, of an unknown kind.
    case codec(String)
    /// The photo is damaged, by the codec's own sentence. What can be decoded of it is at `salvagedPath`, from this run
    /// or, where it is not new, perhaps from an earlier one.
    case damaged(String, salvagedPath: String, isNew: Bool)
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
    /// Another photo of the run would have the same output. `remedy` is what keeps them apart.
    case outputClash(path: String, with: String, remedy: String)
    /// The output is itself a photo of the run.
    case outputIsInput(path: String)
    case outputIsFolder(path: String)
    /// The photo's name would lead out of the output folder, or be no file's.
    case outputOutside(path: String)
    /// A file has appeared where the output was to go.
    case outputExists(path: String)
    case cannotWrite(path: String, reason: String)
    /// The disk that `path` was to go to is full: other photos would fail likewise.
    case diskFull(path: String, reason: String)
    /// The disk that `path` was to go to is read-only, damaged or gone, or the journal there cannot be written:
    /// other photos will hardly do better.
    case diskFailure(path: String, reason: String)
    /// The machine has no more of something, memory or open files: another run may.
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

    /// Whether an output's name was refused, often for all photos of a run alike.
    package var isRefusal: Bool {
        switch self {
        case .outputRefused, .outputClash, .outputIsInput, .outputIsFolder: true
        default: false
        }
    }

    /// What an error that reached the pipeline's top means for the photo that goes to `path`.
    package init(_ error: any Error, path: String) {
        self =
            switch error {
            case let error as PhotoError: error
            case let error as DeviceError: .device(error.description)
            case let error as CodecError: Self.codec(error, path: path)
            case let error as OutOfMemory: .resourceLimit("\(error)")
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
        // A photo that is beyond its own limit is that photo's fault, not the machine's.
        case .outOfMemory: .resourceLimit("\(error)")
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
        case .inputChanged: "The file was changed while it was read. Run again."
        case .nameIsNotUTF8: "The name is not UTF-8. Rename the file, then run again."
        case .codec(let message), .device(let message), .other(let message): message
        case .damaged(let message, let path, true):
            "\(message) What could be decoded of it is in '\(path)'."
        case .damaged(let message, let path, false):
            "\(message) '\(path)' exists already, and was left as it is."
        case .download(.storage(let path, let reason)):
            "The download could not be stored in '\(path)' (\(reason)); free space there, or set TMPDIR to another "
                + "folder."
        case .download(let error): error.explanation
        case .decryption(let error): error.description
        case .list(let error): error.description
        case .outputClash(let path, let other, let remedy):
            "The output '\(path.printableName)' would be that of \(other.printableName) too. Rename one of them, or keep all apart "
                + "with \(remedy.printableName)."
        case .outputIsInput(let path):
            "The output '\(path.printableName)' is itself one of the photos to be filtered. Originals are never replaced: "
                + "give another folder with --output."
        case .outputIsFolder(let path):
            "The output '\(path.printableName)' is a folder. Give another name with --output."
        case .outputOutside(let path):
            "The output '\(path.printableName)' would lie outside of the output folder. Rename the photo."
        case .outputRefused(let path, let obstacle):
            "The output '\(path.printableName)' \(obstacle). Add --overwrite to replace it, or give another --output."
        case .noImage:
            "There is no image to work on. Give the operation one, or a dependency that yields one."
        case .outputExists(let path):
            "The output '\(path.printableName)' has appeared meanwhile and was left as it is. "
                + "Add --overwrite to replace it."
        case .cannotWrite(let path, let reason):
            "The output '\(path.printableName)' cannot be written: \(reason)."
        case .diskFull(let path, let reason):
            "The output '\(path.printableName)' cannot be written: \(reason). Make room, then run again."
        case .diskFailure(let path, let reason):
            "'\(path.printableName)' cannot be written: \(reason). Check the disk, then run again."
        case .resourceLimit(let message): message
        }
    }
}
