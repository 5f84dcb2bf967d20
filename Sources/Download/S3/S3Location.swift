import Foundation
import TintypeFiles

/// An object of an S3 bucket, or the prefix of several: `s3://bucket/photos/a.jpg`.
///
/// As with Amazon's own tool, the key is written as it is, not percent-encoded.
public struct S3Location: Hashable, Sendable {
    public let bucket: String
    /// Without a slash in front, unless the key itself begins with one. Empty for the whole bucket.
    public let key: String

    private static let prefix = "s3://"

    /// Whether both are one location. Keys are compared by bytes, as S3 does.
    public static func == (first: Self, second: Self) -> Bool {
        first.bucket == second.bucket && first.key.exact == second.key.exact
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bucket)
        hasher.combine(key.exact)
    }

    /// Whether text is meant as a location.
    public static func isLocation(_ text: String) -> Bool {
        Substring(text.unicodeScalars.prefix(prefix.unicodeScalars.count)).lowercased() == prefix
    }

    /// Parses `s3://bucket/key`.
    ///
    /// - Throws: `DownloadError.badURL`.
    public init(_ text: String) throws(DownloadError) {
        guard Self.isLocation(text),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .badURL(url: text.printableName, reason: "it is no s3://bucket/key") }
        // By bytes: a slash and an accent after it are one character.
        let parts = text.utf8.dropFirst(Self.prefix.utf8.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        try self.init(bucket: parts[0], key: parts.count > 1 ? parts[1] : "")
    }

    /// - Throws: `DownloadError.badURL` for a bucket's name that no server allows.
    package init(bucket: String, key: String) throws(DownloadError) {
        let isPlain = bucket.utf8.allSatisfy {
            ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || "-._".utf8.contains($0)
        }
        guard isPlain, bucket.utf8.count <= 255, bucket.contains(where: { $0 != "." }) else {
            throw .badURL(url: "s3://\(bucket)".printableName, reason: "'\(bucket)' is no bucket's name")
        }
        self.bucket = bucket
        self.key = key
    }

    /// - Returns: nil unless the URL is one of `url`.
    package init?(_ url: URL) {
        guard url.scheme == "s3", let bucket = url.host(percentEncoded: false),
            let path = url.path(percentEncoded: true).removingPercentEncoding,
            let location = try? S3Location(bucket: bucket, key: String(Substring(path.utf8.dropFirst())))
        else { return nil }
        self = location
    }

    /// - Returns: nil unless the text is that of `url`.
    init?(encoded text: String) {
        guard Self.isLocation(text), let url = URL(string: text) else { return nil }
        self.init(url)
    }

    /// The location as users write it.
    public var text: String { "\(Self.prefix)\(bucket)/\(key)" }

    /// The location as a URL, whose path is percent-encoded.
    package var url: URL {
        guard let url = URL(string: "\(Self.prefix)\(bucket)/\(S3Text.path(key))") else {
            preconditionFailure("an encoded key makes a URL")
        }
        return url
    }

    /// Whether it ends in a slash or is a bucket, so that it can only name several objects.
    public var isFolder: Bool { key.isEmpty || key.utf8.last == UInt8(ascii: "/") }

    /// The location with a slash at its end, unless it is a bucket.
    package var asFolder: S3Location { isFolder ? self : appending("") }

    /// The location of a key below this one.
    package func appending(_ name: String) -> S3Location {
        S3Location(
            bucket: bucket, unchecked: isFolder ? key + name : "\(key)/\(name)")
    }

    /// The rest of a key in this folder; nil for another one's key.
    package func name(of location: S3Location) -> String? {
        // By bytes: a slash and an accent after it are one character.
        let prefix = asFolder.key.utf8
        guard location.bucket == bucket, location.key.utf8.starts(with: prefix) else { return nil }
        return String(Substring(location.key.utf8.dropFirst(prefix.count)))
    }

    private init(bucket: String, unchecked key: String) {
        self.bucket = bucket
        self.key = key
    }
}

/// Percent-encoding as S3 signs it: everything but letters, digits and `-._~`.
enum S3Text {
    /// A key as the path of a URL; its slashes stay.
    static func path(_ key: String) -> String { encode(key, keeping: "/") }

    /// The queries in the order in which they are signed.
    static func query(_ items: [String: String]) -> String {
        items.map { (encode($0.key), encode($0.value)) }.sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    static func encode(_ text: String, keeping others: String = "") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            let letter = byte | 0x20
            if letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
                || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "-._~".utf8.contains(byte)
                || others.utf8.contains(byte)
            {
                encoded.append(byte)
            } else {
                encoded += byte.percentEncoded
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
