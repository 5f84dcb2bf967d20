import Foundation
import TintypeStages

extension Stage {
    /// A curve for each channel, from 0...1 to 0...1.
    ///
    /// Equal tables are stored once: a stage with one curve needs a third of the cache.
    ///
    /// - Parameters:
    ///   - curves: of red, green and blue, or one for all three.
    ///   - effect: `keepsGrey` if there is one curve.
    static func toneCurve(_ curves: [(Double) -> Double], _ effect: PointStage.ColourEffect) -> Stage {
        var values: [Float] = [], first: [Float] = []
        for curve in curves {
            let table = ToneTable.values(curve)
            let begin = stride(from: 0, to: values.count, by: table.count).first { begin in
                values[begin..<begin + table.count].elementsEqual(table)
            }
            first.append(Float(begin ?? values.count))
            if begin == nil { values += table }
        }
        if first.count == 1 { first = [first[0], first[0], first[0]] }
        return .point(
            PointStage(
                "tone_curve", ["first": .table(first), "values": .table(values)], colourEffect: effect))
    }
}

/// The table of a curve for `Kernels/tone_curve.cl`, which interpolates linearly between its values.
///
/// Below 1/4, places are denser towards black, as floats are: powers of x are steep there. Between 2^-18 and 1
/// the curve x^p is within 0.003/255 of its true value for p from 0.1 to 10.
enum ToneTable {
    /// `curve` at each of `places`, and a neighbour for the last one.
    static func values(_ curve: (Double) -> Double) -> [Float] {
        let values = places.map { Float(curve($0)) }
        return values + values.suffix(1)
    }

    /// 0; 64 places in each octave from 2^-18 to 1/4; from there to 1 every 1024th.
    static let places: [Double] = {
        var places = [0.0]
        for octave in -18 ..< -2 {
            for step in 0..<64 { places.append(exp2(Double(octave)) * (1 + Double(step) / 64)) }
        }
        return places + (256...1024).map { Double($0) / 1024 }
    }()
}
