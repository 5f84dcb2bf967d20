import Foundation
import Lists

/// A source of photos, as the user names it.
public enum Input: Hashable, Sendable {
    /// A photo, or a folder of them.
    case path(String)
    /// One photo from standard input.
    case standardInput
    /// A photo to be downloaded over `http` or `https`.
    case address(URL)

    /// Parses an argument: `-` is standard input, text with a scheme is an address, anything else a path.
    ///
    /// - Throws: `ListError` for invalid addresses and other schemes.
    public init(_ argument: String) throws(ListError) {
        if argument == "-" {
            self = .standardInput
        } else if argument.contains("://") || argument.hasPrefix("file:/") {
            switch try ListLocation.read(argument, at: nil, from: .folder("")) {
            case .file(let path): self = .path(path)
            case .url(let url): self = .address(url)
            }
        } else {
            self = .path(argument)
        }
    }
}
