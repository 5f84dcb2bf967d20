import Codecs
import Compute
import Filters
import Foundation
import Locking
import Logging
import Photos

/// Filters one photo on a background queue: an image in memory to an image, or a file to its output.
// @unchecked: every property added here is immutable and Sendable, or Locked.
public final class FilterOperation: ImageOperation, @unchecked Sendable {
    private let pipeline: PhotoPipeline
    private let devices: DevicePool
    private let output: PhotoJob.Output?
    private let entry: JournalEntry?
    private let workers: PhotoWorkers?
    private let facts = Locked(FilterReport())

    /// Any chain, any devices, with every choice that a pipeline offers.
    ///
    /// - Parameters:
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - output: where the result is written; nil keeps it as an image.
    public convenience init(
        through pipeline: PhotoPipeline, on devices: DevicePool, name: String, image: EncodedImage? = nil,
        output: PhotoJob.Output? = nil, logger: Logger = Logger(label: "tintype")
    ) {
        self.init(pipeline, devices, name: name, image: image, output: output, logger: logger)
    }

    /// Filters an image into an image of the same format.
    ///
    /// - Parameter image: nil takes it from the first dependency that yields one.
    public convenience init(
        _ filters: [any Filter], on devices: DevicePool, name: String, image: EncodedImage? = nil,
        logger: Logger = Logger(label: "tintype")
    ) {
        self.init(
            through: PhotoPipeline(Recipe(FilterChain(filters))), on: devices, name: name, image: image,
            logger: logger)
    }

    /// - Parameters:
    ///   - entry: is asked first whether the photo is to be done, and told what becomes of it.
    ///   - workers: whose threads do it; nil leaves it to the queue's.
    package init(
        _ pipeline: PhotoPipeline, _ devices: DevicePool, name: String, image: EncodedImage?,
        output: PhotoJob.Output?, entry: JournalEntry? = nil, workers: PhotoWorkers? = nil, logger: Logger
    ) {
        self.pipeline = pipeline
        self.devices = devices
        self.output = output
        self.entry = entry
        self.workers = workers
        super.init(name: name, image: image, logger: logger)
    }

    /// How the photo was filtered, as far as it came.
    public var report: FilterReport { facts.withLock { $0 } }

    public override func main() {
        guard let workers else { return super.main() }
        workers.run { super.main() }
    }

    /// Tries the pool's devices one after the other, then the fallback where there is one.
    public override func process(_ image: EncodedImage) throws -> EncodedImage {
        let start = ContinuousClock.now
        var report = FilterReport()
        defer { facts.withLock { $0 = report } }
        do {
            let result = try admitted(image, &report)
            report.duration = start.duration(to: .now)
            if report.skip == nil { entry?.finish(report) }
            return result
        } catch let error where !(error is CancellationError) {
            report.duration = start.duration(to: .now)
            let failure = PhotoError(error, path: output?.path ?? "a temporary file")
            entry?.fail(failure)
            throw failure
        }
    }

    private func admitted(_ image: EncodedImage, _ report: inout FilterReport) throws -> EncodedImage {
        guard let entry else { return try filter(image, through: pipeline, &report) }
        switch try entry.admit() {
        case .upToDate: report.skip = .upToDate
        case .outputExists: report.skip = .outputExists
        case .claimedElsewhere: report.skip = .claimedElsewhere
        case .work(let replaces):
            var pipeline = pipeline
            pipeline.overwrites = replaces
            return try filter(image, through: pipeline, &report)
        }
        return image
    }

    private func filter(
        _ image: EncodedImage, through pipeline: PhotoPipeline, _ report: inout FilterReport
    ) throws -> EncodedImage {
        // Before a device is chosen: by then it may have failed others.
        let slot = workers?.takeSlot()
        var pipeline = pipeline
        pipeline.workers = workers
        pipeline.didRender = { slot?.giveBack() }
        var steppedIn = false
        do {
            return try devices.withDevices { device, isFallback in
                steppedIn = isFallback
                if isFallback { report.fallback = report.fallback ?? PhotoError.noDeviceLeft.description }
                return try filter(image, through: pipeline, on: device, &report)
            } failed: {
                report.fallback = $0.description
            }
        } catch {
            if !steppedIn { report.fallback = nil }
            throw error
        }
    }

    private func filter(
        _ image: EncodedImage, through pipeline: PhotoPipeline, on device: any Device,
        _ report: inout FilterReport
    ) throws -> EncodedImage {
        let identifier = device.info.identifier
        report.device = identifier
        let willPublish = entry.map { entry in
            { (publication: PhotoPipeline.Publication) in
                try entry.announce(publication, device: identifier)
            }
        }
        let result = try pipeline.process(
            image, to: output, on: device, willPublish: willPublish, isCancelled: { isCancelled })
        report.pixelCount = result.pixelCount
        report.byteCount = result.byteCount
        report.notes = result.notes
        return result.image
    }
}

/// How one photo was filtered.
public struct FilterReport: Hashable, Sendable {
    public init() {}

    /// Why nothing had to be done.
    public enum Skip: Hashable, Sendable {
        /// The output is there, and is what this run would write.
        case upToDate
        /// Something has the output's name already, and was to be left alone.
        case outputExists
        /// Another process is at it.
        case claimedElsewhere
    }

    /// Nil where the photo was to be filtered.
    public var skip: Skip?
    /// Identifier of the device that did it; nil where none did.
    public var device: String?
    /// Why another device had to step in; nil where none had to.
    public var fallback: String?
    /// Pixels of the photo as it was read; 0 where it failed.
    public var pixelCount = 0
    /// Size of the result's file; 0 where there is none.
    public var byteCount = 0
    /// What is worth telling of a photo that was done.
    public var notes: [PhotoNote] = []
    /// Time from opening the photo to its result.
    public var duration = Duration.zero
}
