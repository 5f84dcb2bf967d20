import CTintypeCurl

/// Proves that two responses carry parts of the same bytes; the value of an `If-Range` header.
///
/// Source: RFC 9110, 8.8 and 13.1.5. An entity tag counts unless it is weak (`W/`). A date counts only if
/// there is no entity tag, and the response is at least one second younger than the content.
struct StrongValidator: Codable, Equatable {
    let text: String

    init?(_ head: ResponseHead) {
        if let tag = head.eTag {
            guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 1 else { return nil }
            text = tag
        } else if let modified = head.lastModified, let date = head.date {
            let modifiedSeconds = curl_getdate(modified, nil)
            let dateSeconds = curl_getdate(date, nil)
            guard modifiedSeconds != -1, dateSeconds != -1, dateSeconds > modifiedSeconds else { return nil }
            text = modified
        } else {
            return nil
        }
    }
}
