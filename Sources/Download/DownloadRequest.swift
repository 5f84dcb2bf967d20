import Foundation

/// A download to start.
package struct DownloadRequest: Hashable, Sendable {
    /// Order of waiting downloads; equal priorities run in the order of their requests.
    package enum Priority: Int, Comparable, Hashable, Sendable {
        case low, normal, high

        package static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }

    /// An `http`, `https`, `s3` or `file` URL. The file of a `file` URL is opened in place, not copied.
    package var url: URL
    package var priority: Priority
    /// A larger body fails with `DownloadError.tooLarge`; nil takes the configuration's limit.
    package var byteLimit: Int?
    /// The folder for unfinished bodies, so that a later run fetches only the rest. It is created if missing.
    ///
    /// A file's name is a hash of the URL, so no URL can lead out of the folder. The file is kept if the
    /// download is cancelled or fails with a transient error, and the server sent a strong validator. It is
    /// removed when the download succeeds. Nil keeps nothing across runs; retries still resume.
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
