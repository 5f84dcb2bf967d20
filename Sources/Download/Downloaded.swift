import Foundation

/// A finished download.
///
/// The content type is not used: the format is detected from the bytes. A truncated body is an error if the
/// server announced its length (`Content-Length`, chunks, HTTP/2 frames). Otherwise only decoding detects the
/// truncation.
package struct Downloaded: Sendable {
    package let body: DownloadedBody
    package let response: DownloadResponse
    /// Number of attempts, at least 1.
    package let attempts: Int
    /// Seconds since the start of the first attempt, without the wait for a free slot.
    package let seconds: Double

    package var byteCount: Int { body.byteCount }
}

/// Address, status and headers of a server's response.
public struct DownloadResponse: Hashable, Sendable {
    /// The URL after redirects, without user name and password.
    public let finalURL: URL
    /// The HTTP status; nil for `file` URLs.
    public let status: Int?
    /// Headers of the last response, by lower-case names. Of several with the same name, the first.
    public let headers: [String: String]

    init(finalURL: URL, status: Int? = nil, headers: [String: String] = [:]) {
        self.finalURL = finalURL
        self.status = status
        self.headers = headers
    }

    /// Identifies this version of the content: the ETag, otherwise Last-Modified.
    package var validator: String? { headers["etag"] ?? headers["last-modified"] }
}

/// Progress of a download, in bytes.
public struct DownloadProgress: Hashable, Sendable {
    /// Falls back to zero if the download starts over.
    public let receivedByteCount: Int
    /// Nil if the server does not announce it.
    public let expectedByteCount: Int?

    package init(receivedByteCount: Int, expectedByteCount: Int?) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }
}
