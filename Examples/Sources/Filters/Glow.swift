import GlowKernel
import Tintype

/// More light in bright areas.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
public struct Glow: Filter {
    /// 0 leaves the photo unchanged.
    public var amount: Float = 0.5
    /// The colour of the light.
    public var tint = PlainColour(255, 224, 176)

    public static let name = "glow"
    public static let summary = "More light in bright areas"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("amount", \.amount, in: 0...1, unit: .fraction, "how much light"),
        Parameter<Self>("tint", \.tint, "the colour of the light"),
    ]

    public init() {}

    private static let kernel = PointKernel(glow_kernel())

    // Photos that an earlier kernel has made are not up to date.
    public var codeHash: String? { Self.kernel.contentHash }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let channels = [tint.red, tint.green, tint.blue].map { Float($0) / 255 }
        let arguments: [String: PointArgument] = ["amount": .value(amount), "tint": .table(channels)]
        return [.point(PointStage(Self.kernel, arguments, colourEffect: .makesColour))]
    }
}
