import Foundation
import Logging

/// How a `Downloader` behaves. All default numbers are chosen by eye, for photo sets on ordinary web servers.
package struct DownloaderConfiguration: Sendable {
    /// Which proxy the requests go through.
    package enum Proxy: Hashable, Sendable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        case direct
        /// For every host.
        case server(String)
    }

    package var userAgent: String
    /// Transfers on the wire at once, over all hosts.
    package var maximumTransfers = 16
    /// Transfers on the wire at once to one host: scheme, name and port of the URL asked for.
    package var maximumTransfersPerHost = 6
    /// Largest body accepted where a request names no limit of its own.
    package var byteLimit = 1 << 30
    package var maximumRedirects = 5

    /// From the start of an attempt until the connection, with its TLS handshake, stands.
    package var connectTimeout: Duration = .seconds(15)
    /// An attempt that receives fewer than `minimumBytesPerSecond` for this long has stalled. Whole seconds.
    package var stallTimeout: Duration = .seconds(30)
    package var minimumBytesPerSecond = 100
    /// From the start of the first attempt to the end: all attempts and the waits between them.
    package var timeout: Duration = .seconds(3600)
    package var retry = RetryPolicy()

    package var proxy = Proxy.environment
    /// A PEM file of certificate authorities to trust, in place of libcurl's default bundle file. The
    /// system's certificate directory, where libcurl has one, stays trusted.
    package var certificateFile: String?
    /// Where bodies are spooled, in files without a name.
    package var spoolDirectory = Self.defaultSpoolDirectory
    package var logger = Logger(label: "tintype.download")

    /// - Parameter version: of Tintype, for the User-Agent `tintype/VERSION`.
    package init(version: String) {
        userAgent = "tintype/\(version)"
    }

    /// `TMPDIR`, else `/var/tmp`: unlike `/tmp` that is never a memory file system, and bodies can be large.
    package static var defaultSpoolDirectory: URL {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return URL(fileURLWithPath: named.isEmpty ? "/var/tmp" : named, isDirectory: true)
    }
}
