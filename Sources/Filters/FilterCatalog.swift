import TintypeLocking

/// All filters. Flags, help, conformance tests and benchmarks come from this list.
///
/// A program may add filters of its own, from any thread.
public enum FilterCatalog {
    /// The types of this package's filters, in the order in which help lists them.
    private static let types: [any Filter.Type] = [
        Brightness.self,
        Contrast.self,
        Grayscale.self,
        HueRotate.self,
        Invert.self,
        Saturate.self,
        Curves.self,
        Exposure.self,
        Gamma.self,
        Levels.self,
        Vibrance.self,
        WhiteBalance.self,
        Border.self,
        Crop.self,
        Resize.self,
        Blur.self,
        Median.self,
        Sharpen.self,
        TiltShift.self,
        Bloom.self,
        Duotone.self,
        Fade.self,
        Grain.self,
        LookUp.self,
        Noir.self,
        Posterize.self,
        Sepia.self,
        SplitTone.self,
        Threshold.self,
        WetPlate.self,
        Vignette.self,
        Watermark.self,
    ]

    private static let ownFilters: [any Filter] = types.map { $0.init() }
    private static let registry = Locked(FilterRegistry(known: ownFilters))

    /// The filters with their defaults: this package's in the order in which help lists them, then those that were
    /// registered.
    public static var all: [any Filter] { registry.withLock { $0.filters } }

    /// Adds a filter of another package. Register filters before texts or journals name them.
    ///
    /// - Throws: `FilterError.unusable` if the name is not lower-case words joined by hyphens, or is taken.
    public static func register<F: Filter>(_ type: F.Type) throws(FilterError) { try register(F()) }

    /// Adds a filter with its defaults.
    ///
    /// - Throws: `FilterError.unusable` if the name is not lower-case words joined by hyphens, or is taken.
    package static func register(_ filter: any Filter) throws(FilterError) {
        try registry.withLock { (registry) throws(FilterError) in try registry.add(filter) }
    }

    /// The filter with this name, with its defaults.
    ///
    /// - Throws: `FilterError.unknownFilter`, which suggests the nearest name.
    public static func filter(named name: String) throws(FilterError) -> any Filter {
        guard let filter = self[name] else {
            throw .unknownFilter(name: name, known: all.map { $0.name })
        }
        return filter
    }

    /// Whether a text can be a filter's name: lower-case letters and digits in words joined by hyphens, first a letter.
    package static func isName(_ text: String) -> Bool { FilterRegistry.isName(text) }

    /// Whether there is a filter with this name.
    package static func has(_ name: String) -> Bool { self[name] != nil }

    /// The filter with this name, or nil.
    static subscript(name: String) -> (any Filter)? {
        registry.withLock { registry in registry[name] ?? FilterAlias.synonyms[name].flatMap { registry[$0] }
        }
    }
}
