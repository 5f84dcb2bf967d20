import Foundation
import Logging

/// A folder for the images of one session that wait for long, so that they cost no open files.
///
/// It goes with its last image. Those of processes that were killed go when the next one is made: the kernel has let
/// go of their locks by then.
final class ParkingFolder: Sendable {
    private static let prefix = "tintype-parked-"

    let path: String
    /// Holds the folder's lock.
    private let descriptor: Descriptor

    init(in parent: String = NSTemporaryDirectory()) throws(SystemError) {
        let parent = parent.trimmingTrailingSlashes
        Self.removeAbandoned(in: parent)
        // Somebody who looks for abandoned folders may come between its making and its locking.
        for _ in 1...3 {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp") }
            let path = String(
                decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let descriptor = try? Descriptor(reading: path) else { continue }
            guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0, FileIdentity(path: path) != nil else {
                continue
            }
            self.path = path
            self.descriptor = descriptor
            return
        }
        throw SystemError(call: "flock")
    }

    deinit { rmdir(path) }

    /// Copies everything from `descriptor`, from where it stands, into a file of its own.
    func park(_ source: borrowing Descriptor) throws(SystemError) -> ParkedFile {
        let path = "\(path)/\(UInt64.random(in: 0 ... .max))"
        let file = try Descriptor(creating: path)
        // From here on whatever happens removes it.
        let parked = ParkedFile(path: path, in: self)
        try copyBytes(from: source.number, to: file.number)
        return parked
    }

    private static func removeAbandoned(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let descriptor = try? Descriptor(reading: path),
                flock(descriptor.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}

/// A file that is removed with its last reference.
final class ParkedFile: Sendable {
    let path: String
    private let folder: ParkingFolder

    fileprivate init(path: String, in folder: ParkingFolder) {
        self.path = path
        self.folder = folder
    }

    deinit { unlink(path) }
}

/// Moves an image to where it costs no open file.
// @unchecked: every property added here is immutable and Sendable.
final class ParkOperation: ImageOperation, @unchecked Sendable {
    private let folder: ParkingFolder

    init(_ image: EncodedImage, in folder: ParkingFolder, name: String, logger: Logger) {
        self.folder = folder
        super.init(name: name, image: image, logger: logger)
    }

    override func process(_ image: EncodedImage) throws -> EncodedImage { try image.parked(in: folder) }
}
