/// The server-sent events of one page.
///
/// A page that reads slowly gets fewer, larger events; nothing is queued for it.
final actor EventFeed {
    /// Time between two events: reloads that come together are sent together.
    private static let pause = Duration.milliseconds(50)

    private let gallery: Gallery
    private let page: String?
    private var cursor: Int
    private var wakeUps: AsyncStream<Void>.Iterator
    private var isFirst = true

    /// The page's view lasts as long as its feed.
    ///
    /// - Parameters:
    ///   - cursor: the newest change that the page knows; nil if it knows none.
    ///   - page: the page's own name; nil if it has none.
    init(_ gallery: Gallery, after cursor: Int?, of page: String? = nil) {
        self.gallery = gallery
        self.page = page
        self.cursor = cursor ?? -1
        wakeUps = gallery.changes.wakeUps().makeAsyncIterator()
        if let page { gallery.beginFeed(of: page) }
    }

    deinit {
        if let page { gallery.endFeed(of: page) }
    }

    /// The next events, as text; a comment if there is nothing to tell. Nil once the gallery has ended.
    func next() async throws -> [UInt8]? {
        if !isFirst {
            guard await waitForWakeUp() else { return nil }
            try await Task.sleep(for: Self.pause)
        }
        let news = gallery.changes.news(after: cursor)
        cursor = news.cursor
        var text = ""
        if let items = news.items {
            if !items.isEmpty { text += event("photos", gallery.changeMessage(of: items)) }
        } else {
            text += event("all", CountMessage(count: gallery.photoCount))
        }
        if news.hasNewStatus || isFirst { text += event("status", gallery.status) }
        isFirst = false
        return Array((text.isEmpty ? ":\n\n" : text).utf8)
    }

    private func waitForWakeUp() async -> Bool {
        var iterator = wakeUps
        defer { wakeUps = iterator }
        return await iterator.next(isolation: self) != nil
    }

    private func event(_ name: String, _ message: some Encodable) -> String {
        "id: \(cursor)\nevent: \(name)\ndata: \(message.jsonText())\n\n"
    }
}
