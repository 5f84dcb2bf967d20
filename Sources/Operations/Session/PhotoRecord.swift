import Files
import Foundation
import Locking
import Photos

/// One photo of a session: its source and its state.
///
/// Only its session changes a record, on the serial main queue. Any thread may read it.
// @unchecked: `progress` is used under `lock` only; everything else is immutable and Sendable.
public final class PhotoRecord: @unchecked Sendable {
    /// The stage that a photo has reached.
    public enum State: UInt8, Hashable, Sendable {
        /// Not downloaded yet.
        case new
        /// The input image is there, and not filtered yet. Local photos begin in this state.
        case downloaded
        /// The photo was filtered.
        case filtered
        /// The download or the filter has failed; `error` tells why.
        case failed
    }

    /// A URL takes more memory than the rest of a record, so `url` makes a file's URL on demand.
    private enum Source {
        case address(URL)
        case file(path: String, EncodedImage)
    }

    private enum Progress: Sendable {
        case new
        case downloaded(EncodedImage)
        /// Nil if the image was released.
        case filtered(EncodedImage?)
        case failed(PhotoError)
    }

    /// Shared by all records: it is held briefly, and a lock each would take most of a record's memory.
    private static let lock = Locked(())

    /// The photo's name, for messages and logs; not unique.
    public let name: String
    /// Index of the run's job; nil outside of a run.
    package let job: Int?
    private let source: Source
    private var progress: Progress

    /// A photo to be downloaded.
    ///
    /// - Parameter name: nil takes the URL's last component.
    public convenience init(url: URL, name: String? = nil) {
        self.init(url: url, name: name ?? url.lastPathComponent, job: nil)
    }

    private init(url: URL, name: String, job: Int?) {
        self.name = name
        self.job = job
        source = .address(url)
        progress = .new
    }

    /// A local photo. Its state is `downloaded` from the start; its file is read when its filter runs.
    ///
    /// - Throws: `PhotoError` if its first bytes cannot be read.
    public convenience init(path: String, name: String? = nil) throws(PhotoError) {
        self.init(
            local: try EncodedImage(path: path), path: path, name: name ?? path.lastPathComponent, job: nil)
    }

    /// An input photo: a local one, or one from a pipe, begins as `downloaded`, one with an address as `new`.
    public convenience init(_ photo: InputPhoto) { self.init(photo, job: nil) }

    package convenience init(_ photo: InputPhoto, job: Int?) {
        let path = photo.path
        if case .address(let url) = photo.location {
            self.init(url: url, name: path, job: job)
        } else {
            self.init(local: EncodedImage(photo) ?? .placeholder, path: path, name: path, job: job)
        }
    }

    private init(local image: EncodedImage, path: String, name: String, job: Int?) {
        self.name = name
        self.job = job
        source = .file(path: path, image)
        progress = .downloaded(image)
    }

    /// The photo's address, or the `file` URL of its path.
    public var url: URL {
        switch source {
        case .address(let url): url
        case .file(let path, _): URL(fileURLWithPath: path)
        }
    }

    /// The stage that the photo has reached.
    public var state: State {
        withProgress { progress in
            switch progress {
            case .new: .new
            case .downloaded: .downloaded
            case .filtered: .filtered
            case .failed: .failed
            }
        }
    }

    /// The image to show: the newest one, else `EncodedImage.placeholder` or `EncodedImage.failed`.
    public var image: EncodedImage {
        withProgress { progress in
            switch progress {
            case .downloaded(let image), .filtered(.some(let image)): image
            case .new, .filtered(nil): .placeholder
            case .failed: .failed
            }
        }
    }

    /// Why the photo failed; nil in other states.
    public var error: PhotoError? {
        withProgress { progress in
            guard case .failed(let error) = progress else { return nil }
            return error
        }
    }

    private func withProgress<Result: Sendable>(_ body: (Progress) -> Result) -> Result {
        Self.lock.withLock { _ in body(progress) }
    }
}

// MARK: For the session

extension PhotoRecord {
    func move(toDownloaded image: EncodedImage) { move(to: .downloaded(image)) }

    func move(toFiltered image: EncodedImage?) { move(to: .filtered(image)) }

    func move(toFailed error: PhotoError) { move(to: .failed(error)) }

    /// Puts the record back into its initial state.
    func reset() {
        switch source {
        case .address: move(to: .new)
        case .file(_, let image): move(to: .downloaded(image))
        }
    }

    private func move(to next: Progress) {
        // Releasing an image may close a file, so release it outside of the shared lock.
        let previous = Self.lock.withLock { _ in
            defer { progress = next }
            return progress
        }
        withExtendedLifetime(previous) {}
    }
}
