import TintypeDownload
import TintypeFilters
import TintypeJournals
import TintypeFiles

/// One photo and the destination of one of its results.
public struct PhotoJob: Sendable {
    /// Where a result is written.
    public enum Output: Hashable, Sendable {
        /// A file at this path. It is complete or absent.
        case file(path: String)
        /// An object of an S3 bucket. It is complete or absent.
        case object(S3Location)
        /// Standard output, which gets complete results only.
        case standardOutput

        private enum Exact: Hashable {
            case file(ExactText)
            case object(S3Location)
            case standardOutput
        }

        private var exact: Exact {
            switch self {
            case .file(let path): .file(path.exact)
            case .object(let location): .object(location)
            case .standardOutput: .standardOutput
            }
        }

        /// Whether both are one output. Paths are compared by bytes.
        public static func == (first: Self, second: Self) -> Bool { first.exact == second.exact }
        public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

        /// The output's name in messages: its path, its address, or `-`.
        public var path: String {
            switch self {
            case .file(let path): path
            case .object(let location): location.text
            case .standardOutput: "-"
            }
        }
    }

    public let photo: InputPhoto
    public package(set) var output: Output
    /// Index of the output among those that a photo gets; 0 if it gets one. The jobs of a photo follow each other.
    public let variant: Int
    /// What is done with this photo, in place of the recipe of all.
    public var ownRecipe: Recipe?
    /// Whether an output is made anew that was made with a recipe of its own, where `ownRecipe` is nil. Otherwise it stays as it is.
    public var dropsOwnRecipe = false

    /// What journals know of the photo's own recipe.
    package var own: OwnRecipe {
        ownRecipe != nil || dropsOwnRecipe ? .known(ownRecipe?.canonicalText) : .unknown
    }

    public init(photo: InputPhoto, output: Output, variant: Int = 0) {
        self.photo = photo
        self.output = output
        self.variant = variant
    }
}
