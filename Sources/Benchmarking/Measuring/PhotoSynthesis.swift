import Tintype

/// Draws a picture that costs codecs and kernels as much as a photo.
///
/// Brightness is the sum of a vertical gradient, smooth noise at several scales (the coarser the stronger, as
/// in photographs), shapes with hard edges, and a sensor's grain. At quality 90 with 4:2:0 chroma a JPEG of
/// it takes some 0.35 bytes a pixel, as photos do. The amplitudes were chosen by eye for that.
struct PhotoSynthesis {
    private let geometry: PhotoGeometry
    private let seed: UInt64

    /// Spacing of the noise's grid in pixels, and its amplitude in 8-bit steps.
    private static let octaves: [(spacing: Int, amplitude: Float)] = [
        (512, 60), (128, 36), (32, 20), (8, 9),
    ]
    private static let chromaOctaves: [(spacing: Int, amplitude: Float)] = [(256, 50), (32, 8)]
    private static let grain: Float = 20
    private static let edgeHeight: Float = 48

    init(_ geometry: PhotoGeometry, seed: UInt64) {
        self.geometry = geometry
        self.seed = seed
    }

    /// - Throws: `CodecError`.
    func writeJPEG(to descriptor: Int32) throws {
        let layout = PixelLayout.yCbCr(.s420)
        let writer = try PhotoWriter(
            fileDescriptor: descriptor,
            settings: PhotoWriterSettings(
                format: .jpeg, geometry: geometry, layout: layout, metadata: PhotoMetadata(),
                jpegQuality: .value(90)))
        let strip = try Strip(
            layout: layout, width: geometry.width,
            rowCapacity: layout.rowGranularity(width: geometry.width))
        var row = Row(width: geometry.width)
        while strip.endRow < geometry.height {
            strip.firstRow = strip.endRow
            strip.rowCount = min(strip.rowCapacity, geometry.height - strip.firstRow)
            for (index, plane) in strip.planes.enumerated() {
                let vertical = plane.subsampling.vertical
                for line in 0..<strip.rowCount.dividedRoundingUp(by: vertical) {
                    draw(&row, plane: index, y: strip.firstRow / vertical + line, width: plane.width)
                    row.store(to: plane.row(line), count: plane.width)
                }
            }
            try writer.write(strip)
        }
        try writer.finish()
    }

    private func draw(_ row: inout Row, plane: Int, y: Int, width: Int) {
        let salt = seed &* 8 &+ UInt64(plane)
        guard plane == 0 else {
            row.fill(128, count: width)
            for octave in Self.chromaOctaves {
                row.add(octave.amplitude, NoiseLine(octave.spacing, y: y, width: width, salt: salt), width)
            }
            return
        }
        // Darker towards the top.
        row.fill(100 + 40 * Float(y) / Float(geometry.height), count: width)
        row.addSteps(Self.edgeHeight, NoiseLine(256, y: y, width: width, salt: salt &+ 4), width)
        for octave in Self.octaves {
            row.add(octave.amplitude, NoiseLine(octave.spacing, y: y, width: width, salt: salt), width)
        }
        row.addGrain(Self.grain, y: y, salt: salt, width)
    }

    /// A row of samples that are added up.
    private struct Row {
        private var values: [Float]

        init(width: Int) { values = Array(repeating: 0, count: width) }

        mutating func fill(_ value: Float, count: Int) {
            for x in 0..<count { values[x] = value }
        }

        mutating func add(_ amplitude: Float, _ noise: NoiseLine, _ count: Int) {
            noise.forEach(count: count) { x, value in values[x] += amplitude * value }
        }

        /// Makes everything brighter where the noise is positive: shapes with hard edges.
        mutating func addSteps(_ height: Float, _ noise: NoiseLine, _ count: Int) {
            noise.forEach(count: count) { x, value in values[x] += value > 0 ? height : 0 }
        }

        mutating func addGrain(_ amplitude: Float, y: Int, salt: UInt64, _ count: Int) {
            var random = mixed(UInt64(y) &+ salt << 40)
            for x in 0..<count {
                // The sum of two uniform distributions is closer to a sensor's noise than one.
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let one = Float(random >> 40), other = Float(random >> 16 & 0xFF_FFFF)
                values[x] += amplitude * ((one + other) / 0x1p24 - 1)
            }
        }

        func store(to samples: UnsafeMutableRawPointer, count: Int) {
            let bytes = samples.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count { bytes[x] = UInt8(min(max(values[x] + 0.5, 0), 255)) }
        }
    }
}

/// One row of value noise in -1...1: random values on a grid, with straight lines between them.
private struct NoiseLine {
    private let spacing: Int
    /// The grid's values, already blended between the grid's rows above and below.
    private let knots: [Float]

    init(_ spacing: Int, y: Int, width: Int, salt: UInt64) {
        self.spacing = spacing
        let (above, share) = (y / spacing, Float(y % spacing) / Float(spacing))
        knots = (0...width / spacing + 1).map { column in
            let upper = Self.knot(column, above, salt &+ UInt64(spacing))
            let lower = Self.knot(column, above + 1, salt &+ UInt64(spacing))
            return upper + share * (lower - upper)
        }
    }

    func forEach(count: Int, _ body: (Int, Float) -> Void) {
        let step = 1 / Float(spacing)
        for start in stride(from: 0, to: count, by: spacing) {
            let left = knots[start / spacing], slope = (knots[start / spacing + 1] - left) * step
            for offset in 0..<min(spacing, count - start) {
                body(start + offset, left + slope * Float(offset))
            }
        }
    }

    private static func knot(_ x: Int, _ y: Int, _ salt: UInt64) -> Float {
        Float(mixed(UInt64(x) &+ UInt64(y) << 24 &+ salt << 48) >> 40) / 0x1p23 - 1
    }
}

/// SplitMix64's finaliser: inputs that differ in one bit give unrelated outputs.
private func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
}
