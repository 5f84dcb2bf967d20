import Foundation
import Locking

/// One photo of a session: where it comes from, and how far it is.
///
/// Only its session changes a record, on the serial main queue; any thread may look.
public final class PhotoRecord: Sendable {
    public enum State: Hashable, Sendable {
        case new
        case downloaded
        case filtered
        case failed
    }

    private enum Progress {
        case new
        case downloaded(EncodedImage)
        /// Nil where the image was let go of.
        case filtered(EncodedImage?)
        case failed(PhotoError)
    }

    public let name: String
    public let url: URL
    /// A local file needs no download.
    private let localImage: EncodedImage?
    private let progress: Locked<Progress>

    /// A photo that is to be downloaded.
    ///
    /// - Parameter name: nil takes the URL's last part.
    public init(url: URL, name: String? = nil) {
        self.url = url
        self.name = name ?? url.lastPathComponent
        localImage = nil
        progress = Locked(.new)
    }

    /// A photo on this machine's disk: it begins as downloaded, and is read when its filter runs.
    ///
    /// - Throws: `PhotoError` where it cannot be read now.
    public convenience init(path: String, name: String? = nil) throws(PhotoError) {
        self.init(local: try EncodedImage(path: path), path: path, name: name)
    }

    /// A photo of a run: one on this machine's disk or from a pipe begins as downloaded, one with an address
    /// as new.
    public convenience init(_ photo: InputPhoto) {
        if case .address(let url) = photo.location {
            self.init(url: url, name: photo.path)
        } else {
            self.init(local: EncodedImage(photo) ?? .placeholder, path: photo.path, name: photo.path)
        }
    }

    private init(local image: EncodedImage, path: String, name: String?) {
        url = URL(fileURLWithPath: path)
        self.name = name ?? url.lastPathComponent
        localImage = image
        progress = Locked(.downloaded(image))
    }

    public var state: State {
        progress.withLock { progress in
            switch progress {
            case .new: .new
            case .downloaded: .downloaded
            case .filtered: .filtered
            case .failed: .failed
            }
        }
    }

    /// What to show: the newest image there is, else `EncodedImage.placeholder` or `EncodedImage.failed`.
    public var image: EncodedImage {
        progress.withLock { progress in
            switch progress {
            case .downloaded(let image), .filtered(.some(let image)): image
            case .new, .filtered(nil): .placeholder
            case .failed: .failed
            }
        }
    }

    /// Why it failed.
    public var error: PhotoError? {
        progress.withLock { progress in
            guard case .failed(let error) = progress else { return nil }
            return error
        }
    }
}

// MARK: The session's

extension PhotoRecord {
    func move(toDownloaded image: EncodedImage) { progress.withLock { $0 = .downloaded(image) } }

    func move(toFiltered image: EncodedImage?) { progress.withLock { $0 = .filtered(image) } }

    func move(toFailed error: PhotoError) { progress.withLock { $0 = .failed(error) } }

    /// As it was in the beginning.
    func reset() { progress.withLock { $0 = localImage.map(Progress.downloaded) ?? .new } }
}
