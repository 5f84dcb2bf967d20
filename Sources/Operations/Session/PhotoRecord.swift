import Files
import Foundation
import Locking
import Photos

/// One photo of a session: where it comes from, and how far it is.
///
/// Only its session changes a record, on the serial main queue; any thread may look.
// @unchecked: `progress` is touched under `lock` only; everything else is immutable and Sendable.
public final class PhotoRecord: @unchecked Sendable {
    public enum State: UInt8, Hashable, Sendable {
        case new
        case downloaded
        case filtered
        case failed
    }

    /// A URL costs more memory than everything else here, so that of a file is made when it is asked for.
    private enum Source {
        case address(URL)
        case file(path: String, EncodedImage)
    }

    private enum Progress: Sendable {
        case new
        case downloaded(EncodedImage)
        /// Nil where the image was let go of.
        case filtered(EncodedImage?)
        case failed(PhotoError)
    }

    /// One for all records: it is held for moments, and a lock each would be most of a record.
    private static let lock = Locked(())

    public let name: String
    /// Its number among the jobs of a run; nil where there are none.
    package let job: Int?
    private let source: Source
    private var progress: Progress

    /// A photo that is to be downloaded.
    ///
    /// - Parameter name: nil takes the URL's last part.
    public convenience init(url: URL, name: String? = nil) {
        self.init(url: url, name: name ?? url.lastPathComponent, job: nil)
    }

    private init(url: URL, name: String, job: Int?) {
        self.name = name
        self.job = job
        source = .address(url)
        progress = .new
    }

    /// A photo on this machine's disk: it begins as downloaded, and is read when its filter runs.
    ///
    /// - Throws: `PhotoError` where it cannot be read now.
    public convenience init(path: String, name: String? = nil) throws(PhotoError) {
        self.init(
            local: try EncodedImage(path: path), path: path, name: name ?? path.lastPathComponent, job: nil)
    }

    /// A photo of a run: one on this machine's disk or from a pipe begins as downloaded, one with an address
    /// as new.
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

    public var url: URL {
        switch source {
        case .address(let url): url
        case .file(let path, _): URL(fileURLWithPath: path)
        }
    }

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

    /// What to show: the newest image there is, else `EncodedImage.placeholder` or `EncodedImage.failed`.
    public var image: EncodedImage {
        withProgress { progress in
            switch progress {
            case .downloaded(let image), .filtered(.some(let image)): image
            case .new, .filtered(nil): .placeholder
            case .failed: .failed
            }
        }
    }

    /// Why it failed.
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

// MARK: The session's

extension PhotoRecord {
    func move(toDownloaded image: EncodedImage) { move(to: .downloaded(image)) }

    func move(toFiltered image: EncodedImage?) { move(to: .filtered(image)) }

    func move(toFailed error: PhotoError) { move(to: .failed(error)) }

    /// As it was in the beginning.
    func reset() {
        switch source {
        case .address: move(to: .new)
        case .file(_, let image): move(to: .downloaded(image))
        }
    }

    private func move(to next: Progress) {
        // What is let go of may close a file: not under the lock of all records.
        let previous = Self.lock.withLock { _ in
            defer { progress = next }
            return progress
        }
        withExtendedLifetime(previous) {}
    }
}
