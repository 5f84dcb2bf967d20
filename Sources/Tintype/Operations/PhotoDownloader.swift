import Download
import Foundation
import Logging

/// Fetches photos from the network for any number of download operations, on one thread of its own.
///
/// Keep it for as long as its operations are needed: once released, it closes every connection and ends its
/// thread, and downloads under way fail.
public final class PhotoDownloader: Sendable {
    package let downloader: Downloader

    package init(
        _ configuration: DownloaderConfiguration, onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        downloader = try Downloader(configuration, onActiveCountChange: onActiveCountChange)
    }

    /// - Parameters:
    ///   - userAgentVersion: goes into the User-Agent, `tintype/VERSION`.
    ///   - onActiveCountChange: told how many transfers are on the wire whenever that has changed, on a
    ///     serial queue of the downloader's.
    /// - Throws: `DownloadError` where libcurl cannot work.
    public convenience init(
        userAgentVersion: String = "library", logger: Logger = Logger(label: "tintype.download"),
        onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        var configuration = DownloaderConfiguration(version: userAgentVersion)
        configuration.logger = logger
        try self.init(configuration, onActiveCountChange: onActiveCountChange)
    }

    /// Ends all downloads and the thread, and waits for that. Later downloads fail at once.
    public func shutdown() { downloader.shutdown() }
}
