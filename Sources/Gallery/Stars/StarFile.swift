import Foundation
import Tintype
import TintypeLocking

/// Stars that users have given in galleries, in a file of the user's state, until they are in the photos' XMP: a JSON object of
/// numbers by photo. There, names that differ only in how their accents are composed are one.
final class StarFile: Sendable {
    /// The most bytes of all photos' names: about 200,000 photos.
    static let byteLimit = 16 << 20

    /// What the file does not have yet.
    private enum Change: Equatable {
        case given(Int)
        /// The photo's XMP has these. The file keeps others, which another gallery has given meanwhile.
        case written(Int)
    }

    private struct State {
        var values: [ExactText: Int]
        var changes: [ExactText: Change] = [:]

        var byteCount: Int { values.keys.reduce(0) { $0 + $1.text.utf8.count } }
    }

    /// An entry of the file; others than stars are ignored.
    private struct Entry: Decodable {
        let stars: Int?

        init(from decoder: any Decoder) throws {
            let number = try? decoder.singleValueContainer().decode(Int.self)
            stars = number.flatMap { 0...Stars.most ~= $0 ? $0 : nil }
        }
    }

    private let file: SharedJSONFile?
    private let state: Locked<State>
    private let folders = Locked(CanonicalPaths())
    private let storing = Locked(())

    /// - Parameter path: the file's; nil keeps everything in memory. One that cannot be read stays as it is.
    init(path: String?, _ logger: Logger) {
        // JSON's escapes take more bytes than the names.
        let file = path.map { SharedJSONFile(path: $0, byteLimit: 8 * Self.byteLimit) }
        self.file = file
        var values: [ExactText: Int] = [:]
        do {
            values = try file.map { try Self.read($0) } ?? [:]
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

    /// - Throws: `GalleryError` if there are too many; nothing has changed then.
    func set(_ stars: Int, of keys: [ExactText]) throws {
        try state.withLock { state in
            var changed = state
            for key in keys {
                changed.values[key] = stars
                changed.changes[key] = .given(stars)
            }
            guard changed.byteCount <= Self.byteLimit else { throw GalleryError.tooManyStars }
            state = changed
        }
    }

    /// Removes stars that are in the photos' XMP, unless others were given meanwhile.
    ///
    /// Those that the file does not have yet stay until it has them.
    func remove(_ written: [ExactText: Int]) {
        state.withLock { state in
            for (key, stars) in written where state.values[key] == stars && state.changes[key] == nil {
                state.values[key] = nil
                state.changes[key] = .written(stars)
            }
        }
    }

    // MARK: The file

    /// Writes what has changed to the file.
    ///
    /// - Throws: `GalleryError` if that fails: the stars are known until the gallery ends.
    func store() throws {
        if state.withLock({ !$0.changes.isEmpty }) { try exchange() }
    }

    /// Also takes what other galleries have changed.
    ///
    /// - Throws: as `store`.
    func exchange() throws {
        guard let file else { return state.withLock { $0.changes = [:] } }
        do {
            try storing.withLock { _ in try file.withLock { try exchange(with: file) } }
        } catch is DecodingError {
            throw GalleryError.starsNotKept(file.path, "it is no JSON object: repair it, or move it away")
        } catch {
            throw GalleryError.starsNotKept(file.path, "\(error)")
        }
    }

    private func exchange(with file: SharedJSONFile) throws {
        let stored = try Self.read(file)
        let changes = state.withLock { $0.changes }
        let merged = Self.merge(changes, into: stored)
        if merged != stored {
            var texts: [String: Int] = [:]
            for (key, stars) in merged { texts[key.text] = stars }
            try file.write(texts)
        }
        state.withLock { state in
            state.changes = state.changes.filter { changes[$0.key] != $0.value }
            state.values = Self.merge(state.changes, into: merged)
        }
    }

    private static func merge(
        _ changes: [ExactText: Change], into stored: [ExactText: Int]
    ) -> [ExactText: Int] {
        var values = stored
        for (key, change) in changes {
            switch change {
            case .given(let stars): values[key] = stars
            case .written(let stars): if values[key] == stars { values[key] = nil }
            }
        }
        return values
    }

    private static func read(_ file: SharedJSONFile) throws -> [ExactText: Int] {
        var values: [ExactText: Int] = [:]
        for (key, entry) in try file.read([String: Entry].self) ?? [:] { values[key.exact] = entry.stars }
        return values
    }
}
