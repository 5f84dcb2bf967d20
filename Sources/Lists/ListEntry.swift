import Foundation
import TintypeFiles

/// One photo in a list.
public struct ListEntry: Hashable, Sendable {
    /// The location of a photo.
    public enum Location: Hashable, Sendable {
        /// A local file: an absolute path, or one relative to the list's folder.
        case file(path: String)
        /// An `http` or `https` address.
        case url(URL)

        private enum Exact: Hashable {
            case file(ExactText)
            case url(URL)
        }

        private var exact: Exact {
            switch self {
            case .file(let path): .file(path.exact)
            case .url(let url): .url(url)
            }
        }

        /// Whether both are one location. Paths are compared by bytes.
        public static func == (first: Self, second: Self) -> Bool { first.exact == second.exact }
        public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

        /// The path or the whole address. Not for messages, because an address may contain a password.
        public var text: String {
            switch self {
            case .file(let path): path
            case .url(let url): url.absoluteString
            }
        }
    }

    /// The photo's name in the list; nil if it has none. Not safe as a file name: see `OutputName`.
    public let name: String?
    /// The photo's file or address.
    public let location: Location
    /// The entry's position; nil for an address from outside of a list.
    public let position: ListPosition?

    /// Whether both have the same name, location and position. Names are compared by bytes.
    public static func == (first: Self, second: Self) -> Bool {
        first.name?.exact == second.name?.exact && first.location == second.location
            && first.position == second.position
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name?.exact)
        hasher.combine(location)
        hasher.combine(position)
    }

    /// An entry of a list, or, without a position, an address from elsewhere.
    public init(name: String?, location: Location, at position: ListPosition? = nil) {
        self.name = name
        self.location = location
        self.position = position
    }
}

/// A position in a list.
public enum ListPosition: Hashable, Sendable, CustomStringConvertible {
    /// A line of text or CSV, counted from 1.
    case line(Int)
    /// An entry of JSON or a property list, counted from 1; in a dictionary, in the order of names.
    case entry(Int)

    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .entry(let number): "entry \(number)"
        }
    }
}

/// The origin of a list: the base of its relative entries, and whether it may name local files.
public enum ListOrigin: Hashable, Sendable {
    /// A file in this folder; the current folder for standard input. It may name local files and addresses.
    case folder(String)
    /// An address. All entries are addresses: a remote list never opens local files.
    case remote(URL)
}

/// An entry as written in its format, before its location is parsed.
struct RawListEntry: Equatable {
    var name: String?
    var target: String
    var position: ListPosition
    /// Whether a path may have control characters. In a list of lines they are more likely damage.
    var allowsControls: Bool

    init(name: String? = nil, target: String, at position: ListPosition, allowsControls: Bool = true) {
        self.name = name
        self.target = target
        self.position = position
        self.allowsControls = allowsControls
    }
}

/// One list format: yields entries front to back.
protocol ListParser {
    /// The next entry, nil at the end. After an error whose `endsList` is false it can be called again.
    mutating func next() throws(ListError) -> RawListEntry?
}
