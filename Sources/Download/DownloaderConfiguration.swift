import Foundation
import Logging

/// Settings of a downloader. All default numbers are chosen by eye, for photo sets on ordinary web servers.
public struct DownloaderConfiguration: Sendable {
    /// The proxy that requests use.
    public enum Proxy: Hashable, Sendable {
        /// The proxies of `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
        case environment
        /// No proxy.
        case direct
        /// This proxy's URL, for every host.
        case server(String)
    }

    /// A user's name and password. Never printed.
    public struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        public var user: String
        public var password: String

        public var description: String { "credentials of \(user)" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// The User-Agent header.
    public var userAgent = "tintype"
    /// Concurrent transfers, over all hosts. At least 1.
    public var maximumTransfers = 16
    /// Concurrent transfers to one host, which is scheme, name and port of the requested URL. At least 1.
    public var maximumTransfersPerHost = 6
    /// Largest accepted body in bytes, for requests without a limit of their own.
    public var byteLimit = 1 << 30
    /// The most redirects that an attempt follows, at least 0.
    public var maximumRedirects = 5

    /// Longest time to connect, including the TLS handshake.
    public var connectTimeout: Duration = .seconds(15)
    /// An attempt that receives fewer than `minimumBytesPerSecond` for this long has stalled. Rounded down to
    /// whole seconds, at least 1.
    public var stallTimeout: Duration = .seconds(30)
    /// The speed below which an attempt has stalled, see `stallTimeout`; 0 turns this off.
    public var minimumBytesPerSecond = 100
    /// Longest time of a download, with all attempts and the waits between them.
    public var timeout: Duration = .seconds(3600)
    /// When a failed attempt is repeated.
    public var retry = RetryPolicy()

    public var proxy = Proxy.environment
    /// Headers of every request. After a redirect to another host, libcurl omits `Authorization` and
    /// `Cookie`, but sends all others.
    public var headers: [String: String] = [:]
    /// Where the objects of `s3://` addresses are.
    public var s3 = S3Configuration()
    /// HTTP Basic authentication for addresses without credentials of their own. Not sent to other hosts
    /// after a redirect.
    public var credentials: Credentials?
    /// A PEM file of trusted certificate authorities, which replaces libcurl's default bundle file. The
    /// system's certificate directory, if libcurl uses one, stays trusted.
    public var certificateFile: String?
    /// The folder for unnamed files that hold the bodies.
    public var spoolDirectory = Self.defaultSpoolDirectory
    /// Logs attempts at level debug, retries at info, and a failure of all downloads at error.
    public var logger = Logger(label: "tintype.download")

    /// The default settings.
    public init() {}

    /// `TMPDIR`, otherwise `/var/tmp`: unlike `/tmp`, it is not in memory, and bodies can be large.
    package static var defaultSpoolDirectory: URL {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return URL(fileURLWithPath: named.isEmpty ? "/var/tmp" : named, isDirectory: true)
    }
}
