import Tintype

/// Stars are written to XMP, when the page asks for it: to files beside local photos. The photos stay as they are.
extension Gallery {
    /// A local photo with the stars that a user has given it.
    private struct Given {
        let item: Int
        let photo: InputPhoto
        let path: String
        let key: ExactText
        let stars: Int
    }

    /// Those whose XMP has the same are no longer kept elsewhere.
    func starsToWrite() async throws -> StarsToWriteMessage {
        try await attempt { try $0.exchange() }
        let parts = try await forGivenStars { [self] given -> [Given] in
            var (new, same): ([Given], [Given]) = ([], [])
            for each in given {
                if isNew(each) { new.append(each) } else { same.append(each) }
            }
            starFile.remove(Self.stars(of: same))
            return new
        }
        try await attempt { try $0.store() }
        // A photo may be listed twice.
        var keys: Set<ExactText> = []
        let new = parts.joined().filter { keys.insert($0.key).inserted }
        let folders = Set(new.map { $0.photo.ownFolder.exact })
        return StarsToWriteMessage(
            count: new.count, folderCount: folders.count, folder: new.first?.photo.ownFolder)
    }

    /// Stars that are in the XMP afterwards are no longer kept elsewhere.
    ///
    /// - Throws: `GalleryError` if they are being written.
    func writeStars() async throws -> StarsWrittenMessage {
        let mayWrite = isWritingStars.withLock { isWriting in
            defer { isWriting = true }
            return !isWriting
        }
        guard mayWrite else { throw GalleryError.isWritingStars }
        defer { isWritingStars.withLock { $0 = false } }
        try await attempt { try $0.exchange() }
        let parts = try await forGivenStars { [self] given in try write(given) }
        var message = StarsWrittenMessage()
        do {
            try await threads.runIfActive { [starFile] in try starFile.store() }
        } catch {
            message.fail((settings.starsPath ?? "").lastPathComponent, "\(error)")
        }
        for part in parts { message.add(part) }
        return message
    }

    private func write(_ part: [Given]) throws -> StarsWrittenMessage {
        var message = StarsWrittenMessage()
        var done: [Given] = []
        for given in part {
            try checkIsActive()
            do {
                if isNew(given) {
                    try StarSidecar(of: given.path).write(given.stars, settings.temporaries)
                    message.written += 1
                }
                done.append(given)
            } catch {
                message.fail(given.photo.name, "\(error)")
            }
        }
        starFile.remove(Self.stars(of: done))
        return message
    }

    /// Whether the photo's XMP has others.
    private func isNew(_ given: Given) -> Bool {
        max(0, rating(of: given.item, given.photo) ?? 0) != given.stars
    }

    private static func stars(of given: [Given]) -> [ExactText: Int] {
        Dictionary(given.map { ($0.key, $0.stars) }) { $1 }
    }

    /// Calls `body` on a thread for some photos at a time. Other work takes its turns meanwhile.
    private func forGivenStars<Part: Sendable>(
        _ body: @escaping @Sendable ([Given]) throws -> Part
    ) async throws -> [Part] {
        let photos = allPhotos
        var parts: [Part] = []
        for start in stride(from: 0, to: photos.count, by: Self.partCount) {
            try checkIsActive()
            let items = start..<min(start + Self.partCount, photos.count)
            parts.append(
                try await threads.runIfActive { [self] in
                    try body(items.compactMap { givenStars(of: $0, photos[$0]) })
                })
        }
        return parts
    }

    /// Nil also for a photo whose file is gone, perhaps with its disk: what its XMP has is not known.
    private func givenStars(of item: Int, _ photo: InputPhoto) -> Given? {
        guard case .file(let path) = photo.location, let stars = starFile.stars(of: photo),
            let key = starFile.key(of: photo), photo.modified != nil
        else { return nil }
        return Given(item: item, photo: photo, path: path, key: key, stars: stars)
    }

    /// A file of stars that cannot be read or written keeps none from the XMP.
    private func attempt(_ body: @escaping @Sendable (StarFile) throws -> Void) async throws {
        try await threads.runIfActive { [starFile, logger = settings.logger] in
            do { try body(starFile) } catch { logger.warning("\(error)") }
        }
    }

    private func checkIsActive() throws {
        guard !work.withLock({ $0.hasEnded }) else { throw CancellationError() }
    }
}

extension StarsWrittenMessage {
    fileprivate mutating func fail(_ name: String, _ error: String) {
        failed += 1
        problems.appendIfShown(PhotoProblem(name: name, error: error))
    }

    fileprivate mutating func add(_ other: Self) {
        written += other.written
        failed += other.failed
        for problem in other.problems { problems.appendIfShown(problem) }
    }
}
