import TintypeFiles
import TintypeImaging

/// What a run does with one photo, decided from the journal and the output folder.
public enum JournalDecision: Hashable, Sendable {
    /// The output exists, unchanged, and was made from this input with this recipe.
    case upToDate(Receipt)
    /// The photo is to be filtered.
    case redo(Reason)
    /// A file that must not be lost has the output's name; only `--overwrite` replaces it.
    case refused(Obstacle)
    /// Another process, or another worker of this one, has the claim.
    case claimedByOther

    /// Why a photo is to be filtered.
    public enum Reason: Hashable, Sendable {
        /// The output was not made before, or an existing file is to be overwritten.
        case new
        /// The output was made before, and its file is gone.
        case outputMissing
        /// The last attempt failed, with this error.
        case failedBefore(String)
        /// The input has changed. The output, which Tintype has made and nothing has changed since, is
        /// replaced.
        case inputChanged
        /// The output may be wrong, because its device gave wrong pixels later. Nothing has changed it since; it is
        /// replaced.
        case suspect
        /// The photo has another recipe of its own than before, or none any more. The output is replaced.
        case otherOwnRecipe

        /// Whether an existing output is replaced without `--overwrite`.
        public var replacesOutput: Bool { [.inputChanged, .suspect, .otherOwnRecipe].contains(self) }
    }

    /// Why an existing file must not be replaced.
    public enum Obstacle: Hashable, Sendable {
        /// The journal has no receipt of it.
        case notOurs
        /// It was changed after Tintype had written it.
        case modified
        /// It was made with this other recipe.
        case otherRecipe(String)
        /// It was made from this other photo.
        case otherInput(String)
        /// It was made with a recipe that only this photo has, and this run does not know it.
        case ownRecipe
        /// It has other bytes than a shard's run makes.
        case otherBytes
    }
}

extension JournalDecision.Obstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notOurs: "exists and was not written by Tintype"
        case .modified: "was changed after Tintype had written it"
        case .otherRecipe(let recipe): "exists, made with \(CanonicalText(recipe).flags)"
        case .otherInput(let input): "exists, made from \(input.printableName)"
        case .ownRecipe: "belongs to a photo with filters of its own, which were set in the gallery"
        case .otherBytes: "exists, and has other bytes than this run makes"
        }
    }
}

extension JournalDecision.Reason: CustomStringConvertible {
    /// The case's name, for machine-readable output.
    package var name: String {
        switch self {
        case .new: "new"
        case .outputMissing: "outputMissing"
        case .failedBefore: "failedBefore"
        case .inputChanged: "inputChanged"
        case .suspect: "suspect"
        case .otherOwnRecipe: "otherOwnRecipe"
        }
    }

    public var description: String {
        switch self {
        case .new: "new"
        case .outputMissing: "the output is gone"
        case .failedBefore(let error): error.isEmpty ? "it failed before" : "it failed before: \(error)"
        case .inputChanged: "the photo has changed"
        case .suspect: "the output may be wrong"
        case .otherOwnRecipe: "its own filters have changed"
        }
    }
}
