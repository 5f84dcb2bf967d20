import Foundation

/// Where the objects of `s3://` addresses are: Amazon's servers, or others with the same interface.
///
/// What is nil comes from the variables and files that Amazon's own tools read: `AWS_REGION`, `AWS_ENDPOINT_URL_S3`,
/// `AWS_PROFILE`, `~/.aws/config`.
public struct S3Configuration: Hashable, Sendable {
    /// How a bucket is named in an address.
    public enum Addressing: String, CaseIterable, Hashable, Sendable {
        /// As a part of the server's name on Amazon's servers, unless it has a dot; in the path on others.
        case auto
        /// `https://server/bucket/key`.
        case path
        /// `https://bucket.server/key`.
        case virtual
    }

    /// The server's address, such as `https://storage.example.org`; nil takes the usual variables, then Amazon's.
    public var endpoint: String?
    /// The region that requests are signed for; nil takes the usual variables, then `us-east-1`.
    public var region: String?
    public var addressing = Addressing.auto
    /// Stands for the variables of the process, in tests.
    var environment: [String: String]?

    /// The default settings.
    public init() {}

    /// Where requests go and how they are signed, as variables and files say now.
    ///
    /// - Throws: `DownloadError.badEndpoint`.
    package func resolved() throws(DownloadError) -> S3Endpoint {
        try S3Endpoint(self, S3Profile(environment ?? ProcessInfo.processInfo.environment))
    }

    /// Whether text is a server's address, without a user or a query. Without its scheme, libcurl would guess `http`.
    package static func isEndpoint(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) }) else {
            return false
        }
        let host = text.utf8.dropFirst(scheme.utf8.count).first
        return host != nil && host != UInt8(ascii: "/")
            && !text.unicodeScalars.contains {
                "@?#".unicodeScalars.contains($0) || $0.properties.isWhitespace
                    || $0.properties.generalCategory == .control
            }
    }
}

/// A server, and how it names buckets.
package struct S3Endpoint {
    let region: String
    /// Without a slash at the end.
    private let base: String
    private let isVirtual: (String) -> Bool
    let credentials: S3Credentials?
    /// The profile whose credentials were looked for.
    let profileName: String

    /// - Throws: `DownloadError.badEndpoint`.
    init(_ configuration: S3Configuration, _ profile: S3Profile) throws(DownloadError) {
        region = configuration.region ?? profile.region ?? "us-east-1"
        let own = configuration.endpoint ?? profile.endpoint?.text
        if let own, !S3Configuration.isEndpoint(own) {
            let setting = configuration.endpoint == nil ? profile.endpoint?.setting : nil
            throw .badEndpoint(setting: setting ?? "S3Configuration.endpoint")
        }
        var base = own ?? "https://s3.\(region).amazonaws.com"
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        let addressing =
            configuration.addressing == .auto ? profile.addressing ?? .auto : configuration.addressing
        isVirtual = { bucket in
            switch addressing {
            // A certificate of `*.server` does not cover a name with one more dot.
            case .auto: own == nil && !bucket.contains(".")
            case .path: false
            case .virtual: true
            }
        }
        credentials = profile.credentials
        profileName = profile.name
    }

    /// The address of a request.
    package func url(_ location: S3Location, query: [String: String] = [:]) -> String {
        let path = S3Text.path(location.key)
        var url = "\(base)/\(location.bucket)/\(path)"
        if isVirtual(location.bucket), let scheme = base.range(of: "://") {
            url = "\(base[..<scheme.upperBound])\(location.bucket).\(base[scheme.upperBound...])/\(path)"
        }
        return query.isEmpty ? url : "\(url)?\(S3Text.query(query))"
    }
}
