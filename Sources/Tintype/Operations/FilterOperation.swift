import Codecs
import Compute
import Filters
import Foundation
import Logging
import Synchronization

/// Filters one photo on a background queue: an image in memory to an image, or a file to its output.
// @unchecked: every property added here is immutable and Sendable, or a Mutex.
public final class FilterOperation: ImageOperation, @unchecked Sendable {
    private let pipeline: PhotoPipeline
    private let devices: DevicePool
    private let output: PhotoJob.Output?
    private let job: PhotoJob?
    private let willPublish: (@Sendable (PhotoPipeline.Publication) throws -> Void)?
    private let facts = Mutex(FilterReport())

    /// Any chain, any devices, with every choice that a pipeline offers.
    ///
    /// - Parameters:
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - output: where the result is written; nil keeps it as an image.
    public convenience init(
        through pipeline: PhotoPipeline, on devices: DevicePool, name: String, image: EncodedImage? = nil,
        output: PhotoJob.Output? = nil, logger: Logger = Logger(label: "tintype")
    ) {
        self.init(
            pipeline, devices, name: name, image: image, output: output, job: nil, willPublish: nil,
            logger: logger)
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

    /// Filters a file into its output.
    public convenience init(
        _ job: PhotoJob, through pipeline: PhotoPipeline, on devices: DevicePool, logger: Logger
    ) {
        self.init(
            pipeline, devices, name: job.photo.path, image: EncodedImage(job.photo), output: job.output,
            job: job, willPublish: nil, logger: logger)
    }

    /// Filters a file into its output, or an image that is to come into the job's output, for a journal.
    ///
    /// - Parameters:
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - willPublish: told of the output before it gets its name; refuses it by throwing.
    package convenience init(
        _ job: PhotoJob, image: EncodedImage?, through pipeline: PhotoPipeline, on devices: DevicePool,
        willPublish: (@Sendable (PhotoPipeline.Publication) throws -> Void)?, logger: Logger
    ) {
        self.init(
            pipeline, devices, name: job.photo.path, image: image, output: job.output, job: job,
            willPublish: willPublish, logger: logger)
    }

    private init(
        _ pipeline: PhotoPipeline, _ devices: DevicePool, name: String, image: EncodedImage?,
        output: PhotoJob.Output?, job: PhotoJob?,
        willPublish: (@Sendable (PhotoPipeline.Publication) throws -> Void)?, logger: Logger
    ) {
        self.willPublish = willPublish
        self.pipeline = pipeline
        self.devices = devices
        self.output = output
        self.job = job
        super.init(name: name, image: image, logger: logger)
    }

    /// How the photo was filtered, as far as it came.
    public var report: FilterReport { facts.withLock { $0 } }

    /// What became of the job, `.cancelled` until the operation has run; nil where it was made for an image.
    public var result: PhotoResult? {
        guard let job else { return nil }
        let status: PhotoResult.Status =
            switch imageResult {
            case .success: .done
            case .failure(let error): .failed(error)
            case nil: .cancelled
            }
        return PhotoResult(job, status: status, report)
    }

    /// Tries a device of the pool, then the fallback where there is one.
    public override func process(_ image: EncodedImage) throws -> EncodedImage {
        let start = ContinuousClock.now
        var report = FilterReport()
        defer {
            report.duration = start.duration(to: .now)
            facts.withLock { $0 = report }
        }
        do {
            return try filter(image, &report)
        } catch let error where !(error is CancellationError) {
            throw PhotoError(error, path: output?.path ?? "a temporary file")
        }
    }

    private func filter(_ image: EncodedImage, _ report: inout FilterReport) throws -> EncodedImage {
        do {
            if let result = try devices.withDevice({ try filter(image, on: $0, &report) }) { return result }
            report.fallback = "The devices that were asked for have failed too often."
        } catch let error as DeviceError {
            guard let fallback = devices.fallback, report.device != fallback.info.identifier else {
                throw error
            }
            report.fallback = error.description
        }
        guard let fallback = devices.fallback else {
            throw PhotoError.device(report.fallback ?? "No device is left.")
        }
        return try filter(image, on: fallback, &report)
    }

    private func filter(
        _ image: EncodedImage, on device: any Device, _ report: inout FilterReport
    ) throws -> EncodedImage {
        report.device = device.info.identifier
        let (result, facts) = try pipeline.process(
            image, to: output, on: device, willPublish: willPublish, isCancelled: { isCancelled })
        report.pixelCount = facts.pixelCount
        report.byteCount = facts.byteCount
        return result
    }
}

/// How one photo was filtered.
public struct FilterReport: Hashable, Sendable {
    /// Identifier of the device that did it; nil where none did.
    public var device: String?
    /// Why another device had to step in; nil where none had to.
    public var fallback: String?
    /// Pixels of the photo as it was read; 0 where it failed.
    public var pixelCount = 0
    /// Size of the result's file; 0 where there is none.
    public var byteCount = 0
    /// Time from opening the photo to its result.
    public var duration = Duration.zero
}
