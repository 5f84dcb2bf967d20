import Foundation
import TintypePhotos

/// An operation that yields an image.
///
/// An `ImageOperation` without an image of its own takes it from its first dependency that is a provider.
/// Three dependencies take a photo from the network to the screen:
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
    /// The image or the failure; nil until the operation has finished, and after it was cancelled.
    var imageResult: Result<EncodedImage, PhotoError>? { get }
}

extension ImageDataProvider {
    /// The image, once there is one.
    public var image: EncodedImage? { try? imageResult?.get() }
}
