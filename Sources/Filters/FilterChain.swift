import TintypeImaging
import TintypeStages

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
    public init(parsing texts: [String], reading files: FilterFiles) throws(FilterError) {
        filters = []
        for given in texts {
            let text = FilterSpelling.escapingFiles(in: given, files)
            do throws(FilterError) {
                filters += try Self.filters(parsing: text)
            } catch {
                guard let correction = FilterSpelling.correction(of: text) else { throw error }
                throw .misspelled(given, correction: correction)
            }
        }
        for index in filters.indices {
            try filters[index].check()
            try filters[index].readFiles(files)
        }
    }

    /// Checks the settings of filters that were not parsed, as those of texts are: each is in its range, and they fit
    /// together.
    ///
    /// - Throws: `FilterError`, as for a text with such a setting.
    public func check() throws(FilterError) {
        for filter in filters { try filter.checkSettings() }
    }

    /// The stages that devices run for a photo of this geometry. A filter that changes nothing adds none.
    ///
    /// A filter that follows a resampling gets the geometry of its result. One whose settings `check()` refuses has a
    /// stage that fails on every device.
    public func stages(for photo: PhotoGeometry) -> [Stage] {
        var photo = photo
        return filters.flatMap { filter in
            let stages = Self.stages(of: filter, for: photo)
            photo = stages.result(of: photo)
            return stages
        }
    }

    private static func stages(of filter: any Filter, for photo: PhotoGeometry) -> [Stage] {
        do throws(FilterError) {
            try filter.checkSettings()
            return filter.stages(for: photo)
        } catch {
            return [.point(PointStage(failing: error.description, kernel: filter.name.kernelStem))]
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
        var file: String?
        for parts in settings {
            if let hash = filter.codeHash, parts[0] == "code" {
                guard parts.last == hash else { throw .otherCode(filter: filter.name) }
                continue
            }
            guard let parameter = parameters.first(where: { $0.name == parts[0] }) else {
                if parts.count == 1, let file {
                    // The rest of a name with a comma; a file of this name would have been found.
                    throw .unreadableFile(
                        filter: filter.name, path: "\(file),\(parts[0])", reason: "No such file or directory")
                }
                throw .unknownParameter(filter: filter.name, name: parts[0], known: parameters.map(\.name))
            }
            guard parts.count == 2 else { throw .noValue(filter: filter.name, setting: parts[0]) }
            guard seen.insert(parts[0]).inserted else {
                throw .repeatedParameter(filter: filter.name, name: parts[0])
            }
            try parameter.set(parts[1], in: &filter)
            file = parameter.values == .file ? parts[1] : nil
        }
        return filter
    }
}
