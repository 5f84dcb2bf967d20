import Foundation

/// An operation that yields an image.
///
/// An `ImageOperation` that was given no image takes it from the first of its dependencies that is a provider.
public protocol ImageDataProvider: Operation {
    /// What came of it; nil until it has finished, and where it was cancelled.
    var imageResult: Result<EncodedImage, PhotoError>? { get }
}

extension ImageDataProvider {
    /// The image, once there is one.
    public var image: EncodedImage? { try? imageResult?.get() }
}
