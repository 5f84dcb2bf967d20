import Foundation

/// What to fetch, and how much of it to accept.
package struct DownloadRequest: Hashable, Sendable {
    /// Which of the waiting downloads goes first; those of one priority go in the order they were asked for.
    package enum Priority: Int, Comparable, Hashable, Sendable {
        case low, normal, high

        package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    /// `http`, `https` or `file`. A `file` URL is opened where it lies, not copied.
    package var url: URL
    package var priority: Priority
    /// More bytes than this fail with `DownloadError.tooLarge`; nil takes the configuration's limit.
    package var byteLimit: Int?
    /// Where an unfinished body is kept, so that a later run fetches only the rest. It is made if it is
    /// missing.
    ///
    /// The name of such a file is a hash of the URL, so no URL can reach outside this folder. It is kept when
    /// the download is cancelled, or fails in a way that may pass, and the server named a strong validator;
    /// it is gone once the download succeeds. Nil keeps nothing across runs; retries still resume.
    package var partialsDirectory: URL?

    package init(
        url: URL, priority: Priority = .normal, byteLimit: Int? = nil, partialsDirectory: URL? = nil
    ) {
        self.url = url
        self.priority = priority
        self.byteLimit = byteLimit
        self.partialsDirectory = partialsDirectory
    }
}
