import Tintype

/// The filters of photos that have their own, in place of those of all.
struct OwnFilters: Sendable {
    struct Photo: Sendable {
        let chain: FilterChain
        /// Grows with every change of any photo's filters.
        let version: Int
    }

    private var photos: [Int: Photo] = [:]
    private var lastVersion = 0

    var count: Int { photos.count }

    subscript(item: Int) -> Photo? { photos[item] }

    /// - Parameter chain: nil gives the photo those of all.
    mutating func set(_ item: Int, to chain: FilterChain?) {
        lastVersion += 1
        photos[item] = chain.map { Photo(chain: $0, version: lastVersion) }
    }
}
