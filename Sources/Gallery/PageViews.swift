/// What the gallery's pages show. Each page has a view of its own, so that two tabs at two places both get their photos.
///
/// A page names itself, and its view ends with its event feed. Reports without a name may come from any page: one that
/// overlaps an earlier one is taken for the same page's, which was scrolled.
struct PageViews {
    /// More views than a user has tabs. The one that was reported longest ago is dropped beyond it.
    static let limit = 16
    /// The same for views of pages without a name, whose end is not known.
    static let namelessLimit = 4

    private struct View {
        let page: String?
        var items: Set<Int> = []
        /// The photo that was opened last. It counts as in view, wherever it is in the grid.
        var opened: Int?

        var all: Set<Int> { items.union(opened.map { [$0] } ?? []) }

        func contains(_ item: Int) -> Bool { items.contains(item) || opened == item }
    }

    /// In the order of their latest reports.
    private var views: [View] = []
    /// The number of open event feeds by page. A page that reconnects has two for a moment.
    private var feeds: [String: Int] = [:]

    /// The photos in any view.
    var items: Set<Int> {
        views.reduce(into: []) { $0.formUnion($1.all) }
    }

    /// The photos in the view that was reported last: that of the page in use.
    var latest: Set<Int> {
        views.last?.all ?? []
    }

    func contains(_ item: Int) -> Bool { views.contains { $0.contains(item) } }

    func hasOpened(_ item: Int) -> Bool { views.contains { $0.opened == item } }

    mutating func show(_ items: Set<Int>, on page: String?) {
        let isFormer = { (view: View) in
            view.page == page && (page != nil || !view.items.isDisjoint(with: items))
        }
        let opened = views.last(where: isFormer)?.opened
        views.removeAll(where: isFormer)
        add(View(page: page, items: items, opened: opened))
    }

    mutating func open(_ item: Int, on page: String?) {
        var view = View(page: page)
        if let index = views.lastIndex(where: { $0.page == page }) { view = views.remove(at: index) }
        view.opened = item
        add(view)
    }

    mutating func beginFeed(of page: String) { feeds[page, default: 0] += 1 }

    /// Drops the view of a page whose last feed has ended.
    ///
    /// - Returns: whether there was one.
    mutating func endFeed(of page: String) -> Bool {
        let rest = (feeds[page] ?? 1) - 1
        feeds[page] = rest == 0 ? nil : rest
        guard rest == 0, let index = views.firstIndex(where: { $0.page == page }) else { return false }
        views.remove(at: index)
        return true
    }

    private mutating func add(_ view: View) {
        views.append(view)
        let nameless = views.indices.filter { views[$0].page == nil }
        if nameless.count > Self.namelessLimit { views.remove(at: nameless[0]) }
        if views.count > Self.limit { views.removeFirst() }
    }
}
