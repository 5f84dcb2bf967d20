import Tintype

/// The filters of photos that have their own, in place of those of all.
struct OwnFilters: Sendable {
    /// What was last set for a photo.
    struct Photo: Sendable {
        /// Nil since its own were taken away.
        let chain: FilterChain?
        /// Grows with every change of any photo's filters.
        let version: Int
    }

    private var photos: [Int: Photo] = [:]
    private(set) var lastVersion = 0
    /// Photos that have their own.
    private(set) var count = 0

    /// Nil for a photo that has never had its own.
    subscript(item: Int) -> Photo? { photos[item] }

    /// - Parameter chain: nil gives the photo those of all.
    mutating func set(_ item: Int, to chain: FilterChain?) {
        if photos[item]?.chain != nil { count -= 1 }
        if chain != nil { count += 1 }
        lastVersion += 1
        photos[item] = Photo(chain: chain, version: lastVersion)
    }

    /// A chain, and one of each of the filters that only single photos have: devices are tested with it.
    func adding(to chain: FilterChain) -> FilterChain {
        var names = Set(chain.filters.map { $0.name }), all = chain
        for filter in photos.values.compactMap(\.chain).flatMap(\.filters)
        where names.insert(filter.name).inserted { all.append(filter) }
        return all
    }
}
