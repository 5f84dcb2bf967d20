import Foundation
import TintypeDownload
import TintypeFiles

/// Parses an entry's text as a path or an address.
package enum ListLocation {
    /// - Parameter allowsControls: whether a path may have control characters, such as a line break.
    package static func read(
        _ text: String, at position: ListPosition?, from origin: ListOrigin, allowsControls: Bool = false
    ) throws(ListError) -> ListEntry.Location {
        guard !text.isEmpty else { throw ListError(.noLocation, at: position) }
        let scheme = scheme(of: text)
        if case .folder = origin, allowsControls, scheme == nil {
            guard !text.utf8.contains(0) else { throw ListError(.controlCharacter, at: position) }
        } else if text.hasControls {
            throw ListError(.controlCharacter, at: position)
        }
        if S3Location.isLocation(text) {
            guard let location = try? S3Location(text), !location.isFolder else {
                throw ListError(.invalidAddress(text), at: position)
            }
            return .url(location.url)
        }
        switch origin {
        case .folder(let folder):
            guard let scheme else {
                // By bytes, here and below: a slash followed by a combining accent is one character.
                let isAbsolute = text.utf8.first == UInt8(ascii: "/")
                return .file(path: isAbsolute ? text : folder.appendingPathComponent(text))
            }
            if scheme == "file" { return .file(path: try filePath(text, position)) }
            guard let url = URL(address: text) else { throw ListError(.invalidAddress(text), at: position) }
            return .url(try checked(url, text, position))
        case .remote(let base):
            if scheme == "file" { throw ListError(.localFileInRemoteList(text), at: position) }
            guard let url = URL(address: text, relativeTo: base)?.absoluteURL else {
                throw ListError(.invalidAddress(text), at: position)
            }
            return .url(try checked(url, text, position))
        }
    }

    /// The text before `://`, or `file` for `file:/`; nil for paths such as `a:b.jpg`.
    private static func scheme(of text: String) -> String? {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.first?.isLetter == true,
            bytes[..<colon].allSatisfy({
                $0.isLetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.".utf8.contains($0)
            })
        else { return nil }
        let scheme = text[..<colon].lowercased(), rest = bytes[colon...]
        let isAddress = rest.starts(with: "://".utf8) || scheme == "file" && rest.starts(with: ":/".utf8)
        return isAddress ? scheme : nil
    }

    private static func checked(_ url: URL, _ text: String, _ position: ListPosition?) throws(ListError)
        -> URL
    {
        guard let scheme = url.scheme?.lowercased(), ["http", "https", "s3"].contains(scheme) else {
            throw ListError(.unsupportedScheme(text), at: position)
        }
        guard let host = url.host, !host.isEmpty else { throw ListError(.invalidAddress(text), at: position) }
        return url
    }

    private static func filePath(_ text: String, _ position: ListPosition?) throws(ListError) -> String {
        guard let url = URL(address: text), url.host ?? "" == "" || url.host?.lowercased() == "localhost",
            let path = url.path(percentEncoded: true).removingPercentEscapes,
            path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0)
        else { throw ListError(.invalidAddress(text), at: position) }
        return path
    }
}

extension String {
    /// Whether there is a control character: Unicode's category Cc, which never grows.
    fileprivate var hasControls: Bool {
        let bytes = utf8
        if bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) { return false }
        return unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
    }
}

extension UInt8 {
    /// Of ASCII.
    fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}
