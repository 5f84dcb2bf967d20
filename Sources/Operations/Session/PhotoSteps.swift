import Foundation
import Logging
import Photos

/// How a session's photos are downloaded and filtered: which operation does it for a record.
///
/// Each closure runs on the serial main queue, and makes a new operation that was not added to a queue. The
/// operation must end soon after it is cancelled, and have a result unless it was cancelled.
public struct PhotoSteps: Sendable {
    /// For a record that is new.
    public var download: @Sendable (PhotoRecord) -> any ImageDataProvider
    /// For a record that is downloaded: `record.image` is what to filter.
    public var filter: @Sendable (PhotoRecord) -> any ImageDataProvider

    public init(
        download: @escaping @Sendable (PhotoRecord) -> any ImageDataProvider,
        filter: @escaping @Sendable (PhotoRecord) -> any ImageDataProvider
    ) {
        self.download = download
        self.filter = filter
    }

    /// Downloads through `downloader`, filters into images.
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
