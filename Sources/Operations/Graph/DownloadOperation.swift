import Compute
import Download
import Filters
import Foundation
import Imaging
import Locking
import Logging
import Photos

/// What is left of a photo's size.
public enum PhotoScale: Double, Sendable {
    case full = 1
    /// Both sides halved: each pixel is the mean of four.
    case half = 0.5
}

/// Fetches an image over the network without holding a thread.
///
/// Cancelling ends the transfer at once; the operation has finished when its socket is closed. What was
/// fetched need not be a photo: it may be one that is still to be decrypted.
// @unchecked: every property added here is immutable and Sendable, or Locked.
public final class DownloadOperation: ImageOperation, @unchecked Sendable {
    public let url: URL
    public let scale: PhotoScale
    private let downloader: PhotoDownloader
    private let byteLimit: Int?
    private let completion: ImageHandler?
    private let entry: JournalEntry?
    private let requiresPhoto: Bool
    private let transfer = Locked<DownloadTask?>(nil)
    private let answer = Locked<DownloadResponse?>(nil)

    /// What the server said; nil before the download has succeeded.
    public var response: DownloadResponse? { answer.withLock { $0 } }

    /// - Parameters:
    ///   - name: of the photo, for logs; nil takes the URL's last part.
    ///   - scale: `.half` decodes the photo and encodes it again, so it must be one.
    ///   - byteLimit: a larger body is a failure; nil takes the downloader's limit.
    ///   - requiresPhoto: whether a body that does not begin as a photo does is a failure.
    ///   - completion: called before anything that depends on this operation starts, unless it was cancelled;
    ///     on a background thread, where it must not block.
    public convenience init(
        _ url: URL, through downloader: PhotoDownloader, name: String? = nil, scale: PhotoScale = .full,
        byteLimit: Int? = nil, requiresPhoto: Bool = false, logger: Logger = Logger(label: "tintype"),
        completion: ImageHandler? = nil
    ) {
        self.init(
            url, through: downloader, name: name, scale: scale, byteLimit: byteLimit,
            requiresPhoto: requiresPhoto, entry: nil, logger: logger, completion: completion)
    }

    /// - Parameter entry: is asked first whether the photo is to be done; if not, nothing is fetched.
    package init(
        _ url: URL, through downloader: PhotoDownloader, name: String?, scale: PhotoScale = .full,
        byteLimit: Int? = nil, requiresPhoto: Bool = false, entry: JournalEntry?, logger: Logger,
        completion: ImageHandler? = nil
    ) {
        self.entry = entry
        self.url = url
        self.downloader = downloader
        self.scale = scale
        self.byteLimit = byteLimit
        self.requiresPhoto = requiresPhoto
        self.completion = completion
        super.init(name: name ?? url.lastPathComponent, image: nil, logger: logger)
    }

    /// - Returns: nil where `string` is no URL.
    public convenience init?(
        string: String, through downloader: PhotoDownloader, name: String? = nil, scale: PhotoScale = .full,
        byteLimit: Int? = nil, logger: Logger = Logger(label: "tintype"), completion: ImageHandler? = nil
    ) {
        guard let url = URL(string: string), url.scheme != nil else { return nil }
        self.init(
            url, through: downloader, name: name, scale: scale, byteLimit: byteLimit, logger: logger,
            completion: completion)
    }

    public override func main() {
        guard !isCancelled else { return end(with: nil) }
        do {
            guard try isToBeDone() else { return end(with: .success(.placeholder)) }
        } catch {
            return end(with: .failure(PhotoError(error, path: url.lastPathComponent)))
        }
        let request = DownloadRequest(
            url: url, priority: queuePriority.downloadPriority, byteLimit: byteLimit,
            partialsDirectory: entry?.journal.partialsFolder)
        // Called exactly once, whatever happens; until then it keeps this operation.
        let task = downloader.downloader.start(request) { self.received($0) }
        transfer.withLock { $0 = task }
        // Cancelled before there was a transfer that `cancelWork` could have ended.
        if isCancelled { task.cancel() }
    }

    private func isToBeDone() throws -> Bool {
        guard let entry else { return true }
        if case .work = try entry.admit() { return true }
        return false
    }

    public override func cancelWork() { transfer.withLock { $0 }?.cancel() }

    private func received(_ result: Result<Downloaded, DownloadError>) {
        transfer.withLock { $0 = nil }
        guard !isCancelled else { return end(with: nil) }
        let image: EncodedImage
        do {
            let download = try result.get()
            entry?.note(download)
            answer.withLock { $0 = download.response }
            image = try EncodedImage(download.body)
            if requiresPhoto, image.format == nil { try image.requirePhoto() }
        } catch {
            return conclude(.failure(PhotoError(error, path: url.lastPathComponent)))
        }
        guard scale == .half else { return conclude(.success(image)) }
        // The thread that got here serves all downloads.
        DispatchQueue.global().async { self.conclude(self.halved(image)) }
    }

    private func halved(_ image: EncodedImage) -> Result<EncodedImage, PhotoError>? {
        do {
            let pipeline = PhotoPipeline(Recipe(FilterChain([]), halvesSize: true))
            return .success(try pipeline.process(image, on: SIMDDevice(), isCancelled: { isCancelled }).image)
        } catch is CancellationError {
            return nil
        } catch {
            return .failure(PhotoError(error, path: name ?? ""))
        }
    }

    private func conclude(_ result: Result<EncodedImage, PhotoError>?) {
        let result = isCancelled ? nil : result
        if case .failure(let error) = result { entry?.fail(error) }
        if let result { completion?(result) }
        end(with: result)
    }
}

extension Operation.QueuePriority {
    fileprivate var downloadPriority: DownloadRequest.Priority {
        switch self {
        case .veryLow, .low: .low
        case .high, .veryHigh: .high
        default: .normal
        }
    }
}
