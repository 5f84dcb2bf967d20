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
    /// become inches, rounded, because editors show inches.
    package var jfif: (unit: Int32, x: Int32, y: Int32) {
        switch unit {
        case .aspectOnly: (0, Self.clampedToJFIF(x), Self.clampedToJFIF(y))
        case .perInch: (1, Self.clampedToJFIF(x), Self.clampedToJFIF(y))
        case .perCentimetre: (2, Self.clampedToJFIF(x), Self.clampedToJFIF(y))
        case .perMetre: (1, Self.clampedToJFIF(Self.perInch(x)), Self.clampedToJFIF(Self.perInch(y)))
        }
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
    private static func clampedToJFIF(_ value: Int) -> Int32 { Int32(min(max(value, 1), 0xFFFF)) }
}
