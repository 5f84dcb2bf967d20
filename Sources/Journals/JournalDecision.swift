import Files
import Filters

/// What a run is to do with one photo, as the journal and the output folder say together.
public enum JournalDecision: Hashable, Sendable {
    /// The output is there, is what this tool wrote, and comes from this input by this recipe.
    case upToDate(Receipt)
    case redo(Reason)
    /// The output's name is taken by what may not be lost; only `--overwrite` replaces it.
    case refused(Obstacle)
    /// Another process, or another worker of this one, is at it.
    case claimedByOther

    public enum Reason: Hashable, Sendable {
        case new
        /// It was done once, and its file is gone.
        case outputMissing
        /// It failed last time.
        case failedBefore(String)
        /// The input is not what it was. The output, which is ours and unchanged, is to be replaced.
        case inputChanged

        /// Whether the output that exists is to be replaced without `--overwrite`.
        public var replacesOutput: Bool { self == .inputChanged }
    }

    public enum Obstacle: Hashable, Sendable {
        /// No receipt speaks of it.
        case notOurs
        /// It was written by this tool, and changed since.
        case modified
        case otherRecipe(String)
        /// The result of another photo.
        case otherInput(String)
    }
}

extension JournalDecision.Obstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notOurs: "exists and was not written by Tintype"
        case .modified: "was changed after Tintype had written it"
        case .otherRecipe(let recipe): "exists, made with \(Recipe.flags(of: recipe))"
        case .otherInput(let input): "exists, made from \(input.printableName)"
        }
    }
}

extension JournalDecision.Reason: CustomStringConvertible {
    /// For programs: the case's own name.
    package var name: String {
        switch self {
        case .new: "new"
        case .outputMissing: "outputMissing"
        case .failedBefore: "failedBefore"
        case .inputChanged: "inputChanged"
        }
    }

    public var description: String {
        switch self {
        case .new: "new"
        case .outputMissing: "the output is gone"
        case .failedBefore(let error): error.isEmpty ? "it failed before" : "it failed before: \(error)"
        case .inputChanged: "the photo has changed"
        }
    }
}
