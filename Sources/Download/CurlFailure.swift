import CTintypeCurl
import TintypeFiles

/// Translates a libcurl error code into a `DownloadError`.
package struct CurlFailure {
    let code: CURLcode
    let easy: EasyHandle
    let head: ResponseHead
    let url: String
    let byteLimit: Int
    let maximumRedirects: Int
    let received: Int
    let expected: Int?

    /// - Parameters:
    ///   - url: without secrets.
    ///   - received: the body's bytes so far.
    ///   - expected: those that were announced.
    package init(
        code: CURLcode, easy: EasyHandle, head: ResponseHead, url: String, byteLimit: Int = 0,
        maximumRedirects: Int = 0, received: Int = 0, expected: Int? = nil
    ) {
        self.code = code
        self.easy = easy
        self.head = head
        self.url = url
        self.byteLimit = byteLimit
        self.maximumRedirects = maximumRedirects
        self.received = received
        self.expected = expected
    }

    private var reason: String { easy.message(for: code) }

    package func error(isPastDeadline: Bool = false) -> DownloadError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(url: url, phase: phase(isPastDeadline: isPastDeadline))
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return .hostNotFound(url: url, reason: reason)
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_SSL_CONNECT_ERROR:
            return .connectionFailed(url: url, reason: reason)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .connectionLost(url: url, reason: reason)
        case CURLE_PARTIAL_FILE:
            return .cutShort(url: url, received: received, expected: expected)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS:
            return .untrustedServer(url: url, reason: reason)
        case CURLE_TOO_MANY_REDIRECTS:
            return .tooManyRedirects(url: url, limit: maximumRedirects)
        case CURLE_FILESIZE_EXCEEDED:
            return .tooLarge(url: url, byteLimit: byteLimit)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return badAddress()
        case CURLE_BAD_CONTENT_ENCODING:
            let encoding = (head.contentEncoding ?? "").printableName
            return .badResponse(url: url, reason: "its Content-Encoding, '\(encoding)', cannot be unpacked")
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            return .library(reason: reason)
        default:
            return .badResponse(url: url, reason: reason)
        }
    }

    private func phase(isPastDeadline: Bool) -> DownloadError.Phase {
        if isPastDeadline { return .whole }
        return easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 ? .connect : .stall
    }

    private func badAddress() -> DownloadError {
        if let status = head.status, (300..<400).contains(status) {
            return .refusedRedirect(url: url, location: WebAddress.redacting(head.location ?? ""))
        }
        // HTTP/0.9 is reported as an unsupported protocol, too.
        return code == CURLE_URL_MALFORMAT
            ? .badURL(url: url, reason: reason) : .badResponse(url: url, reason: reason)
    }
}
