/// A function on 0...1 as a table that kernels interpolate in.
package enum Curve {
    /// Segments of a table. With 1024, linear interpolation of the logistic curves here is within 1e-5 of
    /// their true values (greatest second derivative / (8 x 1024 x 1024)).
    package static let segmentCount = 1024

    /// `function` at 0, 1/1024, ..., 1. The last value is there twice, so that index 1024 has a neighbour.
    ///
    /// Must match `curve` in `Kernels/common.cl`.
    package static func table(_ function: (Double) -> Double) -> [Float] {
        let values = (0...segmentCount).map { Float(function(Double($0) / Double(segmentCount))) }
        return values + [values[segmentCount]]
    }
}
