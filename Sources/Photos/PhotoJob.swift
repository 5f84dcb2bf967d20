/// One photo and the destination of its result.
public struct PhotoJob: Sendable {
    public enum Output: Hashable, Sendable {
        case file(path: String)
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
