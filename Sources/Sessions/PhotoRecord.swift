import Foundation
import TintypeFiles
import TintypeLocking
import TintypePhotos
import TintypeOperations

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

    // The later cases are indirect, so that photos not yet filtered take less memory.
    fileprivate enum Progress: Sendable {
        case new
        case downloaded(EncodedImage)
        /// The image is nil if it was released after its reload, the original if it was not kept.
        indirect case filtered(EncodedImage?, of: EncodedImage?)
        /// It was filtered, and the image released beyond the session's limits. The original is nil if it was not kept.
        case released(of: EncodedImage?)
        indirect case failed(PhotoError, FailedStep, of: EncodedImage?)
    }

    /// The step in which a photo has failed.
    enum FailedStep {
        case download, filter
    }

    /// The images of a photo.
    struct Images: Sendable {
        /// The image before the filter: the local photo, or what was downloaded; nil if it is not kept.
        var original: EncodedImage?
        /// Nil unless the photo was filtered, and if the image was released.
        var filtered: EncodedImage?
    }

    /// A record's properties at one moment.
    public struct Snapshot: Sendable {
        /// The stage that the photo has reached.
        public let state: State
        /// Grows whenever the state or the image changes. The same version means the same image.
        public let version: Int
        /// The image before the filter; nil if it was not downloaded, or was released.
        public var original: EncodedImage? { images.original }
        /// The image after the filter; nil if there is none, or it was released.
        public var filtered: EncodedImage? { images.filtered }
        /// Why the photo failed; nil in other states.
        public let error: PhotoError?
        let images: Images
    }

    /// Shared by all records: it is held briefly, and a lock each would take most of a record's memory.
    private static let lock = Locked(())

    /// The photo's name, for messages and logs; not unique.
    public let name: String
    /// Index of the run's job; nil outside of a run.
    package let job: Int?
    private let source: Source
    private var progress: Progress
    /// Changes of `progress`.
    private var version: UInt32 = 0

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
    public var state: State { withProgress { $0.state } }

    /// Whether the photo was filtered, and its image released since, beyond the session's limits. Its state is then
    /// `downloaded`, or `new` if the downloaded image was not kept.
    public var isReleased: Bool { kind == .released }

    /// What the photo counts as.
    var kind: PhotoCounts.Kind { withProgress { $0.kind } }

    /// All properties at once, so that they belong together.
    public var snapshot: Snapshot {
        Self.lock.withLock { _ in
            Snapshot(
                state: progress.state, version: Int(version), error: progress.error, images: progress.images)
        }
    }

    /// The image to show: the newest one, else `EncodedImage.placeholder` or `EncodedImage.failed`.
    public var image: EncodedImage {
        withProgress { progress in
            switch progress {
            case .downloaded(let image), .filtered(.some(let image), _), .released(.some(let image)): image
            case .new, .filtered(nil, _), .released(nil): .placeholder
            case .failed: .failed
            }
        }
    }

    /// Why the photo failed; nil in other states.
    public var error: PhotoError? { withProgress { $0.error } }

    private func withProgress<Result: Sendable>(_ body: (Progress) -> Result) -> Result {
        Self.lock.withLock { _ in body(progress) }
    }
}

/// A record is itself, whatever its state: two records of one photo differ.
extension PhotoRecord: Hashable, Identifiable {
    public static func == (first: PhotoRecord, second: PhotoRecord) -> Bool { first === second }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PhotoRecord.Progress {
    fileprivate var state: PhotoRecord.State {
        switch self {
        case .new, .released(of: nil): .new
        case .downloaded, .released: .downloaded
        case .filtered: .filtered
        case .failed: .failed
        }
    }

    fileprivate var kind: PhotoCounts.Kind {
        if case .released = self { .released } else { PhotoCounts.Kind(state) }
    }

    fileprivate var images: PhotoRecord.Images {
        switch self {
        case .new: PhotoRecord.Images()
        case .downloaded(let image): PhotoRecord.Images(original: image)
        case .filtered(let image, let original): PhotoRecord.Images(original: original, filtered: image)
        case .released(let original): PhotoRecord.Images(original: original)
        case .failed(_, _, let original): PhotoRecord.Images(original: original)
        }
    }

    fileprivate var error: PhotoError? {
        guard case .failed(let error, _, _) = self else { return nil }
        return error
    }
}

// MARK: For the session

extension PhotoRecord {
    /// True if the original takes no room: it is the user's own file.
    var isLocal: Bool {
        if case .file = source { true } else { false }
    }

    func move(toDownloaded image: EncodedImage) { move(to: .downloaded(image)) }

    /// - Parameter keepsOriginal: whether a downloaded image stays; a local one always does.
    func move(toFiltered image: EncodedImage?, keepsOriginal: Bool) {
        move(to: .filtered(image, of: original(keepsOriginal)))
    }

    func move(toFailed error: PhotoError, in step: FailedStep, keepsOriginal: Bool) {
        move(to: .failed(error, step, of: original(keepsOriginal)))
    }

    private func original(_ isKept: Bool) -> EncodedImage? {
        isKept || isLocal ? withProgress { $0.images.original } : nil
    }

    /// Puts the record back into its initial state.
    func reset() {
        switch source {
        case .address: move(to: .new)
        case .file(_, let image): move(to: .downloaded(image))
        }
    }

    /// Releases the filtered image, or the failure of the filter. The photo is downloaded, or new if the
    /// downloaded image was not kept.
    func undoFilter() {
        switch withProgress({ $0 }) {
        case .filtered(_, of: let image?), .released(of: let image?), .failed(_, .filter, of: let image?):
            move(toDownloaded: image)
        case .filtered, .released, .failed(_, .filter, _): reset()
        case .new, .downloaded, .failed: break
        }
    }

    /// Releases the filtered image; the photo stays filtered.
    func releaseFiltered() {
        guard case .filtered(_, let original) = withProgress({ $0 }) else { return }
        move(to: .filtered(nil, of: original))
    }

    /// Releases the filtered image, so that the photo is filtered again when it comes into view.
    func releaseForNow() {
        guard case .filtered(_, let original) = withProgress({ $0 }) else { return }
        move(to: .released(of: original))
    }

    /// Releases the downloaded image. A photo that was not filtered is new again.
    func releaseOriginal() {
        guard !isLocal else { return }
        switch withProgress({ $0 }) {
        case .downloaded: move(to: .new)
        case .filtered(let image, _): replace(with: .filtered(image, of: nil))
        case .released: move(to: .released(of: nil))
        case .failed(let error, let step, _): replace(with: .failed(error, step, of: nil))
        case .new: break
        }
    }

    /// Replaces the images by copies of them, unless they have changed since `version`.
    func replaceImages(_ images: Images, ofVersion version: Int) {
        guard snapshot.version == version else { return }
        switch withProgress({ $0 }) {
        case .downloaded(let image): replace(with: .downloaded(images.original ?? image))
        case .filtered: replace(with: .filtered(images.filtered, of: images.original))
        case .released(let image): replace(with: .released(of: images.original ?? image))
        case .failed(let error, let step, _): replace(with: .failed(error, step, of: images.original))
        case .new: break
        }
    }

    private func move(to next: Progress) { replace(with: next, changes: 1) }

    private func replace(with next: Progress, changes: UInt32 = 0) {
        // Releasing an image may close a file, so release it outside of the shared lock.
        let previous = Self.lock.withLock { _ in
            defer { progress = next }
            version &+= changes
            return progress
        }
        withExtendedLifetime(previous) {}
    }
}
