import GlowKernel
import Tintype

/// More light in bright areas.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
struct Glow: Filter {
    /// 0 leaves the photo unchanged.
    var amount: Float = 0.5
    /// The colour of the light.
    var tint = PlainColour(255, 224, 176)

    static let name = "glow"
    static let summary = "More light in bright areas"
    static let group = FilterGroup.looks
    static let parameters = [
        Parameter<Self>("amount", \.amount, in: 0...1, unit: .fraction, "how much light"),
        Parameter<Self>("tint", \.tint, "the colour of the light"),
    ]

    private static let kernel = PointKernel(glow_kernel())

    // Photos that an earlier kernel has made are not up to date.
    var codeHash: String? { Self.kernel.contentHash }

    func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let channels = [tint.red, tint.green, tint.blue].map { Float($0) / 255 }
        let arguments: [String: PointArgument] = ["amount": .value(amount), "tint": .table(channels)]
        return [.point(PointStage(Self.kernel, arguments, colourEffect: .makesColour))]
    }
}
