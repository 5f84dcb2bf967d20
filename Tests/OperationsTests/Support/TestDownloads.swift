import Foundation
import TestSupport
import Tintype
import TintypeDownload

@testable import TintypeOperations
@testable import TintypePhotos

extension PhotoDownloader {
    /// No retries, and no proxy whatever the environment says.
    static func forTests() throws -> PhotoDownloader {
        var configuration = DownloaderConfiguration()
        configuration.proxy = .direct
        // Long, because a test may wait for the processor while all tests run at once.
        configuration.timeout = .seconds(600)
        configuration.stallTimeout = .seconds(600)
        configuration.retry = RetryPolicy(retries: 0)
        return try PhotoDownloader(configuration)
    }
}

extension DevicePool {
    static func cpu() -> DevicePool { DevicePool([SIMDDevice()], fallback: nil) }
}

/// Filters a photo without operations.
func filtered(_ photo: [UInt8], _ recipe: Recipe) throws -> [UInt8] {
    try PhotoPipeline(recipe).process(EncodedImage(bytes: photo), on: SIMDDevice(), isCancelled: { false })
        .image.bytes()
}
