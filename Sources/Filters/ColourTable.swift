import TintypeStages

/// A table of colours: a curve for each channel, or a cube.
///
/// - Source: Adobe, "Cube LUT Specification", version 1.0.
public struct ColourTable: Hashable, Sendable {
    /// The values' arrangement.
    public enum Shape: Hashable, Sendable {
        /// Entries along a line; each channel has its own values.
        case line
        /// Nodes of a cube; red's index changes fastest.
        case cube
    }

    /// The values' arrangement.
    public let shape: Shape
    /// The entries along each axis, at least 2.
    public let size: Int
    /// The input values of the first and the last entry, for red, green and blue.
    public let minimum, maximum: [Float]
    /// Red, green and blue of each entry, sRGB-encoded.
    public let values: [Float]

    /// The entries that a table of this shape has.
    static func count(_ shape: Shape, size: Int) -> Int { shape == .line ? size : size * size * size }

    /// - Parameters:
    ///   - size: 2...65536 of a line, 2...256 of a cube.
    ///   - minimum: the input values of the first entry, for each channel.
    ///   - maximum: those of the last one, each above its minimum.
    ///   - values: red, green and blue of each entry.
    public init(
        _ shape: Shape, size: Int, minimum: [Float] = [0, 0, 0], maximum: [Float] = [1, 1, 1], values: [Float]
    ) {
        precondition(Self.sizes(shape).contains(size) && values.count == 3 * Self.count(shape, size: size))
        precondition(zip(minimum, maximum).allSatisfy { $0 < $1 } && minimum.count == 3 && maximum.count == 3)
        self.shape = shape
        self.size = size
        self.minimum = minimum
        self.maximum = maximum
        self.values = values
    }

    /// The sizes that a shape may have.
    static func sizes(_ shape: Shape) -> ClosedRange<Int> { shape == .line ? 2...65536 : 2...256 }

    /// The luma (ITU-R BT.709) of the results for greys, from black to white.
    var lumaOfGreys: [Double] {
        (0..<size).map { step in
            let entry = shape == .line ? step : step * (1 + size + size * size)
            let rgb = values[3 * entry..<3 * entry + 3].map { Double($0) }
            return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
        }
    }

    /// Applies the table to pixels.
    ///
    /// - Parameter intensity: 0...1; 0 leaves them unchanged.
    func stage(intensity: Float) -> Stage {
        let last = Double(size - 1)
        let scale = zip(minimum, maximum).map { last / (Double($1) - Double($0)) }
        let offset = zip(minimum, scale).map { -Double($0) * $1 }
        let arguments: [String: PointArgument] = [
            "intensity": .value(intensity), "last": .value(Float(last)),
            "scale": .table(scale.map { Float($0) }), "offset": .table(offset.map { Float($0) }),
            "values": .table(values),
        ]
        let kernel: PointKernel = shape == .line ? "lut_1d" : "lut_3d"
        return .point(PointStage(kernel, arguments, colourEffect: .makesColour))
    }
}
