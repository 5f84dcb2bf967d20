import Foundation
import SystemPackage
import TintypeCodecs
import TintypeCompute
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeLists

/// Why one photo could not be filtered. The messages do not name the photo; the caller adds its name.
public enum PhotoError: Error, Equatable, Sendable {
    /// The input cannot be opened or read.
    case cannotRead(Errno)
    /// The input is a folder, a named pipe or a device.
    case notARegularFile
    /// The photo came through a pipe in an earlier run, and cannot be read again.
    case pipeHasEnded
    /// The address had a password or token, which the journal does not keep.
    case addressLacksSecrets
    /// The file was written, replaced or removed while it was read.
    case inputChanged
    /// The name of a file or folder inside an input folder is not UTF-8.
    case nameIsNotUTF8
    /// The photo cannot be decoded or encoded.
    case codec(CodecError)
    /// The photo is damaged. The part that could be decoded is at `salvagedPath`. If `isNew` is false, that
    /// file existed before, perhaps from an earlier run.
    case damaged(CodecError, salvagedPath: String, isNew: Bool)
    /// Every device that was tried has failed; this is the error of the last one.
    case device(DeviceError)
    /// Every device of the run has failed before.
    case noDeviceLeft
    /// The photo cannot be downloaded.
    case download(DownloadError)
    /// The output cannot be written to, or looked for in, its bucket.
    case upload(path: String, DownloadError)
    /// The image cannot be decrypted.
    case decryption(DecryptionError)
    /// The journal cannot be used for this photo.
    case journal(JournalError)
    /// An operation has neither an input image nor a dependency that yields one.
    case noImage
    /// An entry of a list, or the list itself, cannot be used.
    case list(ListError)
    /// The output's name belongs to a file that must not be replaced.
    case outputRefused(path: String, JournalDecision.Obstacle)
    /// Another photo of the run would have the same output. `remedy` is the option that avoids it.
    case outputClash(path: String, with: String, remedy: String)
    /// The output is itself a photo of the run.
    case outputIsInput(path: String)
    /// A folder has the output's name.
    case outputIsFolder(path: String)
    /// A symbolic link leads outside of the output folder.
    case outputOutside(path: String)
    /// The output's name is one of Tintype's own files, such as those of a journal.
    case outputReserved(path: String)
    /// The output's path names no file below the output folder. `reason` is what it has, as `'..' in it`.
    case outputUnusable(path: String, reason: String)
    /// A file with the output's name appeared during the run.
    case outputExists(path: String)
    /// The output or its temporary file cannot be written. `path` names the output.
    case cannotWrite(path: String, Errno)
    /// A temporary file cannot be written in `folder`.
    case temporaryFile(folder: String, Errno)
    /// Memory for the photo's rows cannot be allocated.
    case outOfMemory(OutOfMemory)
    /// An image that must be held in memory as a whole is larger than the limit.
    case tooLargeForMemory(byteCount: Int, limit: Int)
    /// Any other failure, as a sentence.
    case other(String)
}

extension PhotoError {
    /// What caused a failure; it determines the exit code.
    public enum Kind: String, Sendable {
        /// The photo, its output's name, or anything that the other kinds do not cover.
        case photo
        /// A device, or that none is left.
        case device
        /// The machine: memory, open files, or the disk.
        case resourceLimit
        /// The network: the same run may succeed later.
        case transient
    }

    /// `.photo` unless another kind applies.
    public var kind: Kind {
        switch self {
        case .device, .noDeviceLeft: .device
        case .cannotRead(let error) where error.isResourceLimit: .resourceLimit
        case .cannotWrite(_, let error) where error.isResourceLimit: .resourceLimit
        // A photo that exceeds its own limit counts as `.photo`, not as `.resourceLimit`.
        case .codec(.outOfMemory), .outOfMemory, .tooLargeForMemory: .resourceLimit
        // Without a place for temporary files, no photo of this kind can be done.
        case .temporaryFile, .download(.storage): .resourceLimit
        case .download(let error) where error.isTransient: .transient
        case .upload(_, let error) where error.isTransient: .transient
        default: diskTrouble == nil ? .photo : .resourceLimit
        }
    }

    /// A disk failure that is likely to hit the other photos as well.
    package enum DiskTrouble: Sendable {
        /// The disk is full, or the user's quota is reached.
        case full
        /// The disk is read-only, damaged or gone, or the journal cannot be written.
        case failing
    }

    package var diskTrouble: DiskTrouble? {
        switch self {
        case .cannotWrite(_, let error), .download(.storage(_, let error)):
            error.isDiskFull ? .full : error.isDiskFailure ? .failing : nil
        case .journal(.cannotWrite(_, let error)), .journal(.cannotLock(_, let error)):
            error.isDiskFull ? .full : .failing
        // Such as an output folder that was unmounted.
        case .journal(.cannotOpen(_, let error)): error.isResourceLimit ? nil : .failing
        case .journal(.notARegularFile), .journal(.isLink): .failing
        default: nil
        }
    }

