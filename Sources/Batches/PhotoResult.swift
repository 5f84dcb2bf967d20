import TintypeCodecs
import TintypeImaging
import TintypeOperations
import TintypePhotos

/// The result of one photo of a run.
public struct PhotoResult: Sendable {
    /// The outcome of a photo.
    public enum Status: Sendable, Equatable {
        /// The output is complete.
        case done
        /// The photo has failed.
        case failed(PhotoError)
        /// The photo did not have to be filtered.
        case skipped(FilterReport.Skip)
    }

    public let job: PhotoJob
    public var status: Status
    /// Whether it is the second result of an output that was made again, because its device gave wrong pixels later.
    public internal(set) var isRemade = false
    private let report: FilterReport

    /// Identifier of the device that filtered the photo; nil if none did.
    public var device: String? { report.device }
    /// Why another device had to take over; nil if none had to.
    public var fallback: String? { report.fallback }
    /// Pixels of the input photo; 0 if it failed.
    public var pixelCount: Int { report.pixelCount }
    /// Size of the output file in bytes; 0 if there is none.
    public var byteCount: Int { report.byteCount }
    /// Notes for the user about a photo that was filtered.
    public var notes: [PhotoNote] { report.notes }
    /// Who has decoded the photo and encoded the output; nil if its compressed bytes were copied, or it was not filtered.
    public var coding: CodingReport? { report.coding }
    /// Time from opening the photo to its result.
    public var duration: Duration { report.duration }
    /// Where the photo's time went: that of all its outputs, in the result of the first.
    public var times: PhotoTimes { report.times }

    package init(_ job: PhotoJob, status: Status, _ report: FilterReport = FilterReport()) {
        self.job = job
        self.status = status
        self.report = report
    }
}
