/// A curve through points, without overshoots: between two points, it rises or falls only as they do.
///
/// - Definition: piecewise cubic, with slopes of F. N. Fritsch and J. Butland, "A method for constructing local
///   monotone piecewise cubic interpolants", SIAM Journal on Scientific and Statistical Computing 5 (1984), as in
///   SciPy's `PchipInterpolator`. A natural spline may overshoot: it would clip tones, or reverse their order.
///   Before the first point and after the last one, the curve is level.
public struct CurvePoints: Hashable, Sendable {
    /// A value, and what it becomes; both 0...1.
    public struct Point: Hashable, Sendable {
        public let input, output: Float

        /// The point that turns `input` into `output`.
        public init(_ input: Float, _ output: Float) {
            self.input = input
            self.output = output
        }
    }

    /// The points, at least two, each with a greater input than the one before.
    public let points: [Point]

    /// The straight line that leaves all values as they are.
    public static let identity = CurvePoints(unchecked: [Point(0, 0), Point(1, 1)])

    /// The numbers of points that a curve takes.
    static let counts = 2...32

    /// Nil if the points are fewer than 2 or more than 32, leave 0...1, or are not in the order of their inputs.
    public init?(_ points: [Point]) {
        let values = points.flatMap { [$0.input, $0.output] }
        guard Self.counts.contains(points.count), values.allSatisfy({ 0...1 ~= $0 }),
            zip(points, points.dropFirst()).allSatisfy({ $0.input < $1.input })
        else { return nil }
        self.points = points
    }

    private init(unchecked points: [Point]) { self.points = points }

    /// The curve in double precision.
    var function: @Sendable (Double) -> Double {
        let inputs = points.map { Double($0.input) }, outputs = points.map { Double($0.output) }
        let slopes = Self.slopes(inputs, outputs)
        return { x in
            guard let after = inputs.firstIndex(where: { $0 > x }) else { return outputs[outputs.count - 1] }
            guard after > 0 else { return outputs[0] }
            let before = after - 1, width = inputs[after] - inputs[before], t = (x - inputs[before]) / width
            let s = 1 - t
            return outputs[before] * (1 + 2 * t) * s * s + outputs[after] * (1 + 2 * s) * t * t
                + width * s * t * (slopes[before] * s - slopes[after] * t)
        }
    }

    /// The curve's slope at each point.
    private static func slopes(_ inputs: [Double], _ outputs: [Double]) -> [Double] {
        let last = inputs.count - 1
        let widths = (0..<last).map { inputs[$0 + 1] - inputs[$0] }
        let rises = (0..<last).map { (outputs[$0 + 1] - outputs[$0]) / widths[$0] }
        guard last > 1 else { return [rises[0], rises[0]] }
        let inner = (1..<last).map { (point: Int) -> Double in
            let before = rises[point - 1], after = rises[point]
            guard before * after > 0 else { return 0 }
            let first = widths[point - 1] + 2 * widths[point], second = 2 * widths[point - 1] + widths[point]
            return (first + second) / (first / before + second / after)
        }
        return [endSlope(widths[0], widths[1], rises[0], rises[1])] + inner
            + [endSlope(widths[last - 1], widths[last - 2], rises[last - 1], rises[last - 2])]
    }

    /// The slope at an end: that of a parabola through three points, limited so that the curve does not overshoot.
    private static func endSlope(
        _ width: Double, _ nextWidth: Double, _ rise: Double, _ nextRise: Double
    ) -> Double {
        let slope = ((2 * width + nextWidth) * rise - width * nextRise) / (width + nextWidth)
        if slope * rise <= 0 { return 0 }
        return rise * nextRise <= 0 && abs(slope) > abs(3 * rise) ? 3 * rise : slope
    }
}

extension CurvePoints: CustomStringConvertible {
    /// Reads `0/0_0.25/0.2_1/1`. Points may also be parted by spaces.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "_" || $0.isWhitespace })
        let points = parts.compactMap { (part) -> Point? in
            let values = part.split(separator: "/", omittingEmptySubsequences: false).map { Float($0) }
            guard values.count == 2, let input = values[0], let output = values[1] else { return nil }
            return Point(input, output)
        }
        guard points.count == parts.count else { return nil }
        self.init(points)
    }

    public var description: String {
        points.map { "\($0.input.plainText)/\($0.output.plainText)" }.joined(separator: "_")
    }
}
