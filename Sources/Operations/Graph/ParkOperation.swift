import Files
import Logging
import Photos

/// Moves an image to a named file, so that it keeps no file open.
// @unchecked: every property added here is immutable and Sendable.
final class ParkOperation: ImageOperation, @unchecked Sendable {
    private let folder: ParkingFolder

    init(_ image: EncodedImage, in folder: ParkingFolder, name: String, logger: Logger) {
        self.folder = folder
        super.init(name: name, image: image, logger: logger)
    }

    override func process(_ image: EncodedImage) throws -> EncodedImage { try image.parked(in: folder) }
}
