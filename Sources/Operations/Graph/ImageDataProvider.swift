import Foundation
import Photos

/// An operation that yields an image.
///
/// An `ImageOperation` that was given no image takes it from the first of its dependencies that is a
/// provider. So a photo's way from the network to the screen is three dependencies:
/// ```swift
/// let network = DownloadOperation(url, through: downloader)
/// let decrypt = DecryptOperation(key: try DecryptionKey(file: keyFile), name: "beach.png")
/// let tiltShift = FilterOperation([TiltShift()], on: devices, name: "beach.png")
/// let reload = ReloadOperation(.item(0), of: view, on: mainQueue)
///
/// decrypt.addDependency(network)
/// tiltShift.addDependency(decrypt)
/// reload.addDependency(tiltShift)
/// ```
public protocol ImageDataProvider: Operation {
    /// What came of it; nil until it has finished, and where it was cancelled.
    var imageResult: Result<EncodedImage, PhotoError>? { get }
}

extension ImageDataProvider {
    /// The image, once there is one.
    public var image: EncodedImage? { try? imageResult?.get() }
}
