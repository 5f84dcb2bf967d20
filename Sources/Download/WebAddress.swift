import CCurl

/// A URL as libcurl understands it. The same parser serves the transfer, so the two cannot disagree on the
/// host.
package struct WebAddress: Hashable, Sendable {
    enum Scheme: String, Sendable {
        case http, https, file
    }

    /// Normalised and without a fragment; it may carry credentials, so it goes to libcurl and nowhere else.
    let text: String
    let scheme: Scheme
    /// Scheme, host and port: what the limit per host counts.
    let origin: String
    /// Whether it has a user's name or password.
    let hasCredentials: Bool
    /// For messages, logs and files on disk.
    let redacted: String

    init(_ text: String) throws(DownloadError) {
        guard let handle = curl_url() else { throw .library(reason: "out of memory") }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        guard code == CURLUE_OK else {
            throw .badURL(url: redactUnparsed(text), reason: String(cString: curl_url_strerror(code)))
        }
        let name = part(CURLUPART_SCHEME, of: handle)?.lowercased() ?? ""
        guard let scheme = Scheme(rawValue: name) else {
            throw .unsupportedScheme(url: redactParsed(handle), scheme: name)
        }
        curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
        guard let normalised = part(CURLUPART_URL, of: handle) else {
            throw .badURL(url: redactUnparsed(text), reason: "it cannot be normalised")
        }
        let host = part(CURLUPART_HOST, of: handle)?.lowercased() ?? ""
        let port = part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT) ?? ""
        self.text = normalised
        self.scheme = scheme
        origin = "\(name)://\(host):\(port)"
        hasCredentials = part(CURLUPART_USER, of: handle) != nil
        redacted = redactParsed(handle)
    }

    /// Without credentials, as `redacted` is; what cannot be parsed loses everything before its last `@`.
    package static func redacting(_ text: String) -> String {
        guard let handle = curl_url() else { return redactUnparsed(text) }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        return code == CURLUE_OK ? redactParsed(handle) : redactUnparsed(text)
    }

    /// Without user name and password, but with the whole query: the address of what was fetched.
    static func removingCredentials(_ text: String) -> String? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        removeUser(from: handle)
        return part(CURLUPART_URL, of: handle)
    }
}

private func part(_ what: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, what, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
}

private func removeUser(from handle: OpaquePointer) {
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { curl_url_set(handle, part, nil, 0) }
}

/// Drops user and password, and the values in the query that sign or authorise a request.
private func redactParsed(_ handle: OpaquePointer) -> String {
    guard let copy = curl_url_dup(handle) else { return "(a URL)" }
    defer { curl_url_cleanup(copy) }
    removeUser(from: copy)
    curl_url_set(copy, CURLUPART_FRAGMENT, nil, 0)
    if let query = part(CURLUPART_QUERY, of: copy) {
        let shown = query.split(separator: "&", omittingEmptySubsequences: false).map(redactQueryItem)
        curl_url_set(copy, CURLUPART_QUERY, shown.joined(separator: "&"), 0)
    }
    return part(CURLUPART_URL, of: copy) ?? "(a URL)"
}

private func redactQueryItem(_ item: Substring) -> String {
    // Presigned URLs of the large object stores, and the usual names of API keys.
    let secretWords = ["sig", "token", "key", "secret", "pass", "pwd", "auth", "credential", "session"]
    guard let equals = item.firstIndex(of: "=") else { return String(item) }
    let name = item[..<equals].lowercased()
    return secretWords.contains { name.contains($0) } ? "\(item[..<equals])=REDACTED" : String(item)
}

/// Text of unknown shape: what could hold a password or a token goes, and so does what could steer a
/// terminal.
private func redactUnparsed(_ text: String) -> String {
    var shown = text[...]
    var prefix = ""
    if let at = shown.lastIndex(of: "@") { (prefix, shown) = ("REDACTED", shown[at...]) }
    var suffix = ""
    if let query = shown.firstIndex(of: "?") { (shown, suffix) = (shown[..<query], "?REDACTED") }
    let printable = shown.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    return prefix + String(printable) + suffix
}
