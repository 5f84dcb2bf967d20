import TintypeImaging

extension Recipe {
    /// Increases whenever the same photo and recipe give other bytes than before, so that journals notice it.
    package static let outputVersion = 10

    /// All that the output's bytes depend on besides the input, in one line that is the same on every run.
    ///
    /// Devices are not part of it: they all give the same bytes.
    public var canonicalText: String {
        let filters = chain.filters.isEmpty ? "none" : chain.recipe
        let words = RecipeProperty.all.compactMap { property in
            property.text(self).map { "\(property.option.word)=\($0)" }
        }
        return (["v\(Self.outputVersion)", "filters=\(filters)"] + words).joined(separator: " ")
    }

    /// Parses a canonical text; nil unless this version would write the same text, and the filters' files can be read.
    package init?(canonicalText text: String, reading files: FilterFiles) {
        self.init(FilterChain([]))
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            let property = RecipeProperty.all.first { $0.option.word == parts[0] }
            property?.set(&self, parts.last ?? "")
        }
        guard let chain = try? FilterChain(parsing: Self.filters(in: text), reading: files) else {
            return nil
        }
        self.chain = chain
        if canonicalText != text { return nil }
    }

    /// The texts of the filters in a canonical text. They follow each other, up to the format.
    private static func filters(in canonicalText: String) -> [String] {
        let start = "filters="
        let words = canonicalText.split(separator: " ").drop { !$0.hasPrefix(start) }
            .prefix { !$0.hasPrefix("format=") }
        let filters = words.enumerated().map { String($0 == 0 ? $1.dropFirst(start.count) : $1) }
        return filters == ["none"] ? [] : filters
    }

    /// Why a file of the filters in a canonical text, of one recipe or of several, cannot be used; nil if all can.
    package static func fileProblem(
        in canonicalText: String, reading files: FilterFiles
    ) -> FilterError? {
        for filters in CanonicalText(canonicalText).outputs.map({ filters(in: $0.recipe) }) {
            do throws(FilterError) {
                _ = try FilterChain(parsing: filters, reading: files)
            } catch {
                switch error {
                case .unreadableFile, .invalidFile: return error
                default: break
                }
            }
        }
        return nil
    }
}
