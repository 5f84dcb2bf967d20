import Foundation
import Logging

/// How downloads behave. All default numbers are chosen by eye, for photo sets on ordinary web servers.
public struct DownloaderConfiguration: Sendable {
    /// Which proxy the requests go through.
    public enum Proxy: Hashable, Sendable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        case direct
        /// For every host.
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

    /// Goes into the User-Agent header.
    public var userAgent = "tintype"
    /// Transfers on the wire at once, over all hosts.
    public var maximumTransfers = 16
    /// Transfers on the wire at once to one host: scheme, name and port of the URL asked for.
    public var maximumTransfersPerHost = 6
    /// Largest body accepted where a request names no limit of its own.
    public var byteLimit = 1 << 30
    public var maximumRedirects = 5

    /// From the start of an attempt until the connection, with its TLS handshake, stands.
    public var connectTimeout: Duration = .seconds(15)
    /// An attempt that receives fewer than `minimumBytesPerSecond` for this long has stalled. Whole seconds.
    public var stallTimeout: Duration = .seconds(30)
    public var minimumBytesPerSecond = 100
    /// From the start of the first attempt to the end: all attempts and the waits between them.
    public var timeout: Duration = .seconds(3600)
    public var retry = RetryPolicy()

    public var proxy = Proxy.environment
    /// Sent with every request. libcurl keeps `Authorization` and `Cookie` from hosts that redirects lead to;
    /// all others are sent to them too.
    public var headers: [String: String] = [:]
    /// Sent as HTTP's Basic authentication where an address has none of its own; not to other hosts that
    /// redirects lead to.
    public var credentials: Credentials?
    /// A PEM file of certificate authorities to trust, in place of libcurl's default bundle file. The
    /// system's certificate directory, where libcurl has one, stays trusted.
    public var certificateFile: String?
    /// Where bodies are spooled, in files without a name.
    public var spoolDirectory = Self.defaultSpoolDirectory
    public var logger = Logger(label: "tintype.download")

    public init() {}

    /// `TMPDIR`, else `/var/tmp`: unlike `/tmp` that is never a memory file system, and bodies can be large.
    package static var defaultSpoolDirectory: URL {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return URL(fileURLWithPath: named.isEmpty ? "/var/tmp" : named, isDirectory: true)
    }
}
