import Foundation
import Tintype
import TintypeLocking

/// What pages remember for later galleries, such as looks that were kept: JSON texts by name, which only the page understands.
///
/// A browser would keep them by the gallery's address, and every gallery may have another port.
final class Preferences: Sendable {
    /// The most bytes of all names and texts.
    static let byteLimit = 48 << 10

    private let path: String?
    private let texts: Locked<[String: String]>

    /// - Parameter path: the file's; nil keeps everything in memory. One that cannot be read counts as empty.
    init(path: String?, _ logger: Logger) {
        self.path = path
        var texts: [String: String] = [:]
        do {
            texts = try path.map { try Self.read($0) } ?? [:]
        } catch {
            logger.warning("The gallery's settings cannot be read from \(path ?? ""): \(error)")
        }
        self.texts = Locked(texts)
    }

    var all: [String: String] { texts.withLock { $0 } }

    /// - Throws: `GalleryError` if there is no room; `Errno` if it cannot be stored: it is known until the gallery ends.
    func set(_ name: String, _ text: String) throws {
        try texts.withLock { texts in
            var changed = texts
            // Another gallery may have changed others.
            if let path, let stored = try? Self.read(path) { changed = stored }
            changed[name] = text
            guard changed.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.byteLimit else {
                throw GalleryError.tooManyPreferences
            }
            texts = changed
            guard let path else { return }
            let bytes = Array(try JSONEncoder().encode(changed))
            try OutputFile.createFolders(path.parentFolder)
            try OpenFile.replace(path) { file throws(Errno) in try file.write(bytes) }
        }
    }

    private static func read(_ path: String) throws -> [String: String] {
        do {
            let file = try OpenFile(reading: path)
            // JSON's escapes take more bytes than the texts.
            let bytes = try file.firstBytes(8 * byteLimit)
            return try JSONDecoder().decode([String: String].self, from: Data(bytes))
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return [:]
        }
    }
}
