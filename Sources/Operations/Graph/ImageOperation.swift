import Foundation
import Locking
import Logging
import Photos

/// The base of operations that make an image, out of one that they are given or that a dependency yields.
///
/// Operations cannot throw: a failure becomes the operation's result, so what depends on it still runs. It
/// passes the failure on, and one bad photo never stops the others. Where the dependency was cancelled, so is
/// what it was for.
// @unchecked: what is added here is immutable and Sendable, or Locked.
open class ImageOperation: AsyncOperation, ImageDataProvider, @unchecked Sendable {
    public typealias ImageHandler = @Sendable (Result<EncodedImage, PhotoError>) -> Void

    private struct Outcome {
        var result: Result<EncodedImage, PhotoError>?
        var onImageProcessed: (queue: SerialMainQueue, handler: ImageHandler)?
    }

    private let input: EncodedImage?
    private let outcome = Locked(Outcome())

    /// - Parameter image: nil takes it from the first dependency that is an `ImageDataProvider`.
    public init(name: String, image: EncodedImage?, logger: Logger = Logger(label: "tintype")) {
        input = image
        super.init(name: name, logger: logger)
    }

    public final var imageResult: Result<EncodedImage, PhotoError>? { outcome.withLock { $0.result } }

    /// Has `handler` called on the serial main queue, once, when the image is made or has failed.
    ///
    /// It is not called once the operation is cancelled, even where the call was already waiting for its
    /// turn. Set it before the operation is added to a queue.
    public final func onImageProcessed(on queue: SerialMainQueue, _ handler: @escaping ImageHandler) {
        outcome.withLock { $0.onImageProcessed = (queue, handler) }
    }

    /// Makes the image. Runs on a background queue; may block for as long as the work takes.
    ///
    /// - Throws: `CancellationError` where it was cancelled before there was a result; any other error is the
    ///   photo's failure.
    open func process(_ image: EncodedImage) throws -> EncodedImage { image }

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

    /// - Returns: nil where the provider was cancelled.
    private func inputImage() throws(PhotoError) -> EncodedImage? {
        if let input { return input }
        let providers = dependencies.lazy.compactMap { $0 as? any ImageDataProvider }
        guard let provider = providers.first else { throw .noImage }
        return try provider.imageResult?.get()
    }

    /// Keeps the result, tells whoever asked, and finishes.
    ///
    /// - Parameter result: nil where the operation was cancelled before it had one.
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
