import Foundation

/// A finished download.
///
/// The content type is not told, because it is not trusted: what the bytes are is found by decoding them. A
/// body that was cut short is an error where the server told its length (`Content-Length`, chunks, HTTP/2
/// frames); where it told none, a cut cannot be seen here, and only decoding finds it.
package struct Downloaded: Sendable {
    package let body: DownloadedBody
    /// Where the bytes came from, after redirects; without user name and password.
    package let finalURL: URL
    /// Nil for `file` URLs.
    package let status: Int?
    package let eTag: String?
    package let lastModified: String?
    /// 1 where the first attempt succeeded.
    package let attempts: Int
    /// From the start of the first attempt; time spent waiting for a free slot before that does not count.
    package let seconds: Double

    package var byteCount: Int { body.byteCount }
}

/// How far a download is.
package struct DownloadProgress: Equatable, Sendable {
    /// It falls back to zero when a body has to be fetched anew.
    package let receivedByteCount: Int
    /// Nil where the server does not say.
    package let expectedByteCount: Int?
}
