/// Pixels per unit of length, or only their aspect ratio: JFIF's density and PNG's pHYs.
public struct PixelDensity: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        /// Only the ratio of x to y is meaningful.
        case aspectOnly
        case perInch
        case perCentimetre
        case perMetre
    }

    public var x: Int
    public var y: Int
    public var unit: Unit

    public init(x: Int, y: Int, unit: Unit) {
        self.x = x
        self.y = y
        self.unit = unit
    }

    /// Square pixels of unknown size. JFIF cannot omit the density.
    package static let unknown = PixelDensity(x: 1, y: 1, unit: .aspectOnly)

    /// In the form of JFIF 1.02: 16 bits; unit 0 for the ratio, 1 for inches, 2 for centimetres. Metres
    /// become inches, rounded, because editors show inches. Of a density beyond 16 bits, only the ratio is kept.
    package var jfif: (unit: Int32, x: Int32, y: Int32) {
        switch unit {
        case .aspectOnly: Self.jfif(0, x, y)
        case .perInch: Self.jfif(1, x, y)
        case .perCentimetre: Self.jfif(2, x, y)
        case .perMetre: Self.jfif(1, Self.perInch(x), Self.perInch(y))
        }
    }

    private static func jfif(_ unit: Int32, _ x: Int, _ y: Int) -> (unit: Int32, x: Int32, y: Int32) {
        let scale = min(1, 65535 / Double(max(x, y, 1)))
        func scaled(_ value: Int) -> Int32 { Int32(max((Double(value) * scale).rounded(), 1)) }
        return (scale < 1 ? 0 : unit, scaled(x), scaled(y))
    }

    /// In the form of PNG's pHYs: pixels per metre, or their ratio for unit 0.
    package var physical: (x: UInt32, y: UInt32, unit: UInt8) {
        switch unit {
        case .aspectOnly: (UInt32(clamping: x), UInt32(clamping: y), 0)
        case .perInch: (Self.perMetre(x), Self.perMetre(y), 1)
        case .perCentimetre: (UInt32(clamping: x * 100), UInt32(clamping: y * 100), 1)
        case .perMetre: (UInt32(clamping: x), UInt32(clamping: y), 1)
        }
    }

    private static func perInch(_ perMetre: Int) -> Int { Int((Double(perMetre) * 0.0254).rounded()) }
    private static func perMetre(_ perInch: Int) -> UInt32 {
        UInt32(clamping: Int((Double(perInch) / 0.0254).rounded()))
    }
}
