import Tintype

/// Photos' stars: those that a user has given on a page, else those in the photo's XMP.
extension Gallery {
    /// The stars that a photo is shown with. Those that are not known yet are read, and the page learns of them.
    func shownStars(of item: Int) -> Int {
        if let known = stars[item] { return known }
        if stars.want(item) { Task { try await readWantedStars() } }
        return 0
    }

    private func readWantedStars() async throws {
        var items = stars.nextWanted()
        while !items.isEmpty {
            try await threads.runIfActive { [self, items] in
                for item in items {
                    readStars(of: item)
                    if stars[item] ?? 0 > 0 { changes.add(item: item) }
                }
            }
            items = stars.nextWanted()
        }
    }

    /// Reads the stars of photos that are not known yet. Other work takes its turns meanwhile.
    func readStars(ofAll items: [Int]) async throws {
        let unknown = stars.unknown(among: items)
        let taskCount = AvailableMachine.current.processorCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<taskCount {
                group.addTask { [self] in
                    let starts = stride(
                        from: task * Self.partCount, to: unknown.count, by: taskCount * Self.partCount)
                    for start in starts {
                        try await threads.runIfActive { [self] in
                            for item in unknown[start...].prefix(Self.partCount) { readStars(of: item) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Photos that a thread reads or writes at a time.
    static let partCount = 64

    /// A photo from elsewhere is read once it has arrived.
    private func readStars(of item: Int) {
        guard stars[item] == nil else { return }
        let photo = allPhotos[item]
        if let given = starFile.stars(of: photo) { return stars.take(given, of: item) }
        if case .address = photo.location, original(of: item) == nil { return }
        // A rejected photo has -1.
        stars.take(max(0, rating(of: item, photo) ?? 0), of: item)
    }

    /// The rating in a photo's XMP, where the file beside it comes first.
    func rating(of item: Int, _ photo: InputPhoto) -> Int? {
        if case .file(let path) = photo.location, let rating = StarSidecar(of: path).rating { return rating }
        return (EncodedImage(photo) ?? original(of: item))?.rating(limits: settings.limits)
    }

    private func original(of item: Int) -> EncodedImage? {
        item < session.records.count ? session.records[item].snapshot.original : nil
    }

    /// Gives photos stars. Nothing is written to their folders.
    ///
    /// - Throws: `GalleryError`.
    func give(_ request: StarsRequest) async throws {
        guard 0...Stars.most ~= request.stars else { throw GalleryError.noSuchStars(request.stars) }
        try await threads.runIfActive { [self] in
            let all = allPhotos
            let items = SaveRequest.items(request.items, of: all.count)
            try starFile.set(request.stars, of: items.compactMap { starFile.key(of: all[$0]) })
            stars.set(request.stars, of: items)
            // A page reads everything again rather than so many events.
            if items.count > Self.visibleLimit { changes.addReset() } else { items.forEach(changes.add) }
            try starFile.store()
        }
    }
}
