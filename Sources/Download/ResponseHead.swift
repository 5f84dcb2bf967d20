/// Status and headers of one HTTP response.
package struct ResponseHead: Equatable {
    package private(set) var status: Int?
    /// Headers by lower-case names.
    package private(set) var fields: [String: String] = [:]

    package init() {}

    var eTag: String? { fields["etag"] }
    var lastModified: String? { fields["last-modified"] }
    var date: String? { fields["date"] }
    var location: String? { fields["location"] }
    /// How the body is packed, such as `gzip`; nil if it is sent as it is.
    var contentEncoding: String? {
        fields["content-encoding"].flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
    }

    /// Reads one header line from libcurl. A status line starts over, because redirects and 1xx responses
    /// come first.
    package mutating func read(line: String) {
        if line.hasPrefix("HTTP/") {
            let words = line.split(separator: " ", maxSplits: 2)
            self = ResponseHead()
            status = words.count > 1 ? Int(words[1].prefix(3)) : nil
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        // Of several, the first counts: the origin's comes before those that proxies append.
        guard fields[name] == nil else { return }
        var value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
        while value.last?.isWhitespace == true { value.removeLast() }
        fields[name] = String(value)
    }

    /// `bytes FIRST-LAST/TOTAL` of a 206 response; the total is nil if the server sends `*`.
    var contentRange: (range: ClosedRange<Int>, total: Int?)? {
        guard let words = fields["content-range"]?.split(separator: " "), words.count == 2,
            words[0].lowercased() == "bytes"
        else { return nil }
        let halves = words[1].split(separator: "/")
        guard halves.count == 2 else { return nil }
        let bounds = halves[0].split(separator: "-")
        guard bounds.count == 2, let first = Int(bounds[0]), let last = Int(bounds[1]), first <= last else {
            return nil
        }
        if halves[1] == "*" { return (first...last, nil) }
        guard let total = Int(halves[1]), last < total else { return nil }
        return (first...last, total)
    }
}
