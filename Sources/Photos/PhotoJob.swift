/// One photo and the destination of its result.
public struct PhotoJob: Sendable {
    /// Where a result is written.
    public enum Output: Hashable, Sendable {
        /// A file at this path. It is complete or absent.
        case file(path: String)
        /// Standard output, which gets complete results only.
        case standardOutput

        /// The output's name in messages: its path, or `-`.
        public var path: String {
            switch self {
            case .file(let path): path
            case .standardOutput: "-"
            }
        }
    }

    public let photo: InputPhoto
    public let output: Output

    public init(photo: InputPhoto, output: Output) {
        self.photo = photo
        self.output = output
    }
}
