/// Why a journal cannot be kept or read.
public enum JournalError: Error, Equatable, Sendable {
    /// The folder holds no journal.
    case none(folder: String)
    case cannotOpen(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case diskFull(path: String, reason: String)
    case cannotLock(path: String, reason: String)
    /// The output lies outside of the journal's folder.
    case outside(output: String, folder: String)

    static func writing(_ path: String, _ error: SystemError) -> JournalError {
        SystemError.diskFullTexts.contains(error.description)
            ? .diskFull(path: path, reason: error.description)
            : .cannotWrite(path: path, reason: error.description)
    }
}

extension JournalError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none(let folder):
            "'\(folder)' has no journal. Name a folder that 'tintype apply --output' has written to."
        case .cannotOpen(let path, let reason): "The journal '\(path)' cannot be opened: \(reason)."
        case .cannotWrite(let path, let reason): "The journal '\(path)' cannot be written: \(reason)."
        case .diskFull(let path, let reason):
            "The journal '\(path)' cannot be written: \(reason). Make room, then run again."
        case .cannotLock(let path, let reason):
            "'\(path)' cannot be locked: \(reason). Put the output folder on a file system that has locks."
        case .outside(let output, let folder):
            "'\(output)' lies outside of the output folder '\(folder)', whose journal cannot speak of it."
        }
    }
}
