import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypePhotos
import TintypeS3

/// Where a run's outputs become objects of an S3 bucket.
///
/// An output is written to a file of the staging folder, and sent once it is complete. So a bucket has complete outputs
/// only, and a photo's memory does not depend on the size of its output.
public final class ObjectStore: Sendable {
    let client: S3Client
    private let staging: ParkingFolder
    /// Whether an object succeeds if it is there already with the same bytes: another run of its shard has written it.
    let acceptsEqualOutputs: Bool

    /// Outputs that are sent, or asked for, at once, besides the photos that are filtered. Chosen to hide a latency of
    /// 100 ms.
    package static let concurrentTransferCount = 16

    /// - Throws: `DownloadError` if libcurl or the credentials are missing; `PhotoError` if the staging folder cannot be made.
    public init(_ configuration: DownloaderConfiguration, acceptsEqualOutputs: Bool = false) throws {
        client = try S3Client(configuration)
        let folder = configuration.spoolDirectory.path
        do throws(Errno) {
            staging = try ParkingFolder(in: folder)
        } catch {
            throw PhotoError.temporaryFile(folder: folder, error)
        }
        self.acceptsEqualOutputs = acceptsEqualOutputs
    }

    /// Asks whether there is a bucket, so that a run need not filter photos to find out.
    ///
    /// - Throws: `DownloadError`.
    public func checkBucket(of location: S3Location) throws(DownloadError) {
        try client.checkBucket(of: location)
    }

    /// A path for an output on its way.
    func stagedPath(of location: S3Location) -> String {
        let unique = String(UInt64.random(in: .min ... .max), radix: 36)
        // The extension stays, because it tells the format.
        return "\(staging.path)/\(unique)-\(location.key.lastPathComponent.suffix(16))"
    }
}
