import TintypeStages

/// Filters by their names. Filters are added, never removed.
struct FilterRegistry: Sendable {
    /// In the order in which they were added.
    private(set) var filters: [any Filter]
    private var places: [String: Int]

    /// - Parameter known: filters with different names.
    init(known filters: [any Filter]) {
        self.filters = filters
        places = Dictionary(uniqueKeysWithValues: filters.enumerated().map { ($1.name, $0) })
    }

    subscript(name: String) -> (any Filter)? { places[name].map { filters[$0] } }

    /// - Throws: `FilterError.unusable` if the name is not lower-case words joined by hyphens, or is taken.
    mutating func add(_ filter: any Filter) throws(FilterError) {
        let name = filter.name
        guard Self.isName(name) else {
            throw .unusable(
                filter: name,
                problem: "a filter's name is lower-case letters, digits and hyphens, such as soft-light")
        }
        let stem = name.kernelStem
        guard places[name] == nil, KernelSources.texts[stem] == nil else {
            throw .unusable(filter: name, problem: "the name is taken; choose another")
        }
        places[name] = filters.count
        filters.append(filter)
    }

    /// Lower-case letters and digits in words joined by hyphens. The first character is a letter.
    static func isName(_ text: String) -> Bool {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.first?.isLetter == true
            && words.allSatisfy { word in
                !word.isEmpty && word.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
            }
    }
}

extension String {
    /// The name of a filter's or a setting's counterpart in a kernel, where hyphens are underscores.
    package var kernelStem: String { String(map { $0 == "-" ? "_" : $0 }) }
}
