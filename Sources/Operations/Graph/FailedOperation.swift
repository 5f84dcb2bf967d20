import Logging
import TintypePhotos

/// Fails instead of a step that is not possible.
// @unchecked: the only property added here is immutable and Sendable.
package final class FailedOperation: ImageOperation, @unchecked Sendable {
    private let error: PhotoError

    package init(_ error: PhotoError, name: String, logger: Logger) {
        self.error = error
        super.init(name: name, image: nil, logger: logger)
    }

    package override func main() { end(with: .failure(error)) }
}
