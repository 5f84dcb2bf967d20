import Tintype

/// Stars are written to XMP, when the page asks for it: to files beside local photos. The photos stay as they are.
extension Gallery {
    /// A local photo with the stars that a user has given it.
    private struct Given {
        let photo: InputPhoto
        let path: String
        let key: ExactText
        let stars: Int
        /// Whether its XMP has others.
        let isNew: Bool
    }

    private var givenStars: [Given] {
        allPhotos.enumerated().compactMap { item, photo in
            guard case .file(let path) = photo.location, let key = starFile.key(of: photo),
                let stars = starFile[key]
            else { return nil }
            let isNew = max(0, rating(of: item, photo) ?? 0) != stars
            return Given(photo: photo, path: path, key: key, stars: stars, isNew: isNew)
        }
    }

    func starsToWrite() async throws -> StarsToWriteMessage {
        try await threads.runIfActive { [self] in
            let new = givenStars.filter(\.isNew)
            let folders = Set(new.map { $0.photo.ownFolder.exact })
            return StarsToWriteMessage(
                count: new.count, folderCount: folders.count, folder: new.first?.photo.ownFolder)
        }
    }

    /// Stars that are in the XMP afterwards are no longer kept elsewhere.
    ///
    /// - Throws: `GalleryError`.
    func writeStars() async throws -> StarsWrittenMessage {
        try await threads.runIfActive { [self] in
            try starWriting.withLock { _ in
                var message = StarsWrittenMessage()
                var done: [Given] = []
                for given in givenStars {
                    guard !work.withLock({ $0.hasEnded }) else { throw CancellationError() }
                    do {
                        if given.isNew {
                            try StarSidecar(of: given.path).write(given.stars, settings.temporaries)
                            message.written += 1
                        }
                        done.append(given)
                    } catch {
                        message.fail(given.photo.name, "\(error)")
                    }
                }
                // The user may have given others meanwhile.
                let written = done.filter { starFile[$0.key] == $0.stars }
                if !written.isEmpty {
                    try starFile.set(nil, of: written.map(\.key))
                    try starFile.store()
                }
                return message
            }
        }
    }
}

extension StarsWrittenMessage {
    fileprivate mutating func fail(_ name: String, _ error: String) {
        failed += 1
        if problems.count < SaveMessage.problemLimit {
            problems.append(SaveMessage.Problem(name: name, error: error))
        }
    }
}
