import Foundation

/// A finished download.
///
/// The content type is not told, because it is not trusted: what the bytes are is found by decoding them. A
/// body that was cut short is an error where the server told its length (`Content-Length`, chunks, HTTP/2
/// frames); where it told none, a cut cannot be seen here, and only decoding finds it.
package struct Downloaded: Sendable {
    package let body: DownloadedBody
    package let response: DownloadResponse
    /// 1 where the first attempt succeeded.
    package let attempts: Int
    /// From the start of the first attempt; time spent waiting for a free slot before that does not count.
    package let seconds: Double

    package var byteCount: Int { body.byteCount }
}

/// What a server said about a body.
public struct DownloadResponse: Hashable, Sendable {
    /// Where the bytes came from, after redirects; without user name and password.
    public let finalURL: URL
    /// HTTP's; nil for `file` URLs.
    public let status: Int?
    /// The last response's, by names in lower case; of several with one name the first.
    public let headers: [String: String]

    init(finalURL: URL, status: Int? = nil, headers: [String: String] = [:]) {
        self.finalURL = finalURL
        self.status = status
        self.headers = headers
    }

    /// What tells this state of the photo from others: its ETag, else the time of its last change.
    package var validator: String? { headers["etag"] ?? headers["last-modified"] }
}

/// How far a download is.
package struct DownloadProgress: Equatable, Sendable {
    /// It falls back to zero when a body has to be fetched anew.
    package let receivedByteCount: Int
    /// Nil where the server does not say.
    package let expectedByteCount: Int?
}
