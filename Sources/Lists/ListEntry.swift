import Foundation

/// One photo that a list names.
public struct ListEntry: Hashable, Sendable {
    /// Where a photo is to be fetched from.
    public enum Location: Hashable, Sendable {
        /// A file of this machine: an absolute path, or one below the list's own folder.
        case file(path: String)
        /// An `http` or `https` address.
        case url(URL)

        /// The path or the whole address. Not for messages: an address may carry a password.
        public var text: String {
            switch self {
            case .file(let path): path
            case .url(let url): url.absoluteString
            }
        }
    }

    /// The photo's name as the list writes it; nil where it gives none. Not safe as a file's name: see
    /// `OutputName`.
    public let name: String?
    public let location: Location
    /// Where it stands in its list; nil for an address that no list named.
    public let position: ListPosition?

    public init(name: String?, location: Location, at position: ListPosition? = nil) {
        self.name = name
        self.location = location
        self.position = position
    }
}

/// Where something stands in a list.
public enum ListPosition: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    case line(Int)
    /// From 1, in JSON and in property lists; in a dictionary by the order of names.
    case entry(Int)

    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .entry(let number): "entry \(number)"
        }
    }
}

/// Where a list came from: what its relative entries are relative to, and whom it is trusted to name.
public enum ListOrigin: Hashable, Sendable {
    /// A file in this folder, or standard input with the current one. It may name local files and addresses.
    case folder(String)
    /// An address. Whatever it names is an address too: a list from elsewhere never opens local files.
    case remote(URL)
}

/// An entry as its format writes it, before anybody has looked at what it points to.
struct RawListEntry: Equatable {
    var name: String?
    var target: String
    var position: ListPosition

    init(name: String? = nil, target: String, at position: ListPosition) {
        self.name = name
        self.target = target
        self.position = position
    }
}

/// One list format: yields entries front to back.
protocol ListParser {
    /// The next entry, nil at the end. After an error whose `endsList` is false it can be called again.
    mutating func next() throws(ListError) -> RawListEntry?
}
