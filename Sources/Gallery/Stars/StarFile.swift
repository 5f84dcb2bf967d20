import Foundation
import Tintype
import TintypeLocking

/// Stars that users have given in galleries, in a file of the user's state, until they are in the photos' XMP: a JSON object of
/// numbers by photo. There, names that differ only in how their accents are composed are one.
final class StarFile: Sendable {
    /// The most bytes of all photos' names: about 200,000 photos.
    static let byteLimit = 16 << 20

    private struct State {
        var values: [ExactText: Int]
        /// What the file does not have yet; nil for photos that it shall have no more.
        var changes: [ExactText: Int?] = [:]

        var byteCount: Int { values.keys.reduce(0) { $0 + $1.text.utf8.count } }
    }

    private let path: String?
    private let state: Locked<State>
    private let folders = Locked(CanonicalPaths())
    private let storing = Locked(())

    /// - Parameter path: the file's; nil keeps everything in memory. One that cannot be read counts as empty.
    init(path: String?, _ logger: Logger) {
        self.path = path
        var values: [ExactText: Int] = [:]
        do {
            values = try path.map { try Self.read($0) } ?? [:]
        } catch {
            logger.warning("Stars that were set before cannot be read from \(path ?? ""): \(error)")
        }
        state = Locked(State(values: values))
    }

    /// What a photo is known by: its path, or its address without secrets. Nil for one that has no place.
    func key(of photo: InputPhoto) -> ExactText? {
        switch photo.location {
        case .file(let path): folders.withLock { $0.path(of: path) }.exact
        case .address: photo.location.identityText.exact
        case .spooled: nil
        }
    }

    subscript(key: ExactText) -> Int? { state.withLock { $0.values[key] } }

    /// The stars that a user has given to a photo; nil for none.
    func stars(of photo: InputPhoto) -> Int? {
        // Keys take a while.
        guard state.withLock({ !$0.values.isEmpty }), let key = key(of: photo) else { return nil }
        return self[key]
    }

    /// - Parameter stars: nil removes those of the photos.
    /// - Throws: `GalleryError` if there are too many; nothing has changed then.
    func set(_ stars: Int?, of keys: [ExactText]) throws {
        try state.withLock { state in
            var changed = state
            for key in keys {
                changed.values[key] = stars
                changed.changes[key] = .some(stars)
            }
            guard stars == nil || changed.byteCount <= Self.byteLimit else { throw GalleryError.tooManyStars }
            state = changed
        }
    }

    /// Writes the file.
    ///
    /// - Throws: `GalleryError` if that fails: the stars are known until the gallery ends.
    func store() throws {
        guard let path else { return state.withLock { $0.changes = [:] } }
        do {
            try storing.withLock { _ in try store(at: path) }
        } catch {
            throw GalleryError.starsNotKept(path, "\(error)")
        }
    }

    private func store(at path: String) throws {
        let (values, changes) = state.withLock { ($0.values, $0.changes) }
        guard !changes.isEmpty else { return }
        // Another gallery may have changed others.
        var merged = (try? Self.read(path)) ?? values
        for (key, stars) in changes { merged[key] = stars }
        var texts: [String: Int] = [:]
        for (key, stars) in merged { texts[key.text] = stars }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = Array(try encoder.encode(texts))
        try OutputFile.createFolders(path.parentFolder)
        try OpenFile.replace(path) { file throws(Errno) in try file.write(bytes) }
        state.withLock { [merged] state in
            state.changes = state.changes.filter { changes[$0.key] != $0.value }
            state.values = merged
            for (key, stars) in state.changes { state.values[key] = stars }
        }
    }

    private static func read(_ path: String) throws -> [ExactText: Int] {
        do {
            let file = try OpenFile(reading: path)
            // JSON's escapes take more bytes than the names.
            let bytes = try file.firstBytes(min(file.status().byteCount, 8 * byteLimit))
            var values: [ExactText: Int] = [:]
            for (key, stars) in try JSONDecoder().decode([String: Int].self, from: Data(bytes))
            where 0...Stars.most ~= stars {
                values[key.exact] = stars
            }
            return values
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return [:]
        }
    }
}
