import Foundation
import Logging
import TintypeCompute
import TintypeDevices
import TintypeDownload
import TintypeFilters
import TintypeImaging
import TintypeLocking
import TintypePhotos

/// The size of a photo relative to the original.
public enum PhotoScale: Double, Sendable {
    /// The original size.
    case full = 1
    /// Both sides halved: each pixel is the mean of four.
    case half = 0.5
}

/// Downloads an image without holding a thread.
///
/// Cancelling ends the transfer at once; the operation finishes when its socket is closed. The body need not
/// be a photo: it may be encrypted.
// @unchecked: every property added here is immutable and Sendable, or Locked.
public final class DownloadOperation: ImageOperation, @unchecked Sendable {
    /// The image's address.
    public let url: URL
    /// The size of the result relative to the downloaded image.
    public let scale: PhotoScale
    private let downloader: PhotoDownloader
    private let byteLimit: Int?
    private let completion: ImageHandler?
    private let entries: [any OutputEntry]
    private let requiresPhoto: Bool
    private let devices: DevicePool?
    private let transfer = Locked<DownloadTask?>(nil)
    private let progressHandler = Locked<(@Sendable (DownloadProgress) -> Void)?>(nil)
    private let answer = Locked<DownloadResponse?>(nil)

    /// The server's response; nil until the download has succeeded.
    public var response: DownloadResponse? { answer.withLock { $0 } }

    /// - Parameters:
    ///   - name: the photo's name, for logs; nil takes the URL's last component.
    ///   - scale: `.half` decodes the photo and encodes it again; a body that is not a photo then fails.
    ///   - byteLimit: a larger body fails; nil takes the downloader's limit.
    ///   - requiresPhoto: whether a body fails if its first bytes are not a photo's.
    ///   - completion: called on a background thread before dependent operations start, unless the operation
    ///     was cancelled. It must not block.
    public convenience init(
        _ url: URL, through downloader: PhotoDownloader, name: String? = nil, scale: PhotoScale = .full,
        byteLimit: Int? = nil, requiresPhoto: Bool = false, logger: Logger = Logger(label: "tintype"),
        completion: ImageHandler? = nil
    ) {
        self.init(
            url, through: downloader, name: name, scale: scale, byteLimit: byteLimit,
            requiresPhoto: requiresPhoto, entries: [], logger: logger, completion: completion)
    }

    /// - Parameters:
    ///   - devices: those that will filter the photo. Once none is left, nothing is downloaded.
    ///   - entries: those of the photo's outputs. They decide first whether it is filtered; if not, nothing is downloaded.
    package init(
        _ url: URL, through downloader: PhotoDownloader, name: String?, scale: PhotoScale = .full,
        byteLimit: Int? = nil, requiresPhoto: Bool = false, devices: DevicePool? = nil,
        entries: [any OutputEntry], logger: Logger, completion: ImageHandler? = nil
    ) {
        self.entries = entries
        self.url = url
        self.downloader = downloader
        self.scale = scale
        self.byteLimit = byteLimit
        self.requiresPhoto = requiresPhoto
        self.devices = devices
        self.completion = completion
        super.init(name: name ?? url.lastPathComponent, image: nil, logger: logger)
    }

    /// - Returns: nil if `string` is not an absolute URL.
    public convenience init?(
        string: String, through downloader: PhotoDownloader, name: String? = nil, scale: PhotoScale = .full,
        byteLimit: Int? = nil, logger: Logger = Logger(label: "tintype"), completion: ImageHandler? = nil
    ) {
        guard let url = URL(address: string), url.scheme != nil else { return nil }
        self.init(
            url, through: downloader, name: name, scale: scale, byteLimit: byteLimit, logger: logger,
            completion: completion)
    }

    /// Calls `handler` about ten times a second while bytes arrive, and once when the body is complete, on a serial queue of
    /// the downloader. It must not block. Set it before the operation is added to a queue.
    public func onProgress(_ handler: @escaping @Sendable (DownloadProgress) -> Void) {
        progressHandler.withLock { $0 = handler }
    }

    /// Starts the download and returns. The operation finishes once there is an image or an error.
    public override func main() {
        guard !isCancelled else { return end(with: nil) }
        do {
            guard try entries.needPhoto(isCancelled: { self.isCancelled }) else {
                return end(with: isCancelled ? nil : .success(.placeholder))
            }
        } catch is CancellationError {
            return end(with: nil)
        } catch {
            return end(with: .failure(PhotoError(error, path: url.lastPathComponent)))
        }
        if devices?.isUsable == false { return conclude(.failure(.noDeviceLeft)) }
        let request = DownloadRequest(
            url: url, priority: queuePriority.downloadPriority, byteLimit: byteLimit,
            partialsDirectory: entries.first?.partialsFolder)
        // The closure is called exactly once, and retains this operation until then.
        let onProgress = progressHandler.withLock { $0 }
        let task = downloader.downloader.start(request, onProgress: onProgress) { self.received($0) }
        transfer.withLock { $0 = task }
        // `cancelWork` may have run before the task was stored.
        if isCancelled { task.cancel() }
    }

    public override func cancelWork() { transfer.withLock { $0 }?.cancel() }

    private func received(_ result: Result<Downloaded, DownloadError>) {
        transfer.withLock { $0 = nil }
        guard !isCancelled else { return end(with: nil) }
        let image: EncodedImage
        do {
            let download = try result.get()
            entries.forEach { $0.note(download) }
            answer.withLock { $0 = download.response }
            image = try EncodedImage(download.body)
            if requiresPhoto, image.format == nil { try image.requirePhoto() }
        } catch {
            return conclude(.failure(PhotoError(error, path: url.lastPathComponent)))
        }
        guard scale == .half else { return conclude(.success(image)) }
        // This thread serves all downloads, so decode on another one.
        DispatchQueue.global().async { self.conclude(self.halved(image)) }
    }

    private func halved(_ image: EncodedImage) -> Result<EncodedImage, PhotoError>? {
        do {
            let pipeline = PhotoPipeline(Recipe(FilterChain([]), halvesSize: true))
            return .success(
                try pipeline.process(image, on: SIMDDevice(), isCancelled: { self.isCancelled }).image)
        } catch is CancellationError {
            return nil
        } catch {
            return .failure(PhotoError(error, path: name ?? ""))
        }
    }

    private func conclude(_ result: Result<EncodedImage, PhotoError>?) {
        let result = isCancelled ? nil : result
        if case .failure(let error) = result { entries.forEach { $0.fail(error) } }
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
