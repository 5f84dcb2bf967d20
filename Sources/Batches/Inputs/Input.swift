import Foundation
import Lists

/// Where photos come from, as the user names it.
public enum Input: Hashable, Sendable {
    /// A photo, or a folder of them.
    case path(String)
    /// One photo, piped in.
    case standardInput
    /// A photo to be downloaded: `http` or `https`.
    case address(URL)

    /// Reads an argument: `-` is standard input, what has a scheme an address, anything else a path.
    ///
    /// - Throws: `ListError` for addresses that are none, or of another scheme.
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
