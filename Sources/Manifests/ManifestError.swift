import Foundation
import SystemPackage
import TintypeFiles
import TintypeImaging

/// Why a manifest cannot be written or used.
public enum ManifestError: Error, Equatable, Sendable {
    case cannotRead(path: String, Errno)
    case cannotWrite(path: String, Errno)
    /// There is a file of the manifest's name already.
    case exists(path: String)
    /// Another kind of file.
    case notAManifest(path: String)
    /// A version that this one does not know.
    case otherVersion(path: String, Int)
    /// The end is missing: the plan was interrupted, or the copy.
    case incomplete(path: String)
    /// It was changed after the plan.
    case changed(path: String)
    /// A line that cannot be used, counted from 1.
    case line(path: String, Int, String)
    /// The recipe is another version's, or has filters that this run does not know.
    case otherRecipe(path: String, String)
}

extension ManifestError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .cannotRead(let path, let error):
            "The manifest '\(path.printableName)' cannot be read: \(error)."
        case .cannotWrite(let path, let error):
            "The manifest '\(path.printableName)' cannot be written: \(error)."
        case .exists(let path):
            "'\(path.printableName)' exists. A manifest is never replaced, because runs may be using it: give another name."
        case .notAManifest(let path):
            "'\(path.printableName)' is no manifest. \(Wording.writeManifest.text)"
        case .otherVersion(let path, let version):
            "'\(path.printableName)' is a manifest of version \(version), which this version of Tintype cannot read."
        case .incomplete(let path):
            "'\(path.printableName)' is not whole: its last line is missing. Plan or copy it again."
        case .changed(let path):
            "'\(path.printableName)' was changed after it was planned. Plan it again."
        case .line(let path, let line, let text):
            "\(path.printableName), line \(line): \(text)"
        case .otherRecipe(let path, let recipe):
            "'\(path.printableName)' has a recipe that this version cannot follow: \(recipe.printable). Plan it again, or give "
                + "\(Wording.kernelOfPlan.text) that it was planned with."
        }
    }
}
