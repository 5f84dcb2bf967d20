import SystemPackage

/// Why a download failed. Its URLs contain no user names, passwords or tokens.
public enum DownloadError: Error, Equatable, Sendable {
    /// The phase that took too long: connecting, a stalled transfer, or the whole download.
    public enum Phase: String, Sendable {
        case connect, stall, whole
    }

    /// The URL cannot be parsed.
    case badURL(url: String, reason: String)
    /// The URL's scheme is not `http`, `https`, `s3` or `file`.
    case unsupportedScheme(url: String, scheme: String)
    /// A `file` URL that names no readable regular file.
    case unreadableFile(url: String, reason: String)
    /// The name of the server, or of the proxy, cannot be resolved.
    case hostNotFound(url: String, reason: String)
    /// No connection to the server or the proxy could be made, or the TLS handshake failed.
    case connectionFailed(url: String, reason: String)
    /// An established connection broke.
    case connectionLost(url: String, reason: String)
    /// `phase` took longer than the configuration allows.
    case timedOut(url: String, phase: Phase)
    /// The body is shorter than the server announced. `expected` is nil if only the framing shows it.
    case cutShort(url: String, received: Int, expected: Int?)
    /// The server's certificate is not trusted, or the configured certificates cannot be used.
    case untrustedServer(url: String, reason: String)
    /// The server answered with this status instead of 200, 203 or 206.
    case httpStatus(url: String, status: Int)
    /// A redirect to something other than `http` or `https`.
    case refusedRedirect(url: String, location: String)
    /// There are more redirects than `limit`.
    case tooManyRedirects(url: String, limit: Int)
    /// The body, or the file of a `file` URL, has more than `byteLimit` bytes.
    case tooLarge(url: String, byteLimit: Int)
    /// A bucket lists more than `limit` objects below a location.
    case listTooLong(url: String, limit: Int)
    /// The response violates HTTP or a limit.
    case badResponse(url: String, reason: String)
    /// An S3 server refused the request.
    case s3(url: String, S3Failure)
    /// There are no credentials to sign a request to an S3 server with. `profile` was looked for in the files.
    case noCredentials(url: String, profile: String)
    /// The address of the S3 server is not one. `setting` is the variable or the key that it comes from.
    case badEndpoint(setting: String)
    /// The body could not be written to or read from the local disk.
    case storage(path: String, Errno)
    /// libcurl failed: out of memory or threads.
    case library(reason: String)
    /// The download was cancelled by its requester.
    case cancelled(url: String)
    /// The downloader was shut down before the download ended.
    case shutDown(url: String)
}

extension DownloadError {
    /// Statuses after which a request may succeed later: RFC 9110, RFC 8470 (425) and RFC 6585; Cloudflare's for a server
    /// behind it that fails or is slow (520 to 524), and an overloaded site's (529).
    static let transientStatuses: Set<Int> = [
        408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529,
    ]

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .hostNotFound, .connectionFailed, .connectionLost, .timedOut, .cutShort: true
        case .httpStatus(_, let status): Self.transientStatuses.contains(status)
        case .s3(_, let failure): failure.isTransient
        case .badURL, .unsupportedScheme, .unreadableFile, .untrustedServer, .refusedRedirect,
            .tooManyRedirects, .tooLarge, .listTooLong, .badResponse, .storage, .library, .cancelled,
            .shutDown,
            .noCredentials, .badEndpoint:
            false
        }
    }
}
