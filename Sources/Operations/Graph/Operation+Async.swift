import Foundation
import TintypePhotos

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
