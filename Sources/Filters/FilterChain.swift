import Imaging

/// Filters in the order in which they are applied.
public struct FilterChain: Hashable, Sendable {
    /// The filters. Without any, photos are only converted.
    public var filters: [any Filter]

    /// Applies `filters` in this order.
    public init(_ filters: [any Filter]) { self.filters = filters }

    /// Parses filters in the command line's form: `name` or `name:parameter=value,parameter=value`. A `+`
    /// joins several filters in one text.
    ///
    /// - Parameter files: the files that filters may read.
    /// - Throws: `FilterError`, which tells the mistake and how to correct it.
    public init(parsing texts: [String], reading files: FilterFiles = .readable) throws(FilterError) {
        filters = []
        for text in texts {
            do throws(FilterError) {
                filters += try Self.filters(parsing: text)
            } catch {
                guard let correction = FilterSpelling.correction(of: text) else { throw error }
                throw .misspelled(text, correction: correction)
            }
        }
        for index in filters.indices {
            try filters[index].check()
            try filters[index].readFiles(files)
        }
    }

    /// The stages that devices run for a photo of this geometry. A filter that changes nothing adds none.
    ///
    /// A filter that follows a resampling gets the geometry of its result.
    public func stages(for photo: PhotoGeometry) -> [Stage] {
        var photo = photo
        return filters.flatMap { filter in
            let stages = filter.stages(for: photo)
            photo = stages.reduce(photo) { $1.result(of: $0) }
            return stages
        }
    }

    /// Every filter with every parameter. Chains with equal recipes give equal pixels.
    public var recipe: String { filters.map(\.recipe).joined(separator: " ") }

    /// The filters' names, for use in file names: `sepia+tilt-shift`.
    public var name: String { filters.map { $0.name }.joined(separator: "+") }

    public static func == (one: Self, other: Self) -> Bool { one.recipe == other.recipe }
    public func hash(into hasher: inout Hasher) { hasher.combine(recipe) }

    /// Parses the filters of one text, without corrections and without reading files.
    static func filters(parsing text: String) throws(FilterError) -> [any Filter] {
        var filters: [any Filter] = []
        for part in FilterSpelling.filterTexts(in: text) { filters.append(try filter(parsing: part)) }
        return filters
    }

    private static func filter(parsing text: String) throws(FilterError) -> any Filter {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let filter = try FilterCatalog.filter(named: String(parts[0]))
        return try self.filter(filter, settings: parts.count > 1 ? String(parts[1]) : "")
    }

    /// - Parameter filter: has its defaults.
    private static func filter<F: Filter>(_ filter: F, settings: String) throws(FilterError) -> F {
        let settings = settings.split(separator: ",").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        var filter = filter.defaults(beside: Set(settings.map { $0[0] }))
        let parameters = filter.parameters
        var seen: Set<String> = []
        for parts in settings {
            if let hash = filter.codeHash, parts[0] == "code" {
                guard parts.last == hash else { throw .otherCode(filter: filter.name) }
                continue
            }
            guard let parameter = parameters.first(where: { $0.name == parts[0] }) else {
                throw .unknownParameter(filter: filter.name, name: parts[0], known: parameters.map(\.name))
            }
            guard parts.count == 2 else { throw .noValue(filter: filter.name, setting: parts[0]) }
            guard seen.insert(parts[0]).inserted else {
                throw .repeatedParameter(filter: filter.name, name: parts[0])
            }
            try parameter.set(parts[1], in: &filter)
        }
        return filter
    }
}
