import Compute
import Filters
import Foundation
import Imaging
import Photos

extension AsyncOperation {
    /// Starts the operation and waits for its end without holding a thread. Cancelling the Swift task cancels
    /// it.
    ///
    /// The dependencies must have been added to queues before.
    ///
    /// - Parameter queue: nil uses a queue of the library.
    public final func run(on queue: OperationQueue? = nil) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Not `completionBlock`, which belongs to subclasses and callers.
                let end = BlockOperation { continuation.resume() }
                end.addDependency(self)
                let queue = queue ?? Self.asyncQueue
                queue.addOperation(self)
                Self.endQueue.addOperation(end)
            }
        } onCancel: {
            cancel()
        }
    }

    private static let asyncQueue = OperationQueue()
    private static let endQueue = OperationQueue()
}

extension ImageOperation {
    /// Starts the operation and waits for its image. Cancelling the Swift task cancels it.
    ///
    /// - Throws: `PhotoError` or `CancellationError`.
    public final func runForImage(on queue: OperationQueue? = nil) async throws -> EncodedImage {
        await run(on: queue)
        guard let result = imageResult else { throw CancellationError() }
        return try result.get()
    }
}

extension EncodedImage {
    /// Filters the image into one of the same format.
    ///
    /// - Throws: `PhotoError`, `DeviceError` if no device is available, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: DeviceChoice = .automatic
    ) async throws -> EncodedImage {
        let operation = FilterOperation(filters, on: try .shared(devices), name: "image", image: self)
        return try await operation.runForImage()
    }
}

extension Pixels {
    /// Filters the pixels; the result has the same layout.
    ///
    /// - Throws: `PhotoError`, `DeviceError`, or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on devices: DeviceChoice = .automatic
    ) async throws -> Pixels {
        let pool = try DevicePool.shared(devices)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try pool.withDevices { device, _ in
                            let result = try self.filtered(by: filters, on: device)
                            try device.approve(nil, of: nil)
                            return result
                        }
                    })
            }
        }
    }
}
