import Foundation
import Logging
import TintypePhotos
import TintypeDevices
import TintypeOperations

/// Makes the operations that download, decrypt and filter a session's photos.
///
/// Each closure runs on the serial main queue and makes a new operation, without adding it to a queue. The
/// operation must end soon after it is cancelled. One that ends without a result counts as cancelled.
public struct PhotoSteps: Sendable {
    /// Called for a record in state `new`.
    public var download: @Sendable (PhotoRecord) -> any ImageDataProvider
    /// Called when a download has succeeded, which becomes a dependency of the operation. The image that it
    /// yields takes the place of the downloaded one; nil keeps that.
    public var decrypt: @Sendable (PhotoRecord) -> (any ImageDataProvider)? = { _ in nil }
    /// Called for a record in state `downloaded`; the operation filters `record.image`.
    public var filter: @Sendable (PhotoRecord) -> any ImageDataProvider

    /// Steps that consist of the caller's own operations.
    public init(
        download: @escaping @Sendable (PhotoRecord) -> any ImageDataProvider,
        filter: @escaping @Sendable (PhotoRecord) -> any ImageDataProvider
    ) {
        self.download = download
        self.filter = filter
    }

    /// Downloads through `downloader`, and filters into images.
    ///
    /// - Parameter key: decrypts what was downloaded; nil takes it as it is.
    public init(
        downloadingThrough downloader: PhotoDownloader, decryptingWith key: DecryptionKey? = nil,
        filteringThrough pipeline: PhotoPipeline, on devices: DevicePool,
        logger: Logger = Logger(label: "tintype")
    ) {
        download = {
            DownloadOperation(
                $0.url, through: downloader, name: $0.name, requiresPhoto: key == nil, logger: logger)
        }
        if let key {
            decrypt = { DecryptOperation(key: key, name: $0.name, logger: logger) }
        }
        filter = {
            FilterOperation(through: pipeline, on: devices, name: $0.name, image: $0.image, logger: logger)
        }
    }
}
