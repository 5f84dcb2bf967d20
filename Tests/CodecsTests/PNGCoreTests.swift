import CTintypePNG
import TestSupport
import Testing
import TintypePNGCore

@testable import TintypeCodecs

/// PNGCore's filters against their definition, and its streams against zlib, at every level of this machine.
struct PNGCoreTests {
    // MARK: Filters

    @Test(arguments: PNGCoreLevel.supported, [1, 2, 3, 4, 6, 8])
    func filtersARowByDefinition(level: PNGCoreLevel, pixelByteCount: Int) {
        var random = SeededGenerator(seed: 1)
        var chosen: Set<UInt8> = []
        for width in Array(1...70) + [333, 2000] {
            for kind in Rows.allCases {
                let count = width * pixelByteCount
                let (above, row) = kind.rows(count, pixelByteCount, &random)
                var filtered = [UInt8](repeating: 0xAA, count: count + 2)
                pngcore_filter_row(level.functions, row, above, count, pixelByteCount, &filtered)
                let expected = Filtered.best(row, above, pixelByteCount)
                #expect(Array(filtered.dropLast()) == expected, "\(kind), \(width)")
                #expect(filtered.last == 0xAA, "the byte behind the row")
                chosen.insert(filtered[0])
            }
        }
        #expect(chosen == [0, 1, 2, 3, 4], "each filter is the best of some row")
    }

    enum Rows: CaseIterable {
        case noise, dark, alongTheRow, likeTheRowAbove, betweenBoth, slope

