import Imaging

/// What is to be done with every photo of a run.
public struct Recipe: Hashable, Sendable {
    /// How hard JPEGs are compressed.
    public enum Quality: Hashable, Sendable {
        /// As the photo was; `defaultQuality` where it was no JPEG.
        case keep
        /// 1...100, as libjpeg counts.
        case value(Int)
    }

    public var chain: FilterChain
    /// Nil keeps each photo's own.
    public var format: PhotoFormat?
    public var quality: Quality
    /// Both sides are halved before the filters see the photo.
    public var halvesSize: Bool
    /// Leaves out all metadata but what the pixels need to look right.
    public var stripsMetadata: Bool

    /// For JPEGs made from photos that were none: the usual value for photographs, at which artefacts are
    /// hard to see.
    public static let defaultQuality = 90

    public init(
        _ chain: FilterChain, format: PhotoFormat? = nil, quality: Quality = .keep, halvesSize: Bool = false,
        stripsMetadata: Bool = false
    ) {
        self.chain = chain
        self.format = format
        self.quality = quality
        self.halvesSize = halvesSize
        self.stripsMetadata = stripsMetadata
    }

    package func outputFormat(for input: PhotoFormat) -> PhotoFormat { format ?? input }

    /// What file names say was done: the filters, or else the conversions; empty where only the format
    /// changes.
    package var label: String {
        guard chain.filters.isEmpty else { return chain.name }
        var labels = halvesSize ? ["half"] : []
        if stripsMetadata { labels.append("stripped") }
        if case .value(let quality) = quality { labels.append("quality-\(quality)") }
        return labels.joined(separator: "+")
    }

    /// Whether a recipe's label could read so.
    package static func isLabel(_ text: Substring) -> Bool {
        let words = text.split(separator: "+", omittingEmptySubsequences: false)
        return words.allSatisfy { word in FilterCatalog.all.contains { $0.name == word } }
            || words.allSatisfy(isConversion)
    }

    private static func isConversion(_ word: Substring) -> Bool {
        if word == "half" || word == "stripped" { return true }
        guard word.hasPrefix("quality-"), let quality = Int(word.dropFirst("quality-".count)) else {
            return false
        }
        return (1...100).contains(quality)
    }
}
