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
    private var lastVersion = 0
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

    /// One filter of each name, of all photos.
    var kinds: [any Filter] {
        let filters = photos.values.compactMap(\.chain).flatMap(\.filters)
        return Array(
            Dictionary(filters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }).values)
    }
}
