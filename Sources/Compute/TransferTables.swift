import Filters
import Foundation

/// The sRGB transfer functions as tables, in the forms that `Kernels/blur.cl` reads.
///
/// Source: IEC 61966-2-1.
package enum TransferTables {
    /// sRGB-encoded 0...1 to linear light, within 4e-7.
    package static let toLinear: [Float] = Curve.table(linear)

    /// Linear light to sRGB-encoded: at 2^-12 and 128 steps an octave up to 1, within 2e-6 (of 1) in between.
    /// The last value stands twice, so that an index of the last has a neighbour.
    package static let fromLinear: [Float] = {
        let octaves = 12, steps = 128
        let values = (0...octaves * steps).map { index in
            let octave = exp2(Double(index / steps - octaves))
            return Float(encoded(octave * (1 + Double(index % steps) / Double(steps))))
        }
        return values + [values[octaves * steps]]
    }()

    /// sRGB-encoded to linear light, in double precision.
    package static func linear(_ encoded: Double) -> Double {
        encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }

    /// Linear light to sRGB-encoded, in double precision.
    package static func encoded(_ linear: Double) -> Double {
        linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
