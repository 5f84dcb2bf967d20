import CTintypeCurl
import Foundation
import TintypeFiles

/// A URL, parsed by libcurl. The transfer uses the same parser, so both agree on the host.
package struct WebAddress: Hashable, Sendable {
    enum Scheme: String, Sendable {
        case http, https, s3, file
    }

    /// The normalised URL without its fragment. It may contain credentials, so only libcurl gets it.
    let text: String
    let scheme: Scheme
    /// Scheme, host and port. Connections are limited for each origin.
    let origin: String
    /// Whether the URL contains a user name.
    let hasCredentials: Bool
    /// The URL without secrets, for messages, logs and files on disk.
    let redacted: String
    /// The object that an `s3` address names.
    let s3Location: S3Location?

    package static func == (first: Self, second: Self) -> Bool { first.text.exact == second.text.exact }
    package func hash(into hasher: inout Hasher) { hasher.combine(text.exact) }

    init(_ text: String) throws(DownloadError) {
        if let location = S3Location(encoded: text) {
            self = WebAddress(location)
            return
        }
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
        s3Location = nil
    }

    private init(_ location: S3Location) {
        text = location.url.absoluteString
        scheme = .s3
        origin = "s3://\(location.bucket)"
        hasCredentials = false
        redacted = location.text.printableName
        s3Location = location
    }

    /// Removes secrets from text that may be a URL. Of text that cannot be parsed, everything before the last
    /// `@` and after the first `?` is removed.
    package static func redacting(_ text: String) -> String { redacting(text, redactItems) }

    /// The text that a journal and names of outputs know an address by. It has no secrets, as `redacting`. What signs or
    /// authorises a request is left out, so that a photo stays the same with another signature or token. What may as well be
    /// the photo's name, as `key` or `author`, has a hash in its place: `key=1` and `key=2` are two photos.
    ///
    /// A hash has 64 bits, and depends on host and path, so no table has it. Those who can read it may still try values: a
    /// short one, such as a PIN, can be guessed.
    ///
    /// - Parameter keepsTokens: whether tokens have a hash, too: in one list, they may be all that tells photos apart.
    package static func identity(of text: String, keepsTokens: Bool = false) -> String {
        redacting(text) { identifyItems($0, $1, keepsTokens: keepsTokens) }
    }

    private static func redacting(_ text: String, _ redactQuery: QueryRedaction) -> String {
        if let location = S3Location(encoded: text) { return location.text }
        guard let handle = curl_url() else { return redactUnparsed(text) }
        defer { curl_url_cleanup(handle) }
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
        return code == CURLUE_OK ? redactParsed(handle, redactQuery) : redactUnparsed(text)
    }

    /// Removes user name and password, but keeps the whole query, which identifies what was fetched.
    static func removingCredentials(_ text: String) -> String? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        removeUser(from: handle)
        return part(CURLUPART_URL, of: handle)
    }

    /// The address that a download ended at, with the user name and password of the requested one if both have the same scheme,
    /// host and port. Another server never gets them.
    package static func restoringCredentials(of requested: URL, in reached: URL) -> URL {
        guard let asked = try? WebAddress(requested.absoluteString), asked.hasCredentials,
            let answered = try? WebAddress(reached.absoluteString), asked.origin == answered.origin,
            let source = curl_url()
        else { return reached }
        defer { curl_url_cleanup(source) }
        guard let target = curl_url() else { return reached }
        defer { curl_url_cleanup(target) }
        guard curl_url_set(source, CURLUPART_URL, asked.text, 0) == CURLUE_OK,
            curl_url_set(target, CURLUPART_URL, answered.text, 0) == CURLUE_OK
        else { return reached }
        for what in [CURLUPART_USER, CURLUPART_PASSWORD] {
            if let value = part(what, of: source) { curl_url_set(target, what, value, 0) }
        }
        return part(CURLUPART_URL, of: target).flatMap { URL(address: $0) } ?? reached
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

/// Makes the parts of a query, between its `&`, of the parts as they are written. `place` is the host and the path.
private typealias QueryRedaction = (_ items: [Substring], _ place: String) -> [String]

/// Removes the user name, the password, and query values that sign or authorise a request.
private func redactParsed(_ handle: OpaquePointer, _ redactQuery: QueryRedaction = redactItems) -> String {
    guard let copy = curl_url_dup(handle) else { return "(a URL)" }
    defer { curl_url_cleanup(copy) }
    removeUser(from: copy)
    curl_url_set(copy, CURLUPART_FRAGMENT, nil, 0)
    if let query = part(CURLUPART_QUERY, of: copy) {
        // By bytes, because a separator followed by a combining accent is another character.
        let items = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        let place = (part(CURLUPART_HOST, of: copy) ?? "") + (part(CURLUPART_PATH, of: copy) ?? "")
        curl_url_set(copy, CURLUPART_QUERY, redactQuery(items, place).joined(separator: "&"), 0)
    }
    return part(CURLUPART_URL, of: copy) ?? "(a URL)"
}

private func redactItems(_ items: [Substring], _ place: String) -> [String] {
    items.map { redactQueryItem($0, as: "REDACTED") }
}

/// See `WebAddress.identity`. A mark tells that something was left out, so that nobody takes the rest for the whole address.
private func identifyItems(_ items: [Substring], _ place: String, keepsTokens: Bool) -> [String] {
    let names = Set(items.map { queryName($0) })
    let signing = signingNames(among: names).union(keepsTokens ? [] : names.filter(authorises))
    let shown = items.filter { !signing.contains(queryName($0)) }.map { item in
        redactQueryItem(
            item, as: "REDACTED-" + String(ContentHash.number(of: "\(place)?\(item)"), radix: 16))
    }
    return signing.isEmpty ? shown : shown + ["REDACTED"]
}

/// Beside `Signature`: Amazon S3 (version 2), CloudFront, Google and Alibaba.
private let signatureNames: Set<String> = [
    "signature", "expires", "policy", "key-pair-id", "hash-algorithm", "awsaccesskeyid", "googleaccessid",
    "ossaccesskeyid", "security-token",
]
/// Azure's shared access signatures, which have `sig` and the version `sv`.
private let sharedAccessNames: Set<String> = [
    "sig", "sv", "ss", "srt", "sp", "se", "st", "spr", "sr", "sip", "si", "sdd", "ses", "skoid", "sktid",
    "skt", "ske", "sks", "skv", "saoid", "suoid", "scid",
]

/// Words of names that authorise a request, whatever the server.
private let authorisingWords: Set<String> = [
    "signature", "sig", "token", "accesstoken", "authtoken", "idtoken", "secret", "password", "passwd",
    "pass", "pwd", "auth", "authorization", "credential", "credentials", "session", "sessionid", "apikey",
    "accesskey",
]

/// Whether one of a name's words, or all of them together, authorise a request: `access_token`, `api-key`.
private func authorises(_ name: String) -> Bool {
    let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return !authorisingWords.isDisjoint(with: words + [words.joined()])
}

/// The parameters that sign a query, among all of its names in lower case. Short ones count only beside their signature: on
/// other servers, `se` or `expires` may choose the photo.
private func signingNames(among names: Set<String>) -> Set<String> {
    var signing = names.filter {
        $0.hasPrefix("x-amz-") || $0.hasPrefix("x-goog-") || $0.hasPrefix("x-oss-")
    }
    if names.contains("signature") { signing.formUnion(names.intersection(signatureNames)) }
    if names.contains("sig"), names.contains("sv") {
        signing.formUnion(names.intersection(sharedAccessNames))
    }
    return signing
}

/// The name of a query's part, in lower case.
private func queryName(_ item: Substring) -> String {
    item[..<(item.utf8.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex)].lowercased()
}

/// - Parameter shown: what takes the place of a secret.
private func redactQueryItem(_ item: Substring, as shown: @autoclosure () -> String) -> String {
    // Parts of the names that object stores use in presigned URLs, and of usual names for API keys.
    let secretWords = ["sig", "token", "key", "secret", "pass", "pwd", "auth", "credential", "session"]
    guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(item) }
    let name = item[..<equals].lowercased()
    return secretWords.contains { name.contains($0) } ? "\(item[..<equals])=\(shown())" : String(item)
}

/// Removes the parts of unparsed text that may contain a password or a token, and replaces control
/// characters, which a terminal would obey.
private func redactUnparsed(_ text: String) -> String {
    var shown = text.unicodeScalars[...]
    var prefix = ""
    if let at = shown.lastIndex(of: "@") { (prefix, shown) = ("REDACTED", shown[at...]) }
    var suffix = ""
    if let query = shown.firstIndex(of: "?") { (shown, suffix) = (shown[..<query], "?REDACTED") }
    let printable = shown.map { scalar in
        scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    return prefix + String(printable) + suffix
}
