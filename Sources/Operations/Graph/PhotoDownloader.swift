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

    /// - Parameter onActiveCountChange: told how many transfers are on the wire whenever that has changed, on a
    ///   serial queue of the downloader's.
    /// - Throws: `DownloadError` where libcurl cannot work.
    public init(
        _ configuration: DownloaderConfiguration = DownloaderConfiguration(),
        onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        downloader = try Downloader(configuration, onActiveCountChange: onActiveCountChange)
    }

    /// Fetches a list of photos: text, CSV, JSON or a property list.
    ///
    /// - Parameter name: what messages call the list; nil takes the URL's last part.
    /// - Throws: `DownloadError`, or `Errno` where the list cannot be read back. What is wrong in the list itself
    ///   is told while it is read.
    public func list(at url: URL, name: String? = nil) async throws -> sending PhotoList {
        try Self.list(
            in: try await downloader.download(DownloadRequest(url: url)), name ?? url.lastPathComponent)
    }

    /// The same for a thread that may wait.
    package func listWaiting(at url: URL, name: String) throws -> PhotoList {
        let arrival = Arrival()
        downloader.start(DownloadRequest(url: url)) { arrival.set($0) }
        return try Self.list(in: try arrival.wait().get(), name)
    }

    private static func list(in download: Downloaded, _ name: String) throws -> sending PhotoList {
        // Its own position in the file, which outlives the download.
        let file = try OpenFile(reopening: download.body.fileDescriptor)
        return PhotoList(file, origin: .remote(download.response.finalURL), name: name)
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
