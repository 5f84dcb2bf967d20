/// A function on 0...1 as a table that kernels interpolate in.
package enum Curve {
    /// Segments of a table: at 1024 the logistic curves here, interpolated linearly, are within 1e-5 of their
    /// true values (the second derivative's greatest value / (8 x 1024 x 1024)).
    package static let segmentCount = 1024

    /// `function` at 0, 1/1024, ..., 1, and the last value once more so that an index of 1024 has a
    /// neighbour.
    ///
    /// Must match `curve` in `Kernels/common.cl`.
    package static func table(_ function: (Double) -> Double) -> [Float] {
        let values = (0...segmentCount).map { Float(function(Double($0) / Double(segmentCount))) }
        return values + [values[segmentCount]]
    }
}
