import CTintypeCurl
import Glibc

/// One libcurl transfer and the memory it points to. Used by one thread at a time.
package final class EasyHandle {
    package typealias Raw = UnsafeMutableRawPointer

    package let raw: Raw
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `DownloadError.library`.
    package init() throws(DownloadError) {
        guard let raw = curl_easy_init() else { throw .library(reason: "out of memory") }
        self.raw = raw
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try check(ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer))
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(headers)
        errorBuffer.deallocate()
    }

    package func set(_ option: CURLoption, _ value: Int) throws(DownloadError) {
        try check(ccurl_set_long(raw, option, value))
    }

    package func set(_ option: CURLoption, offset: Int) throws(DownloadError) {
        try check(ccurl_set_offset(raw, option, curl_off_t(offset)))
    }

    package func set(_ option: CURLoption, _ value: String) throws(DownloadError) {
        try check(ccurl_set_string(raw, option, value))
    }

    func set(_ option: CURLoption, milliseconds duration: Duration) throws(DownloadError) {
        // Zero would mean "no limit".
        try set(option, max(1, duration.milliseconds))
    }

    func setHeaders(_ lines: [String]) throws(DownloadError) {
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else {
                throw .library(reason: "out of memory")
            }
            headers = longer
        }
        try check(ccurl_set_pointer(raw, CURLOPT_HTTPHEADER, headers))
    }

    /// Removes all options; connections stay open.
    package func reset() {
        curl_easy_reset(raw)
        curl_slist_free_all(headers)
        headers = nil
        errorBuffer[0] = 0
        ccurl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer)
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return ccurl_get_offset(raw, info, &value) == CURLE_OK ? Int(value) : 0
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard ccurl_get_string(raw, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }

    /// libcurl's error message.
    func message(for code: CURLcode) -> String {
        let detail = String(cString: errorBuffer)
        // It quotes the proxy's whole URL, with its password.
        if detail.hasPrefix("Unsupported proxy") { return "the proxy's URL is invalid or not supported" }
        return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    }

    package func check(_ code: CURLcode) throws(DownloadError) {
        guard code == CURLE_OK else { throw .library(reason: String(cString: curl_easy_strerror(code))) }
    }
}

extension Duration {
    /// Rounded down; very long durations are clamped.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64.max / 2000 else { return Int.max / 2 }
        return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
