import Logging
import TintypeFiles
import TintypeLocking
import TintypePhotos
import TintypeOperations

/// Moves a photo's images to named files, so that they take no memory and keep no file open. An image that
/// cannot be moved stays as it is.
// @unchecked: every property added here is immutable and Sendable, or Locked.
final class ParkOperation: AsyncOperation, @unchecked Sendable {
    /// The images, as far as they are moved.
    var images: PhotoRecord.Images { parked.withLock { $0 } }
    /// The record's version to which the images belong.
    let version: Int
    private let folder: ParkingFolder
    private let parked: Locked<PhotoRecord.Images>

    init(_ photo: PhotoRecord.Snapshot, in folder: ParkingFolder, name: String, logger: Logger) {
        version = photo.version
        self.folder = folder
        parked = Locked(photo.images)
        super.init(name: name, logger: logger)
    }

    override func main() {
        defer { finish() }
        var images = images
        for image in [\PhotoRecord.Images.original, \.filtered] {
            guard let moved = images[keyPath: image], !moved.isInNamedFile else { continue }
            images[keyPath: image] = (try? moved.parked(in: folder)) ?? moved
        }
        parked.withLock { [images] in $0 = images }
    }
}