    /// Whether an output's name was refused, which often concerns all photos of a run.
    package var isRefusal: Bool {
        switch self {
        case .outputRefused, .outputClash, .outputIsInput, .outputIsFolder: true
        default: false
        }
    }

    /// Converts any error of the pipeline for a photo whose output is `path`.
    package init(_ error: any Error, path: String) {
        self =
            switch error {
            case let error as PhotoError: error
            case let error as DeviceError: .device(error)
            case CodecError.writeFailed(let error): .cannotWrite(path: path, error)
            case let error as CodecError: .codec(error)
            case let error as OutOfMemory: .outOfMemory(error)
            case let error as JournalError: .journal(error)
            case let error as ListError: .list(error)
            case let error as DownloadError: .download(error)
            case let error as DecryptionError: .decryption(error)
            case let error as Errno: .cannotRead(error)
            default: .other("\(error)")
            }
    }
}

extension PhotoError: AdvisedError {
    public var problem: String {
        switch self {
        case .cannotRead(let error): "The file cannot be read: \(error)."
        case .notARegularFile: "This is not a regular file. Pipe it in, and name it '-' instead."
        case .pipeHasEnded: "The photo came through a pipe, which has ended. Pipe it in again."
        case .addressLacksSecrets:
            "The journal keeps no passwords or tokens of addresses. Give the address again."
        case .inputChanged: "The file was changed while it was read. Run again."
        case .nameIsNotUTF8: "The name is not UTF-8. Rename the file, then run again."
        case .codec(let error): error.problem
        case .damaged(let error, let path, true):
            "\(error) What could be decoded of it is in '\(path)'."
        case .damaged(let error, let path, false):
            "\(error) '\(path)' exists already, and was left as it is."
        case .device(let error): error.problem
        case .noDeviceLeft: "All requested devices have failed earlier in this run."
        case .download(.storage(let path, let error)):
            "The download could not be stored in '\(path)' (\(error)); free space there, or set TMPDIR to another "
                + "folder."
        case .download(let error): error.explanation
        case .upload(let path, let error):
            "The output '\(path.printableName)' could not be uploaded. \(error.explanation)"
        case .decryption(let error): error.description
        case .journal(let error): error.problem
        case .list(let error): error.description
        case .noImage:
            "There is no image to work on. Give the operation one, or a dependency that yields one."
        case .outputRefused, .outputClash, .outputIsInput, .outputIsFolder, .outputOutside,
            .outputReserved, .outputUnusable, .outputExists:
            refusalText
        case .cannotWrite(let path, let error):
            "The output '\(path.printableName)' cannot be written: \(error)."
                + (error.isDiskFull ? " Free some disk space, then run again." : "")
                + (error.isDiskFailure ? " Check the disk, then run again." : "")
                + (error == .fileTooLarge ? " Raise the limit (ulimit -f), or use another file system." : "")
        case .temporaryFile(let folder, let error):
            "No temporary file can be written in '\(folder.printableName)': \(error). Free space there, or set TMPDIR to "
                + "another folder."
        case .outOfMemory(let error): error.problem
        case .tooLargeForMemory(let byteCount, let limit):
            "The image has \(byteCount) bytes, more than the \(limit) that fit in memory here."
        case .other(let message): message
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .codec(let error): error.recoverySuggestion
        case .device(let error): error.recoverySuggestion
        case .journal(let error): error.recoverySuggestion
        case .outOfMemory(let error): error.recoverySuggestion
        case .outputRefused: Wording.replaceOrMoveOutput.text
        case .outputIsFolder, .outputReserved: Wording.otherName.text
        case .outputExists: Wording.replaceOutput.text
        default: nil
        }
    }

    private var refusalText: String {
        switch self {
        case .outputRefused(let path, let obstacle):
            "The output '\(path.printableName)' \(obstacle)."
        case .outputClash(let path, let other, let remedy):
            "The output '\(path.printableName)' would also be that of \(other.printableName). Rename one of them, or keep them apart "
                + "with \(remedy.printableName)."
        case .outputIsInput(let path):
            "The output '\(path.printableName)' is itself one of the photos to be filtered. Originals are never replaced: "
                + "\(Wording.otherFolder.text)."
        case .outputIsFolder(let path):
            "The output '\(path.printableName)' is a folder."
        case .outputOutside(let path):
            "The output '\(path.printableName)' would lie outside of the output folder. Rename the photo, "
                + "or remove the symbolic link that leads there."
        case .outputReserved(let path):
            "The output '\(path.printableName)' would have a name of Tintype's own files ('\(Journal.folderName)')."
        case .outputUnusable(let path, let reason):
            "The output '\(path.printableName)' names no file below the output folder, because its path has \(reason). "
                + "Rename the photo, or \(Wording.otherFolder.text)."
        case .outputExists(let path):
            "The output '\(path.printableName)' appeared during the run and was left as it is."
        default: ""
        }
    }
}
