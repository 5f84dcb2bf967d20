import Codecs
import Compute
import Filters
import Foundation
import Locking
import Logging
import Photos

/// Filters one photo on a background queue, into an image or into an output file.
// @unchecked: every property added here is immutable and Sendable, or Locked.
public final class FilterOperation: ImageOperation, @unchecked Sendable {
    private let pipeline: PhotoPipeline
    private let devices: DevicePool
    package let output: PhotoJob.Output?
    private let naming: OutputNaming?
    private let entry: (any OutputEntry)?
    private let yieldsFiltered: Bool
    private let workers: PhotoWorkers?
    private let facts = Locked(FilterReport())

    /// Filters a photo with all options of a pipeline.
    ///
    /// - Parameters:
    ///   - name: the photo's name, for logs.
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - output: where the result is written; nil returns it as an image.
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
    ///   - naming: names the output anew for the photo's format; nil keeps its name.
    ///   - entry: decides first whether the photo is filtered, and records the outcome.
    ///   - yieldsFiltered: whether an output that is skipped yields the filtered image as well, and not the
    ///     input.
    ///   - workers: the threads that filter it; nil uses the queue's thread.
    package init(
        _ pipeline: PhotoPipeline, _ devices: DevicePool, name: String, image: EncodedImage?,
        output: PhotoJob.Output?, naming: OutputNaming? = nil, entry: (any OutputEntry)? = nil,
        yieldsFiltered: Bool = false,
        workers: PhotoWorkers? = nil, logger: Logger
    ) {
        self.pipeline = pipeline
        self.devices = devices
        self.output = output
        self.naming = naming
        self.entry = entry
        self.yieldsFiltered = yieldsFiltered
        self.workers = workers
        super.init(name: name, image: image, logger: logger)
    }

    /// How the photo was filtered; incomplete until the operation has finished.
    public var report: FilterReport { facts.withLock { $0 } }

    /// Filters the photo. In a batch, one of its workers does so, and this returns at once.
    public override func main() {
        guard let workers else { return super.main() }
        workers.run { super.main() }
    }

    /// Tries the pool's devices one after the other, then the fallback, if there is one.
    ///
    /// - Throws: `PhotoError` or `CancellationError`.
    public override func process(_ image: EncodedImage) throws -> EncodedImage {
        let start = ContinuousClock.now
        var report = FilterReport()
        report.output = output
        defer {
            facts.withLock { $0 = report }
            entry?.release()
        }
        do {
            let result = try admitted(image, &report)
            report.duration = start.duration(to: .now)
            if report.skip == nil {
                try entry?.deliver(isCancelled: { self.isCancelled })
                entry?.finish(report)
            }
            return result
        } catch let error where !(error is CancellationError) {
            report.duration = start.duration(to: .now)
            let failure = PhotoError(error, path: report.output?.path ?? "a temporary file")
            entry?.fail(failure)
            throw failure
        }
    }

    private func admitted(_ image: EncodedImage, _ report: inout FilterReport) throws -> EncodedImage {
        report.output = try named(image)
        let output = report.output
        guard let entry else { return try filter(image, through: pipeline, to: output, &report) }
        let verdict = try entry.admit(isCancelled: { self.isCancelled })
        report.skip = verdict.skip
        report.output = entry.output
        if case .work(let replaces) = verdict {
            var pipeline = pipeline
            pipeline.overwrites = replaces
            guard let path = entry.stagedPath else {
                return try filter(image, through: pipeline, to: output, &report)
            }
            pipeline.isStaging = true
            return try filter(image, through: pipeline, to: .file(path: path), &report)
        }
        guard yieldsFiltered else { return image }
        if report.skip == .upToDate, case .file(let path) = entry.output {
            return try EncodedImage(path: path)
        }
        return try filter(image, through: pipeline, to: nil, &report)
    }

    /// The output, under the name for the photo's format.
    private func named(_ image: EncodedImage) throws -> PhotoJob.Output? {
        guard let naming, let format = image.format, entry?.verdict?.skip == nil else { return output }
        let named = try naming(format)
        if named != output { entry?.move(to: named) }
        return named
    }

    private func filter(
        _ image: EncodedImage, through pipeline: PhotoPipeline, to output: PhotoJob.Output?,
        _ report: inout FilterReport
    ) throws -> EncodedImage {
        // Before a device is chosen: one may be retired while this photo waits.
        let slot = workers?.takeSlot()
        var pipeline = pipeline
        pipeline.workers = workers
        pipeline.didRender = { slot?.giveBack() }
        var steppedIn = false
        do {
            return try devices.withDevices { device, isFallback in
                steppedIn = isFallback
                if isFallback { report.fallback = report.fallback ?? PhotoError.noDeviceLeft.description }
                return try filter(image, through: pipeline, to: output, on: device, &report)
            } failed: {
                report.fallback = $0.description
            }
        } catch {
            if !steppedIn { report.fallback = nil }
            throw error
        }
    }

    private func filter(
        _ image: EncodedImage, through pipeline: PhotoPipeline, to output: PhotoJob.Output?,
        on device: any Device, _ report: inout FilterReport
    ) throws -> EncodedImage {
        let identifier = device.info.identifier
        report.device = identifier
        var pipeline = pipeline
        pipeline.askForApproval(of: device) { [output = report.output, entry] path in
            path.exact == entry?.stagedPath?.exact ? output?.path ?? path : path
        }
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
    /// An empty report.
    public init() {}

    /// Why the photo was not filtered.
    public enum Skip: Hashable, Sendable {
        /// The output exists and is what this run would write.
        case upToDate
        /// A file with the output's name exists, and existing files are skipped.
        case outputExists
        /// Another process is filtering the photo.
        case claimedElsewhere
    }

    /// The output, under the name that the photo's format has given it; nil for an image.
    public var output: PhotoJob.Output?
    /// Nil unless the photo was skipped.
    public var skip: Skip?
    /// Identifier of the device that filtered the photo; nil if none did.
    public var device: String?
    /// Why another device had to take over; nil if none had to.
    public var fallback: String?
    /// Pixels of the input photo; 0 if it failed.
    public var pixelCount = 0
    /// Size of the result's file in bytes; 0 if there is none.
    public var byteCount = 0
    /// Notes for the user about a photo that was filtered.
    public var notes: [PhotoNote] = []
    /// Time from opening the photo to its result.
    public var duration = Duration.zero
}
