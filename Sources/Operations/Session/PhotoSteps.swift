import Foundation
import Logging
import Photos

/// Makes the operations that download and filter a session's photos.
///
/// Each closure runs on the serial main queue and makes a new operation, without adding it to a queue. The
/// operation must end soon after it is cancelled, and have a result unless it was cancelled.
public struct PhotoSteps: Sendable {
    /// Called for a record in state `new`.
    public var download: @Sendable (PhotoRecord) -> any ImageDataProvider
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
    public init(
        downloadingThrough downloader: PhotoDownloader, filteringThrough pipeline: PhotoPipeline,
        on devices: DevicePool, logger: Logger = Logger(label: "tintype")
    ) {
        download = {
            DownloadOperation(
                $0.url, through: downloader, name: $0.name, requiresPhoto: true, logger: logger)
        }
        filter = {
            FilterOperation(through: pipeline, on: devices, name: $0.name, image: $0.image, logger: logger)
        }
    }
}
