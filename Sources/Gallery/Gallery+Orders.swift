import Tintype

/// What the page asks for.
extension Gallery {
    /// - Parameter page: the page's own name; nil if it has none.
    func show(_ items: Set<Int>, on page: String?) {
        let entered = work.withLock { work in
            let entered = items.filter { !work.views.contains($0) }
            work.views.show(items, on: page)
            // Asked under the lock, so that the session learns in order what is in view and what is open.
            session.show(visible: work.views.items, latest: work.views.latest)
            return entered
        }
        // Photos out of view change without a reload.
        for item in entered { changes.add(item: item) }
    }

    func open(_ item: Int, on page: String?) {
        work.withLock { work in
            work.views.open(item, on: page)
            session.startOperations(for: item, priority: .veryHigh)
        }
        // It may have changed without a reload as well.
        changes.add(item: item)
    }

    func beginFeed(of page: String) { work.withLock { $0.views.beginFeed(of: page) } }

    /// The page has closed, or will open a feed anew and report its view again.
    func endFeed(of page: String) {
        work.withLock { work in
            guard work.views.endFeed(of: page), !work.hasEnded else { return }
            session.show(visible: work.views.items, latest: work.views.latest)
        }
    }

    func retry(_ item: Int) { session.retry(item, priority: .high) }

    func perform(_ action: SessionRequest.Action) {
        switch action {
        case .start: session.start(priority: .low)
        case .suspend, .resume:
            work.withLock { work in
                work.isSuspended = action == .suspend
                work.lastLook = nil
                // Under the lock, so that the session learns in order.
                action == .suspend ? session.suspend() : session.resume()
            }
        case .cancel, .reset:
            work.withLock { $0.isSuspended = false }
            if action == .reset {
                looks.forgetAll()
                stars.forget()
            }
            action == .cancel ? session.cancel() : session.reset()
        }
    }

    /// Filters all photos anew, with another chain or device.
    ///
    /// - Throws: `FilterError` or `DeviceError`; nothing has changed then.
    func change(chain text: String, device: String) async throws -> RecipeMessage {
        let chain = try FilterChain(parsing: text.isEmpty ? [] : [text], reading: files)
        return try await threads.runIfActive { [self] in
            try change { former in
                var next = try GalleryRecipe(chain, device: device, own: former.own, settings)
                next.version = former.version + 1
                return next
            } taking: { next in
                session.refilter(with: steps(for: next))
                return next.message(settings)
            }
        }
    }

    /// Changes the recipe, and the session with it. What tests devices is done before, and once more if a page has made another
    /// change meanwhile.
    private func change(
        _ make: (GalleryRecipe) throws -> GalleryRecipe, taking take: (GalleryRecipe) -> RecipeMessage
    ) throws -> RecipeMessage {
        while true {
            let former = recipe.withLock { $0 }, next = try make(former)
            let message: RecipeMessage? = recipeChange.withLock { _ in
                let isTaken = recipe.withLock { current in
                    guard current.isSame(as: former) else { return false }
                    current = next
                    return true
                }
                return isTaken ? take(next) : nil
            }
            if let message { return message }
        }
    }

    /// Gives a photo filters of its own.
    ///
    /// - Parameter text: the filters; nil takes the photo's own away.
    /// - Throws: `FilterError` or `DeviceError`; nothing has changed then.
    func change(chainOf item: Int, to text: String?) async throws -> RecipeMessage {
        let chain = try text.map { try FilterChain(parsing: $0.isEmpty ? [] : [$0], reading: files) }
        return try await threads.runIfActive { [self] in
            try change { former in
                var own = former.own
                own.set(item, to: chain)
                return try former.having(own, settings)
            } taking: { next in
                session.refilter(item, with: steps(for: next))
                changes.add(item: item)
                return next.message(of: item, allPhotos[item], settings)
            }
        }
    }

    func recipeMessage(of item: Int) -> RecipeMessage {
        recipe.withLock { $0 }.message(of: item, allPhotos[item], settings)
    }

    var recipeMessage: RecipeMessage { recipe.withLock { $0.message(settings) } }
}
