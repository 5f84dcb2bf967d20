import Tintype

/// Draws a picture that costs codecs and kernels as much as a photo.
///
/// Brightness is the sum of a vertical gradient, smooth noise at several scales (the coarser the stronger, as
/// in photographs), shapes with hard edges, and a sensor's grain. A JPEG of it with quality 90 and 4:2:0
/// chroma has about 0.35 bytes a pixel, as photos have. The amplitudes were chosen by eye for that.
enum PhotoSynthesis {
    /// Random values on a grid with linear interpolation between them ("value noise").
    private struct Noise {
        /// Samples from one grid point to the next.
        let spacing: Int
        /// In 8-bit steps.
        let amplitude: Float
        /// Whether the noise is cut to 0 and `amplitude`, which gives shapes with hard edges.
        var hasEdges = false
    }

    private static let luma = [
        Noise(spacing: 256, amplitude: 48, hasEdges: true), Noise(spacing: 512, amplitude: 60),
        Noise(spacing: 128, amplitude: 36), Noise(spacing: 32, amplitude: 20),
        Noise(spacing: 8, amplitude: 9),
    ]
    private static let chroma = [Noise(spacing: 256, amplitude: 50), Noise(spacing: 32, amplitude: 8)]
    private static let grain: Float = 20

    /// The same photo whenever the geometry is the same.
    static func photo(_ geometry: PhotoGeometry) -> MemoryPhoto {
        let photo = MemoryPhoto(geometry, layout: .yCbCr(.s420))
        for (index, plane) in photo.strip.planes.enumerated() {
            for y in 0..<geometry.height.dividedRoundingUp(by: plane.subsampling.vertical) {
                var row = [Float](repeating: 128, count: plane.width)
                if index == 0 {
                    // Darker towards the top.
                    row = row.map { _ in 100 + 40 * Float(y) / Float(geometry.height) }
                    addGrain(to: &row, seed: UInt64(y))
                }
                for noise in index == 0 ? luma : chroma { add(noise, to: &row, y: y, seed: UInt64(index)) }
                let samples = plane.row(y).assumingMemoryBound(to: UInt8.self)
                for x in row.indices { samples[x] = UInt8(min(max(row[x] + 0.5, 0), 255)) }
            }
        }
        return photo
    }

    private static func add(_ noise: Noise, to row: inout [Float], y: Int, seed: UInt64) {
        let spacing = noise.spacing, share = Float(y % spacing) / Float(spacing)
        func gridValue(_ column: Int, _ row: Int) -> Float {
            let place = UInt64(column) &+ UInt64(row) << 24 &+ (UInt64(spacing) &+ seed) << 48
            return Float(hash(place) >> 40) / 0x1p23 - 1
        }
        /// The grid's values at this row.
        let knots = (0...row.count / spacing + 1).map { column in
            let upper = gridValue(column, y / spacing), lower = gridValue(column, y / spacing + 1)
            return upper + share * (lower - upper)
        }
        for x in row.indices {
            let left = knots[x / spacing], right = knots[x / spacing + 1]
            let value = left + (right - left) * Float(x % spacing) / Float(spacing)
            row[x] += noise.amplitude * (noise.hasEdges ? (value > 0 ? 1 : 0) : value)
        }
    }

    private static func addGrain(to row: inout [Float], seed: UInt64) {
        var random = hash(seed)
        for x in row.indices {
            // The sum of two uniform distributions is closer to a sensor's noise than one.
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let one = Float(random >> 40), other = Float(random >> 16 & 0xFF_FFFF)
            row[x] += grain * ((one + other) / 0x1p24 - 1)
        }
    }

    /// SplitMix64's finaliser: inputs that differ in one bit give unrelated outputs.
    private static func hash(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
