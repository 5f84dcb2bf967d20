/// Where photos come from, as the user names it.
public enum Input: Hashable, Sendable {
    /// A photo, or a folder of them.
    case path(String)
    /// One photo, piped in.
    case standardInput

    /// Reads an argument: `-` is standard input, anything else a path.
    public init(_ argument: String) {
        self = argument == "-" ? .standardInput : .path(argument)
    }
}
