import Codecs
import Compute
import Foundation
import Logging
import Synchronization

/// Filters one photo on a background queue, from its file to its output.
///
/// Operations cannot throw: a failure becomes the operation's result, so what depends on this operation still
/// runs and one bad photo never stops the others.
// @unchecked: every property added here is immutable and Sendable, or a Mutex.
public final class FilterOperation: Operation, @unchecked Sendable {
    private let job: PhotoJob
    private let pipeline: PhotoPipeline
    private let devices: DevicePool
    private let logger: Logger
    private let outcome: Mutex<PhotoResult>

    public init(_ job: PhotoJob, through pipeline: PhotoPipeline, on devices: DevicePool, logger: Logger) {
        self.job = job
        self.pipeline = pipeline
        self.devices = devices
        self.logger = logger
        outcome = Mutex(PhotoResult(job, status: .cancelled))
        super.init()
        name = job.photo.path
    }

    /// What became of the photo: `.cancelled` until the operation has run.
    public var result: PhotoResult { outcome.withLock { $0 } }

    public override func main() {
        guard !isCancelled else { return }
        logger.debug("Start: filter \(job.photo.path)")
        let start = ContinuousClock.now
        var result = PhotoResult(job, status: .done)
        do {
            try filter(&result)
        } catch is CancellationError {
            result.status = .cancelled
        } catch {
            result.status = .failed(PhotoError(error, path: job.output.path))
        }
        result.duration = start.duration(to: .now)
        outcome.withLock { $0 = result }
        logger.debug("\(result.status == .cancelled ? "Cancelled" : "Done"): filter \(job.photo.path)")
    }

    public override func cancel() {
        if !isCancelled { logger.debug("Cancel: filter \(job.photo.path)") }
        super.cancel()
    }

    /// Tries a device of the pool, then the fallback where there is one.
    private func filter(_ result: inout PhotoResult) throws {
        do {
            if try devices.withDevice({ try process(on: $0, &result) }) != nil { return }
            result.fallback = "The devices that were asked for have failed too often."
        } catch let error as DeviceError {
            guard let fallback = devices.fallback, result.device != fallback.info.identifier else {
                throw error
            }
            result.fallback = error.description
        }
        guard let fallback = devices.fallback else {
            throw PhotoError.device(result.fallback ?? "No device is left.")
        }
        try process(on: fallback, &result)
    }

    private func process(on device: any Device, _ result: inout PhotoResult) throws {
        result.device = device.info.identifier
        let output = try pipeline.process(job, on: device, isCancelled: { isCancelled })
        result.pixelCount = output.pixelCount
        result.byteCount = output.byteCount
    }
}
