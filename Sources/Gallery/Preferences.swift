import Foundation
import Tintype
import TintypeLocking

/// What pages remember for later galleries, such as looks that were kept: JSON texts by name, which only the page understands.
///
/// A browser would keep them by the gallery's address, and every gallery may have another port.
final class Preferences: Sendable {
    /// The most bytes of all names and texts.
    static let byteLimit = 48 << 10

    private let file: SharedJSONFile?
    private let texts: Locked<[String: String]>
    /// Held while one changes.
    private let setting = Locked(())

    /// - Parameter path: the file's; nil keeps everything in memory. One that cannot be read counts as empty.
    init(path: String?, _ logger: Logger) {
        // JSON's escapes take more bytes than the texts.
        let file = path.map { SharedJSONFile(path: $0, byteLimit: 8 * Self.byteLimit) }
        self.file = file
        var texts: [String: String] = [:]
        do {
            texts = try file?.read([String: String].self) ?? [:]
        } catch {
            logger.warning("The gallery's settings cannot be read from \(path ?? ""): \(error)")
        }
        self.texts = Locked(texts)
    }

    var all: [String: String] { texts.withLock { $0 } }

    /// - Throws: `GalleryError` if there is no room; `Errno` if it cannot be stored: it is known until the gallery ends.
    func set(_ name: String, _ text: String) throws {
        try setting.withLock { _ in
            // Before the lock, which may fail as well.
            try keep(name, text)
            guard let file else { return }
            try file.withLock {
                try keep(name, text)
                try file.write(all)
            }
        }
    }

    /// Another gallery may have changed others.
    private func keep(_ name: String, _ text: String) throws {
        var changed = file.flatMap { try? $0.read([String: String].self) } ?? all
        changed[name] = text
        guard changed.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.byteLimit else {
            throw GalleryError.tooManyPreferences
        }
        texts.withLock { [changed] texts in texts = changed }
    }
}
