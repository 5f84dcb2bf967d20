import Foundation
import SystemPackage
import TintypeFiles
import TintypeImaging

/// Why a journal cannot be kept or read.
public enum JournalError: Error, Equatable, Sendable {
    /// The folder holds no journal.
    case none(folder: String)
    /// A file of the journal cannot be opened or read.
    case cannotOpen(path: String, Errno)
    /// The journal's name belongs to a folder, a named pipe or a device.
    case notARegularFile(path: String)
    /// The journal's folder, or a file in it, is a symbolic link, which may lead anywhere.
    case isLink(path: String)
    /// The journal's folder, or a file in it, cannot be written.
    case cannotWrite(path: String, Errno)
    /// The lock file cannot be locked, for example because its file system has no locks.
    case cannotLock(path: String, Errno)
    /// The output lies outside of the journal's folder.
    case outside(output: String, folder: String)
    /// The folder holds outputs of another recipe; both are canonical texts.
    case otherRecipe(folder: String, made: String, asked: String)
    /// The folder has journals of shards, so its own does not tell what was done.
    case hasShards(folder: String)
    /// Another run, which makes outputs by another recipe, is at work in the folder.
    case otherRecipeAtWork(folder: String, made: String)
}

extension JournalError: AdvisedError {
    public var problem: String {
        switch self {
        case .none(let folder):
            "'\(folder.printableName)' has no journal."
        case .cannotOpen(let path, let error):
            "The journal '\(path.printableName)' cannot be opened: \(error)."
        case .notARegularFile(let path):
            "The journal '\(path.printableName)' cannot be opened: it is not a regular file."
        case .isLink(let path):
            "The journal's '\(path.printableName)' is a symbolic link, which is not followed. Remove it, or "
                + "\(Wording.otherFolder.text)."
        case .cannotWrite(let path, let error):
            "The journal '\(path.printableName)' cannot be written: \(error). "
                + "\(error.isDiskFull ? "Free some disk space" : "Check the disk"), then run again."
        case .cannotLock(let path, let error):
            "'\(path.printableName)' cannot be locked: \(error). Put the output folder on a file system that has locks."
        case .outside(let output, let folder):
            "'\(output.printableName)' lies outside of the output folder '\(folder.printableName)', so its journal cannot list it."
        case .hasShards(let folder):
            "'\(folder.printableName)' has journals of shards. Once all shards have ended, take them in with "
                + "\(Wording.mergeShards(folder: folder.printableName).text)."
        case .otherRecipe(let folder, let made, let asked): Self.otherRecipeText(folder, made, asked)
        case .otherRecipeAtWork(let folder, let made):
            "Another run is using '\(folder.printableName)', with \(Wording.recipe(canonical: made).text). Wait until it has ended, or "
                + "\(Wording.otherFolder.text)."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .none: Wording.folderWithJournal.text
        case .otherRecipe(let folder, let made, let asked)
        where CanonicalText(made).flags != CanonicalText(asked).flags:
            Wording.keepLooksApart(template: Self.template(in: folder, for: asked)).text
        default: nil
        }
    }

    /// {recipe} differs also where only settings do.
    private static func template(in folder: String, for asked: String) -> String {
        let hasNames = CanonicalText(asked).outputs[0].name != nil
        return folder.printableName.appendingPathComponent(
            "{dir}/{stem}-\(hasNames ? "{output}-" : ""){recipe}.{ext}")
    }

    private static func otherRecipeText(_ folder: String, _ made: String, _ asked: String) -> String {
        let (madeText, askedText) = (
            Wording.recipe(canonical: made).text, Wording.recipe(canonical: asked).text
        )
        if CanonicalText(made).flags == CanonicalText(asked).flags {
            return
                "'\(folder.printableName)' holds photos that another version of Tintype made with \(madeText). Theirs may differ "
                + "from what this version makes: \(Wording.otherFolder.text), or \(Wording.replaceOutputs.text)."
        }
        return "'\(folder.printableName)' holds photos made with \(madeText); this run asks for \(askedText)."
    }
}
