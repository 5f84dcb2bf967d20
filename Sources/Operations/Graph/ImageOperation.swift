import Foundation
import Logging
import TintypeLocking
import TintypePhotos

/// The base of operations that make an image from another one, given or yielded by a dependency.
///
/// Operations cannot throw: a failure becomes the operation's result. Dependent operations still run and pass
/// the failure on, so one bad photo never stops the others. An operation whose provider was cancelled ends as
/// cancelled.
///
/// A finished operation keeps its result, and no longer its input.
// @unchecked: every property added here is immutable and Sendable, or Locked.
open class ImageOperation: AsyncOperation, ImageDataProvider, @unchecked Sendable {
    /// Receives an operation's image or its failure.
    public typealias ImageHandler = @Sendable (Result<EncodedImage, PhotoError>) -> Void

    private struct Outcome {
        /// Nil once the operation has finished.
        var input: EncodedImage?
        var result: Result<EncodedImage, PhotoError>?
        var onImageProcessed: (queue: SerialMainQueue, handler: ImageHandler)?
    }

    private let outcome: Locked<Outcome>

    /// - Parameter image: nil takes it from the first dependency that is an `ImageDataProvider`.
    public init(name: String, image: EncodedImage?, logger: Logger = Logger(label: "tintype")) {
        outcome = Locked(Outcome(input: image))
        super.init(name: name, logger: logger)
    }

    public final var imageResult: Result<EncodedImage, PhotoError>? { outcome.withLock { $0.result } }

    /// Calls `handler` once on the serial main queue, when there is a result.
    ///
    /// Cancelling the operation also cancels a call that is still waiting in the queue. Set the handler
    /// before the operation is added to a queue.
    public final func onImageProcessed(on queue: SerialMainQueue, _ handler: @escaping ImageHandler) {
        outcome.withLock { $0.onImageProcessed = (queue, handler) }
    }

    /// Calls `handler` once on the main actor, when there is a result. As the other one, with the main queue.
    public final func onImageProcessed(
        _ handler: @escaping @MainActor @Sendable (Result<EncodedImage, PhotoError>) -> Void
    ) {
        onImageProcessed(on: .main) { result in MainActor.assumeIsolated { handler(result) } }
    }

    /// Makes the image. Runs on a background queue and may block.
    ///
    /// - Throws: `CancellationError` if the operation was cancelled before there was a result. Any other
    ///   error becomes the operation's failure.
    open func process(_ image: EncodedImage) throws -> EncodedImage { image }

    /// Takes the input image, calls `process`, and ends with its result.
    ///
    /// A subclass that works asynchronously overrides `main` instead of `process`, and calls `end(with:)`.
    open override func main() { end(with: makeResult()) }

    private func makeResult() -> Result<EncodedImage, PhotoError>? {
        guard !isCancelled else { return nil }
        do {
            guard let image = try inputImage() else { return nil }
            return .success(try process(image))
        } catch is CancellationError {
            return nil
        } catch {
            return .failure(PhotoError(error, path: name ?? ""))
        }
    }

    /// - Returns: nil if the provider was cancelled.
    private func inputImage() throws(PhotoError) -> EncodedImage? {
        if let input = outcome.withLock({ $0.input }) { return input }
        let providers = dependencies.lazy.compactMap { $0 as? any ImageDataProvider }
        guard let provider = providers.first else { throw .noImage }
        return try provider.imageResult?.get()
    }

    // An image that is no longer needed may keep a file open.
    final override func releaseInput() { outcome.withLock { $0.input = nil } }

    /// Stores the result, schedules the `onImageProcessed` handler, and finishes.
    ///
    /// - Parameter result: nil if the operation was cancelled before it had one.
    public final func end(with result: Result<EncodedImage, PhotoError>?) {
        let handler = outcome.withLock { outcome in
            outcome.result = result
            defer { outcome.onImageProcessed = nil }
            return outcome.onImageProcessed
        }
        if let result, let (queue, handler) = handler {
            queue.add { [self] in
                if !isUnwanted { handler(result) }
            }
        }
        finish(wasCancelled: result == nil)
    }
}
