import Foundation
import Logging
import TintypeDownload
import TintypeFiles
import TintypeLists
import TintypeLocking
import TintypePhotos

/// Downloads photos for any number of download operations, on one thread of its own.
///
/// Keep a reference to it while operations use it. Once released, it closes all connections and ends its
/// thread; downloads in progress fail.
public final class PhotoDownloader: Sendable {
    package let downloader: Downloader

    /// - Parameter onActiveCountChange: called with the number of active transfers whenever it changes, on a
    ///   serial queue of the downloader.
    /// - Throws: `DownloadError` if libcurl cannot be initialised.
    public init(
        _ configuration: DownloaderConfiguration = DownloaderConfiguration(),
        onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        downloader = try Downloader(configuration, onActiveCountChange: onActiveCountChange)
    }

    /// Downloads an image without holding a thread. Cancelling the task ends the transfer. The body need not be a photo: it
    /// may be encrypted (`DecryptionKey`).
    ///
    /// - Parameters:
    ///   - byteLimit: a larger body fails; nil takes the configuration's limit.
    ///   - onProgress: called about ten times a second while bytes arrive, and once when the body is complete, on a
    ///     serial queue of the downloader.
    /// - Throws: `DownloadError`, or `PhotoError` if the body cannot be kept.
    public func image(
        at url: URL, byteLimit: Int? = nil, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws -> EncodedImage {
        let request = DownloadRequest(url: url, byteLimit: byteLimit)
        return try EncodedImage(try await downloader.download(request, onProgress: onProgress).body)
    }

    /// Downloads a list of photos: text, CSV, JSON or a property list. Its relative entries have the user name and password of
    /// the list's URL, unless that is redirected to another server.
    ///
    /// - Parameter name: the list's name in messages; nil takes the URL's last component.
    /// - Throws: `DownloadError`, or `Errno` if the downloaded file cannot be opened. Errors in the list
    ///   itself are thrown while it is read.
    public func list(at url: URL, name: String? = nil) async throws -> sending PhotoList {
        try Self.list(
            in: try await downloader.download(DownloadRequest(url: url)), at: url,
            name ?? url.lastPathComponent, lendsCredentials: true)
    }

    /// Downloads a list, and blocks the calling thread meanwhile.
    ///
    /// - Parameter lendsCredentials: whether relative entries have the list's user name and password.
    package func listWaiting(at url: URL, name: String, lendsCredentials: Bool) throws -> PhotoList {
        let arrival = Arrival()
        downloader.start(DownloadRequest(url: url)) { arrival.set($0) }
        return try Self.list(
            in: try arrival.wait().get(), at: url, name, lendsCredentials: lendsCredentials)
    }

    private static func list(
        in download: Downloaded, at url: URL, _ name: String, lendsCredentials: Bool
    ) throws -> sending PhotoList {
        // Opened anew: it has its own position, and outlives the download.
        let file = try OpenFile(reopening: download.body.fileDescriptor)
        let reached = download.response.finalURL
        let base = lendsCredentials ? WebAddress.restoringCredentials(of: url, in: reached) : reached
        return PhotoList(file, origin: .remote(base), name: name)
    }

    /// Ends all downloads and the thread, and waits until they have ended. Later downloads fail at once.
    public func shutdown() { downloader.shutdown() }
}

/// Makes a thread wait for one download.
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
