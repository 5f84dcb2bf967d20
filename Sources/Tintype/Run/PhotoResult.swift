/// What became of one photo.
public struct PhotoResult: Sendable {
    public enum Status: Sendable, Equatable {
        case done
        case failed(PhotoError)
        /// The run was stopped before the photo was done.
        case cancelled
    }

    public let job: PhotoJob
    public var status: Status
    /// Identifier of the device that did it; nil where none did.
    public var device: String?
    /// Why another device had to step in; nil where none had to.
    public var fallback: String?
    /// Pixels of the photo as it was read; 0 where it failed.
    public var pixelCount = 0
    /// Size of the file that was written; 0 where none was.
    public var byteCount = 0
    /// Time from opening the photo to its result.
    public var duration = Duration.zero

    package init(_ job: PhotoJob, status: Status) {
        self.job = job
        self.status = status
    }
}
