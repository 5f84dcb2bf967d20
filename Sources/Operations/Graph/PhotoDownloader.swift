import Download
import Files
import Foundation
import Lists
import Locking
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
    ///   - retries: attempts after the first, where a failure may pass.
    ///   - byteLimit: a larger photo is a failure.
    ///   - certificateFile: a PEM file of certificate authorities to trust in place of libcurl's own.
    ///   - userAgentVersion: goes into the User-Agent, `tintype/VERSION`.
    ///   - onActiveCountChange: told how many transfers are on the wire whenever that has changed, on a
    ///     serial queue of the downloader's.
    /// - Throws: `DownloadError` where libcurl cannot work.
    public convenience init(
        retries: Int = 3, byteLimit: Int = 1 << 30, certificateFile: String? = nil,
        userAgentVersion: String = "library", logger: Logger = Logger(label: "tintype.download"),
        onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        var configuration = DownloaderConfiguration(version: userAgentVersion)
        configuration.logger = logger
        configuration.retry = RetryPolicy(retries: retries)
        configuration.byteLimit = byteLimit
        configuration.certificateFile = certificateFile
        try self.init(configuration, onActiveCountChange: onActiveCountChange)
    }

    /// Fetches a list of photos, and waits for it.
    ///
    /// - Parameter name: what messages call the list.
    /// - Throws: `DownloadError`, or `Errno` where the list cannot be read back.
    package func list(at url: URL, name: String) throws -> PhotoList {
        let arrival = Arrival()
        downloader.start(DownloadRequest(url: url)) { arrival.set($0) }
        let download = try arrival.wait().get()
        // Its own position in the file, which outlives the download.
        let file = try OpenFile(reopening: download.body.fileDescriptor)
        return PhotoList(file, origin: .remote(download.finalURL), name: name)
    }

    /// Ends all downloads and the thread, and waits for that. Later downloads fail at once.
    public func shutdown() { downloader.shutdown() }
}

/// Lets a thread wait for one download.
private final class Arrival: Sendable {
    private let result = Locked<Result<Downloaded, DownloadError>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func set(_ result: Result<Downloaded, DownloadError>) {
        self.result.withLock { $0 = result }
        semaphore.signal()
    }

    func wait() -> Result<Downloaded, DownloadError> {
        semaphore.wait()
        return result.withLock { $0 } ?? .failure(.library(reason: "the download has no result"))
    }
}
