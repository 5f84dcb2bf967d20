import TintypeFiles
import TintypeImaging

/// What a run does with every photo: filters, size, format, quality and metadata.
public struct Recipe: Hashable, Sendable {
    /// The compression quality of JPEGs, WebPs, AVIFs and JPEG XLs.
    public enum Quality: Hashable, Sendable {
        /// The photo's own quality; `defaultQuality` for photos that are not JPEGs, or 80 for AVIFs.
        case keep
        /// 1...100, on libjpeg's scale, or on libwebp's, or on libheif's.
        case value(Int)
    }

    /// The filters; empty if photos are only converted.
    public var chain: FilterChain
    /// The output's format; nil keeps each photo's own.
    public var format: PhotoFormat?
    /// The quality of outputs that are JPEGs, WebPs, AVIFs or JPEG XLs.
    public var quality: Quality
    /// Whether the photo is downsampled to half its width and height before the filters.
    public var halvesSize: Bool
    /// Leaves out all metadata that the pixels do not need to look right.
    public var stripsMetadata: Bool
    /// Whether JPEGs get the Huffman codes that need the fewest bits, instead of the standard's. Pixels stay the
    /// same. Photos that are copied unchanged keep theirs.
    public var optimizesCodes: Bool
    /// Rows of MCUs between the restart markers of JPEGs, 1 to 1000; nil for no markers. Pixels stay the same. Photos that
    /// are copied unchanged keep theirs.
    public var restartRows: Int?
    /// Whether WebPs, AVIFs and JPEG XLs are compressed without loss. With `Quality.keep`, those that are made of such photos always are.
    public var isLossless: Bool
    /// Whether JPEGs are progressive: shown in passes while they load, and smaller. Pixels stay the same. An output's coefficients
    /// are held in memory as a whole. Photos that are copied unchanged stay as they are.
    public var isProgressive: Bool
    /// The most bytes of an output's file; nil for any. Its quality becomes as low as that needs, and it is held in memory as a
    /// whole. A photo that nothing else changes is copied if it is small enough.
    public var maxByteCount: Int?
    /// What is taken of RAW photos. Others do not depend on it.
    public var raw: RAWReading
    /// How PNGs are compressed.
    public var pngLevel: PNGLevel
    /// Whether photos with a colour profile are converted from it to sRGB, before the filters. A photo without a profile, or
    /// with that of sRGB, stays as it is.
    public var convertsToSRGB: Bool
    /// Whether the pixels are stored as they are shown, so that photos need no orientation in their metadata. A photo
    /// that must be turned for it is held in memory as a whole.
    public var turnsUpright: Bool

    /// The quality of JPEGs that are made from other formats, and of WebPs. It is the usual value for photographs, at which
    /// artefacts are hard to see. AVIFs have 80, which on their scale is as good.
    public static let defaultQuality = 90

    /// By default, photos keep their format, quality, size, metadata and colour profile.
    public init(
        _ chain: FilterChain, format: PhotoFormat? = nil, quality: Quality = .keep, halvesSize: Bool = false,
        stripsMetadata: Bool = false, optimizesCodes: Bool = false, convertsToSRGB: Bool = false,
        turnsUpright: Bool = false, restartRows: Int? = nil, isLossless: Bool = false,
        isProgressive: Bool = false, maxByteCount: Int? = nil, raw: RAWReading = .preview,
        pngLevel: PNGLevel = .small
    ) {
        self.chain = chain
        self.format = format
        self.quality = quality
        self.halvesSize = halvesSize
        self.stripsMetadata = stripsMetadata
        self.optimizesCodes = optimizesCodes
        self.convertsToSRGB = convertsToSRGB
        self.turnsUpright = turnsUpright
        self.restartRows = restartRows
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.maxByteCount = maxByteCount
        self.raw = raw
        self.pngLevel = pngLevel
    }

    package func outputFormat(for input: PhotoFormat) -> PhotoFormat { format ?? input.ofOutputs }

    /// The part of a file name that tells what was done: the filters, or else the conversions. It is empty if
    /// only the format changes.
    package var label: String {
        guard chain.filters.isEmpty else { return chain.name }
        return RecipeProperty.labelled.compactMap { $0.label(self) }.joined(separator: "+")
    }

    /// A name that other recipes do not have, also those that differ in settings only: the label, and the first digits of a
    /// hash of the canonical text.
    package var tag: String {
        let hash = ContentHash.of(Array(canonicalText.utf8)).prefix(Self.tagDigitCount)
        return "\(label.isEmpty ? Self.emptyLabel : label)-\(hash)"
    }

    /// Stands in file names for a label that is empty.
    package static let emptyLabel = "converted"
    private static let tagDigitCount = 8

    /// Whether `text` has the form of a recipe's label or tag.
    package static func isLabel(_ text: Substring) -> Bool {
        let digits = text.suffix(tagDigitCount), label = text.dropLast(tagDigitCount + 1)
        let isTag =
            digits.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
            && text.dropLast(tagDigitCount).last == "-" && !label.isEmpty
        return isPlainLabel(text) || isTag && (label == emptyLabel || isPlainLabel(label))
    }

    private static func isPlainLabel(_ text: Substring) -> Bool {
        let words = text.split(separator: "+", omittingEmptySubsequences: false)
        return words.allSatisfy { FilterCatalog[String($0)] != nil }
            || words.allSatisfy(isConversion)
    }

    private static func isConversion(_ word: Substring) -> Bool {
        RecipeProperty.labelled.contains { $0.isLabel(word) }
    }
}

/// A list of filters is a recipe that keeps everything else: `let recipe: Recipe = [Sepia(), TiltShift()]`.
extension Recipe: ExpressibleByArrayLiteral {
    public init(arrayLiteral filters: any Filter...) { self.init(FilterChain(filters)) }
}