        func rows(_ count: Int, _ pixel: Int, _ random: inout SeededGenerator) -> ([UInt8], [UInt8]) {
            var above = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if self == .slope { above = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 50) } }
            var row: [UInt8] = []
            for at in 0..<count {
                let left = at < pixel ? 0 : row[at - pixel], corner = at < pixel ? 0 : above[at - pixel]
                let noise = UInt8.random(in: 0...2, using: &random)
                switch self {
                case .noise: row.append(.random(in: .min ... .max, using: &random))
                case .dark: row.append(noise)
                case .alongTheRow: row.append(left &+ noise)
                case .likeTheRowAbove: row.append(above[at] &+ noise)
                case .betweenBoth: row.append(UInt8((Int(left) + Int(above[at])) / 2) &+ noise)
                case .slope: row.append(left &+ above[at] &- corner &+ noise)
                }
            }
            return (above, row)
        }
    }

    /// The filters as in PNG, third edition, 9.2.
    enum Filtered {
        static func best(_ row: [UInt8], _ above: [UInt8], _ pixel: Int) -> [UInt8] {
            let rows = (0..<5).map { [UInt8($0)] + filtered(row, above, pixel, type: $0) }
            return rows.min { sum($0) < sum($1) } ?? []
        }

        private static func sum(_ row: [UInt8]) -> Int {
            row.dropFirst().reduce(0) { $0 + Int(Int8(bitPattern: $1).magnitude) }
        }

        static func filtered(_ row: [UInt8], _ above: [UInt8], _ pixel: Int, type: Int) -> [UInt8] {
            row.indices.map { at in
                let a = at < pixel ? 0 : Int(row[at - pixel]), b = Int(above[at])
                let c = at < pixel ? 0 : Int(above[at - pixel])
                let predicted = [0, a, b, (a + b) / 2, paeth(a, b, c)][type]
                return row[at] &- UInt8(predicted)
            }
        }

        private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
            let p = a + b - c
            let pa = abs(p - a), pb = abs(p - b), pc = abs(p - c)
            return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
        }
    }

    // MARK: Streams

    static let contents: [String: [UInt8]] = {
        var random = SeededGenerator(seed: 2)
        func noise(_ count: Int, _ values: ClosedRange<UInt8> = .min ... .max) -> [UInt8] {
            (0..<count).map { _ in .random(in: values, using: &random) }
        }
        let line = noise(300, 0...20), far = noise(32_768)
        return [
            "nothing": [], "one byte": [7], "two bytes": [7, 7], "no two alike": Array(0...255),
            "zeros": [UInt8](repeating: 0, count: 400_000),
            "a run of each length": (1...600).flatMap { [UInt8](repeating: UInt8($0 % 2), count: $0) },
            "noise": noise(300_000), "little noise": noise(300_000, 0...3),
            "rare bytes": noise(200_000, 0...1)
                .enumerated().map { $0.offset % 9973 == 0 ? UInt8($0.offset % 256) : $0.element },
            "lines": (0..<1500).flatMap { line + [UInt8($0 % 256)] },
            "as far as a match may be": far + far + noise(100) + far,
            "farther": noise(66_000) + far + noise(1) + far,
            "no byte twice as often": (0..<20).flatMap { [UInt8](repeating: UInt8($0), count: 1 << $0) },
            "a photo's rows": photoRows(), "a toned photo's rows": tonedRows(3),
            "a toned photo's rows with alpha": tonedRows(4),
        ]
    }()

    /// Filtered rows of a smooth picture with grain.
    private static func photoRows() -> [UInt8] {
        var random = SeededGenerator(seed: 3)
        return filteredRows(3) { y in
            (0..<3000).map { x in
                UInt8(128 + (x / 3 * (40 + x % 3) + y * 90) % 9000 / 100)
                    &+ .random(in: 0...3, using: &random)
            }
        }
    }

    /// Filtered rows of a picture of one tone with strong grain.
    private static func tonedRows(_ pixelByteCount: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 4)
        return filteredRows(pixelByteCount) { y in
            (0..<1000).flatMap { x in
                let grey = UInt8(60 + (x + y) / 20) + .random(in: 0...30, using: &random)
                return [grey, grey - grey / 8, grey / 2, 255].prefix(pixelByteCount)
            }
        }
    }

    /// 120 rows of 1000 pixels.
    private static func filteredRows(_ pixelByteCount: Int, row: (_ y: Int) -> [UInt8]) -> [UInt8] {
        var above = [UInt8](repeating: 0, count: 1000 * pixelByteCount), rows: [UInt8] = []
        for y in 0..<120 {
            let row = row(y)
            rows += Filtered.best(row, above, pixelByteCount)
            above = row
        }
        return rows
    }

    /// How bytes are deflated.
    struct Way {
        let effort: pngcore_effort
        let rows: pngcore_rows

        init(_ effort: pngcore_effort, _ rowByteCount: Int = 1, _ pixelByteCount: Int = 1) {
            self.effort = effort
            rows = pngcore_rows(row_bytes: rowByteCount, pixel_bytes: pixelByteCount)
        }
    }

    static let ways = [
        Way(PNGCORE_EFFORT_RUNS), Way(PNGCORE_EFFORT_MATCHES), Way(PNGCORE_EFFORT_MATCHES, 3001, 3),
        Way(PNGCORE_EFFORT_MATCHES, 4001, 4), Way(PNGCORE_EFFORT_MATCHES, 7, 3),
        Way(PNGCORE_EFFORT_MATCHES, 4, 4), Way(PNGCORE_EFFORT_MATCHES, 90_000, 3),
    ]

    @Test(arguments: Array(contents.keys.sorted()), ways.indices)
    func zlibInflatesEveryPiece(name: String, way: Int) throws {
        let bytes = try #require(Self.contents[name])
        for pieceByteCount in [bytes.count, 100_000, 4096, 17] where bytes.count < 500 * pieceByteCount {
            let streams = PNGCoreLevel.supported.map { level in
                Self.zlibStream(bytes, pieceByteCount: max(1, pieceByteCount), Self.ways[way], level)
            }
            #expect(streams.allSatisfy { $0 == streams[0] }, "\(pieceByteCount): levels differ")
            var inflated = [UInt8](repeating: 0, count: bytes.count), count = 0
            #expect(cpng_inflate(streams[0], streams[0].count, &inflated, inflated.count, &count))
            #expect(count == bytes.count && inflated == bytes, "\(pieceByteCount)")
        }
    }

    static func zlibStream(
        _ bytes: [UInt8], pieceByteCount: Int, _ way: Way, _ level: PNGCoreLevel
    ) -> [UInt8] {
        let deflater = pngcore_deflater_create(level.functions)
        defer { pngcore_deflater_destroy(deflater) }
        var stream: [UInt8] = [0x78, 0x5E]
        var at = 0
        repeat {
            let piece = Array(bytes[at..<min(bytes.count, at + pieceByteCount)])
            at += piece.count
            let bound = pngcore_deflate_bound(piece.count)
            var to = [UInt8](repeating: 0xAA, count: bound + 1)
            let count = pngcore_deflate(
                deflater, way.effort, way.rows, piece, piece.count, at == bytes.count, &to)
            #expect(count <= bound && to[bound] == 0xAA)
            stream += to.prefix(count)
        } while at < bytes.count
        return stream + withUnsafeBytes(of: cpng_adler(1, bytes, bytes.count).bigEndian) { Array($0) }
    }

    /// Where strings repeat, pieces with matches are smaller, and not larger elsewhere.
    @Test func matchesAreTakenWhereTheyHelp() throws {
        for (name, bytes) in Self.contents {
            let sizes = try Self.ways.map { try Self.size(of: bytes, $0) }
            for size in sizes { #expect(size <= sizes[0] + sizes[0] / 100, "\(name)") }
            if name == "lines" { #expect(sizes[1] * 20 < sizes[0]) }
        }
    }

    /// In a photo of one tone, one value of a pixel tells the others, and pixels of the same value are matches.
    @Test(arguments: [3, 4])
    func pixelsAreTakenWhereTheyHelp(pixelByteCount: Int) throws {
        let bytes = Self.tonedRows(pixelByteCount), rowByteCount = 1000 * pixelByteCount + 1
        let bytewise = try Self.size(of: bytes, Way(PNGCORE_EFFORT_MATCHES))
        let pixelwise = try Self.size(
            of: bytes, Way(PNGCORE_EFFORT_MATCHES, rowByteCount, pixelByteCount))
        #expect(pixelwise * 100 < bytewise * 99)
    }

    private static func size(of bytes: [UInt8], _ way: Way) throws -> Int {
        zlibStream(bytes, pieceByteCount: 1 << 20, way, try #require(PNGCoreLevel.supported.last)).count
    }
}

extension PNGCoreLevel: CustomTestStringConvertible {
    public var testDescription: String { name }
}
