import Codecs
import Operations
import Photos

/// What became of one photo.
public struct PhotoResult: Sendable {
    public enum Status: Sendable, Equatable {
        case done
        case failed(PhotoError)
        /// Nothing had to be done.
        case skipped(FilterReport.Skip)
    }

    public let job: PhotoJob
    public var status: Status
    private let report: FilterReport

    /// Identifier of the device that did it; nil where none did.
    public var device: String? { report.device }
    /// Why another device had to step in; nil where none had to.
    public var fallback: String? { report.fallback }
    /// Pixels of the photo as it was read; 0 where it failed.
    public var pixelCount: Int { report.pixelCount }
    /// Size of the file that was written; 0 where none was.
    public var byteCount: Int { report.byteCount }
    /// What is worth telling of a photo that was done.
    public var notes: [PhotoNote] { report.notes }
    /// Time from opening the photo to its result.
    public var duration: Duration { report.duration }

    package init(_ job: PhotoJob, status: Status, _ report: FilterReport = FilterReport()) {
        self.job = job
        self.status = status
        self.report = report
    }
}
