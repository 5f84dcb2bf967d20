import TintypeImaging
import TintypeStages

/// One filter with all its settings, as one value.
///
/// The static properties describe the filters of a type. Where filters of one type differ, as those from files do, the
/// properties of the same names say it for each.
///
/// A filter describes itself as stages: the kernels that devices run. Unless a filter says otherwise, values
/// are float32 RGB in 0...1, sRGB-encoded, with straight alpha.
public protocol Filter: Hashable, Sendable {
    /// Lower-case words joined by hyphens. The kernel's file has the same stem.
    static var name: String { get }
    /// One line that helps people to choose a filter.
    static var summary: String { get }
    /// What the filter is for.
    static var group: FilterGroup { get }
    /// The settings, in the order in which help and recipes list them.
    static var parameters: [Parameter<Self>] { get }

    /// The filter with every parameter at its default.
    init()

    /// The filter with settings that show its use, in the form that `FilterChain(parsing:)` reads.
    static var example: String { get }

    /// The filter that a text's settings are applied to. It is called on the filter with its defaults, and returns that filter
    /// unless one parameter's default depends on which others are set.
    ///
    /// - Parameter names: the parameters that are set.
    func defaults(beside names: Set<String>) -> Self

    /// Checks settings that depend on each other, after they were parsed.
    ///
    /// - Throws: `FilterError.unusable`.
    func check() throws(FilterError)

    /// Reads the files that the settings name, after these were parsed. A filter without files has nothing to do.
    ///
    /// - Throws: `FilterError` if a file is missing or has mistakes.
    mutating func readFiles(_ files: FilterFiles) throws(FilterError)

    /// The stages that devices run for a photo of this geometry; empty if the settings leave every photo
    /// unchanged.
    func stages(for photo: PhotoGeometry) -> [Stage]

    /// The most bytes that tables of its stages take for each row or column of a photo, at most 400. A photo is refused before its
    /// tables are made if they would take too much memory. By default, it is 0 for point stages, and enough for blurs of one
    /// radius.
    var tableBytesPerRow: Int { get }

    /// The size of the finest detail that the filter changes, where a smaller copy of the photo lacks it, as its noise; nil, by
    /// default, if any size shows what the filter does.
    var finestDetail: Length? { get }

    /// What becomes of a photo's HDR gain map; it is left out by default.
    var gainMapRule: GainMapRule { get }

    /// The stages for a gain map that is kept. By default, those of `stages(for:)` that resample, at the map's size.
    func gainMapStages(_ place: GainMapPlace) -> [Stage]

    /// The filter's name; that of its type by default.
    var name: String { get }
    /// One line that helps people to choose the filter; that of its type by default.
    var summary: String { get }
    /// What the filter is for; that of its type by default.
    var group: FilterGroup { get }
    /// The filter with settings that show its use; that of its type by default.
    var example: String { get }
    /// The filter's settings; those of its type by default.
    var parameters: [Parameter<Self>] { get }
    /// Distinguishes recipes of the same filter whose results differ, as when its kernel has changed; nil by default.
    /// Letters and digits, such as `PointKernel.contentHash`.
    var codeHash: String? { get }
}

extension Filter {
    public static var example: String { Self().recipe }

    public func defaults(beside names: Set<String>) -> Self { self }

    public func check() throws(FilterError) {}

    public mutating func readFiles(_ files: FilterFiles) throws(FilterError) {}

    /// Checks that every setting is in its range, and that they fit together.
    func checkSettings() throws(FilterError) {
        for parameter in parameters { try parameter.check(in: self) }
        try check()
    }

    public var finestDetail: Length? { nil }

    public var tableBytesPerRow: Int {
        let stages = FilterChain([self]).stages(for: PhotoGeometry(width: 1000, height: 1000))
        let isPoint = !stages.isEmpty && stages.allSatisfy { if case .point = $0 { true } else { false } }
        return isPoint ? 0 : 30
    }

    public var name: String { Self.name }
    public var summary: String { Self.summary }
    public var group: FilterGroup { Self.group }
    public var example: String { Self.example }
    public var parameters: [Parameter<Self>] { Self.parameters }
    public var codeHash: String? { nil }

    /// The filter in the form that `FilterChain(parsing:)` reads, with every parameter:
    /// `sepia:intensity=0.8`. The hash of its code, if it has one, follows as `code`.
    public var recipe: String {
        let settings =
            parameters.map { "\($0.name)=\($0.text(in: self))" } + (codeHash.map { ["code=\($0)"] } ?? [])
        return Self.text(name, settings)
    }

    /// The same without parameters that have their defaults, if that means the same.
    package var shortRecipe: String {
        let usual = FilterCatalog[name].map { FilterDescription($0).parameters } ?? []
        let defaults = Dictionary(uniqueKeysWithValues: usual.map { ($0.name, $0.defaultValue) })
        let settings = parameters.map { ($0.name, $0.text(in: self)) }.filter { defaults[$0] != $1 }
        let text = Self.text(name, settings.map { "\($0)=\($1)" })
        return (try? FilterChain(parsing: [text], reading: .none))?.recipe == recipe ? text : recipe
    }

    private static func text(_ name: String, _ settings: [String]) -> String {
        settings.isEmpty ? name : "\(name):\(settings.joined(separator: ","))"
    }
}
