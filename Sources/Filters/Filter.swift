import Imaging

/// Everything a user can say about one filter, as one value.
///
/// A filter turns itself into stages: the kernels that devices run. Values are float32 RGB in 0...1,
/// sRGB-encoded, straight alpha, unless a filter says otherwise.
public protocol Filter: Hashable, Sendable {
    /// Lower-case words joined by hyphens; the kernel's file has the same stem.
    static var name: String { get }
    /// One line for people who choose a filter.
    static var summary: String { get }
    static var parameters: [Parameter<Self>] { get }

    /// The filter with every parameter at its default.
    init()

    /// What devices run for a photo of this geometry; empty where the settings leave every photo unchanged.
    func stages(for photo: PhotoGeometry) -> [Stage]
}

extension Filter {
    /// The filter in the form that `FilterChain(parsing:)` reads, with every parameter:
    /// `sepia:intensity=0.8`.
    public var recipe: String {
        let settings = Self.parameters.map { "\($0.name)=\($0.text(in: self))" }
        return ([Self.name] + (settings.isEmpty ? [] : [settings.joined(separator: ",")])).joined(
            separator: ":")
    }
}
