import Foundation
import Tintype

/// Looks: pictures with filters that the page is still setting.
extension Gallery {
    /// Photos of which one request may ask.
    static let lookLimit = 128

    /// Looks of photos, in the order in which they are ready. The gallery's own work waits meanwhile.
    ///
    /// - Parameter chain: the filters' text, as in the recipe.
    /// - Returns: photos that have not arrived yet are left out.
    /// - Throws: `FilterError`.
    func looks(of items: [Int], longSide: Int, chain text: String) throws -> AsyncStream<Looks.Picture> {
        let chain = try FilterChain(parsing: text.isEmpty ? [] : [text], reading: files)
        beginLooks()
        let photos = items.filter { $0 < session.records.count }.compactMap { item in
            session.records[item].snapshot.original.map { (item: item, image: $0) }
        }
        return AsyncStream { continuation in
            let task = Task { [self, looks] in
                await withTaskGroup(of: Looks.Picture?.self) { group in
                    for (item, image) in photos {
                        group.addTask {
                            // A photo that cannot be decoded says so in the grid.
                            try? await looks.picture(of: item, image, longSide: longSide, chain)
                        }
                    }
                    for await case let picture? in group {
                        // The next ones may take long, too.
                        beginLooks()
                        continuation.yield(picture)
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Filtering whole photos would take the processor from the looks.
    private func beginLooks() {
        work.withLock { work in
            guard !work.isSuspended, !work.hasEnded else { return }
            if work.lastLook == nil { session.suspend() }
            work.lastLook = .now
        }
    }

    /// Lets the gallery's work continue once nothing was set for a while.
    func endLooks() {
        work.withLock { work in
            guard let last = work.lastLook, .now - last > Self.lookPause else { return }
            work.lastLook = nil
            if !work.isSuspended { session.resume() }
        }
    }

    private static let lookPause = Duration.milliseconds(300)
}
