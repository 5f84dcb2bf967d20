import CTintypePNG
import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypePNGCore

@testable import TintypeCodecs

/// PNGCore's inflater against zlib, its rows against their definition, and the decoder with it against libpng's.
struct PNGRowReaderTests {
    // MARK: Streams

    /// Gives a stream in spans, each in memory that is freed when the next one is asked for.
    private final class Spans {
        private let bytes: [UInt8], byteCount: Int
        private var offset = 0
        private var span: UnsafeMutablePointer<UInt8>?

        init(_ bytes: [UInt8], byteCount: Int) {
            self.bytes = bytes
            self.byteCount = byteCount
        }

        deinit { free(span) }

        var source: pngcore_source {
            pngcore_source(
                next: { context, bytes in
                    guard let context, let bytes else { return -1 }
                    return Unmanaged<Spans>.fromOpaque(context).takeUnretainedValue().next(bytes)
                }, context: Unmanaged.passUnretained(self).toOpaque())
        }

        private func next(_ given: UnsafeMutablePointer<UnsafePointer<UInt8>?>) -> Int {
            free(span)
            let count = min(byteCount, bytes.count - offset)
            let copy = UnsafeMutablePointer<UInt8>(OpaquePointer(malloc(max(1, count))))
            for at in 0..<count { copy?[at] = bytes[offset + at] }
            offset += count
            span = copy
            given.pointee = UnsafePointer(copy)
            return count
        }
    }

    private func inflated(
        _ stream: [UInt8], _ level: PNGCoreLevel, spanByteCount: Int
    ) throws -> (bytes: [UInt8], isComplete: Bool) {
        let spans = Spans(stream, byteCount: spanByteCount)
        let inflater = try #require(pngcore_inflater_create(level.functions, spans.source))
        defer { pngcore_inflater_destroy(inflater) }
        var result: [UInt8] = []
        while true {
            var bytes: UnsafePointer<UInt8>?, count = 0
            let status = pngcore_inflate(inflater, &bytes, &count)
            result += UnsafeBufferPointer(start: bytes, count: count)
            if status != PNGCORE_INFLATION_CONTINUES { return (result, status == PNGCORE_INFLATION_ENDED) }
        }
    }

    @Test(arguments: Array(PNGCoreTests.contents.keys.sorted()), PNGCoreLevel.supported)
    func inflatesWhatIsDeflated(name: String, level: PNGCoreLevel) throws {
        let bytes = try #require(PNGCoreTests.contents[name])
        let streams = [
            Zlib.deflate(bytes),
            PNGCoreTests.zlibStream(
                bytes, pieceByteCount: 1 << 20, PNGCoreTests.ways[2], level),
            Self.stored(bytes),
        ]
        for (index, stream) in streams.enumerated() {
            for spanByteCount in [1 << 16, 25, 1] where stream.count < 20_000 * spanByteCount {
                let result = try inflated(stream, level, spanByteCount: spanByteCount)
                #expect(result.isComplete && result.bytes == bytes, "\(index), \(spanByteCount)")
            }
        }
    }

    /// A stream of blocks that are not compressed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01], at = 0
        repeat {
            let block = bytes[at..<min(bytes.count, at + 65_535)]
            at += block.count
            let count = UInt16(block.count)
            stream.append(at == bytes.count ? 1 : 0)
            for word in [count, ~count] { stream += [UInt8(word & 255), UInt8(word >> 8)] }
            stream += block
        } while at < bytes.count
        return stream + withUnsafeBytes(of: cpng_adler(1, bytes, bytes.count).bigEndian) { Array($0) }
    }

    /// Streams with a flipped bit, or an early end: complete for zlib are those that are complete here, with the same bytes.
    @Test(arguments: PNGCoreLevel.supported)
    func damagedStreamsAreFoundAsByZlib(level: PNGCoreLevel) throws {
        var random = SeededGenerator(seed: 5)
        var completeCount = 0, damagedCount = 0
        for name in ["a run of each length", "little noise", "lines", "a photo's rows", "two bytes"] {
            let bytes = Array(try #require(PNGCoreTests.contents[name]).prefix(20_000))
            for sound in [Zlib.deflate(bytes), Self.stored(bytes)] {
                for round in 0..<120 {
                    var stream = sound
                    if round % 4 == 0 {
                        stream.removeLast(.random(in: 1...stream.count, using: &random))
                    } else {
                        let most = round % 4 == 1 ? min(60, stream.count) : stream.count
                        stream[.random(in: 0..<most, using: &random)] ^=
                            UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                    }
                    let result = try inflated(
                        stream, level, spanByteCount: .random(in: 1...5000, using: &random))
                    var byZlib = [UInt8](repeating: 0, count: 1 << 20), count = 0
                    let isComplete = cpng_inflate(stream, stream.count, &byZlib, byZlib.count, &count)
                    #expect(result.isComplete == isComplete, "\(name), \(round)")
                    if isComplete {
                        #expect(result.bytes == Array(byZlib.prefix(count)), "\(name), \(round)")
                    }
                    if isComplete { completeCount += 1 } else { damagedCount += 1 }
                }
            }
        }
        #expect(damagedCount > 1000)
    }

    // MARK: Rows

    @Test(arguments: PNGCoreLevel.supported, [1, 2, 3, 4, 6, 8])
    func readsRowsOfEveryFilter(level: PNGCoreLevel, pixelByteCount: Int) throws {
        var random = SeededGenerator(seed: 6)
        for width in [1, 2, 5, 21, 64, 65, 333, 20_000] {
            let count = width * pixelByteCount, height = width > 1000 ? 6 : 23
            var above = [UInt8](repeating: 0, count: count), rows: [UInt8] = [], filtered: [UInt8] = []
            for y in 0..<height {
                let kind = PNGCoreTests.Rows.allCases[y % 6]
                let row = kind.rows(count, pixelByteCount, &random).1
                let filter = y < 5 ? y : Int.random(in: 0..<5, using: &random)
                filtered += [UInt8(filter)]
                filtered += PNGCoreTests.Filtered.filtered(row, above, pixelByteCount, type: filter)
                rows += row
                above = row
            }
            for swaps in [false, true] where !swaps || pixelByteCount % 2 == 0 {
                let spans = Spans(Zlib.deflate(filtered), byteCount: 3000)
                let reader = try #require(
                    pngcore_row_reader_create(level.functions, spans.source, count, pixelByteCount, swaps))
                defer { pngcore_row_reader_destroy(reader) }
                // Between rows, and behind them, nothing is written.
                let stride = count + 3
                var read = [UInt8](repeating: 0xAA, count: height * stride)
                var done = 0
                while done < height {
                    let next = min(height - done, 4)
                    let got = read.withUnsafeMutableBufferPointer {
                        pngcore_read_rows(reader, $0.baseAddress! + done * stride, stride, Int32(next))
                    }
                    try #require(got == next)
                    done += next
                }
                #expect(pngcore_row_reader_is_at_end(reader))
                for y in 0..<height {
                    var row = Array(rows[y * count..<(y + 1) * count])
                    if swaps { row = swapped(row) }
                    #expect(Array(read[y * stride..<(y + 1) * stride]) == row + [0xAA, 0xAA, 0xAA])
                }
            }
        }
    }

    private func swapped(_ row: [UInt8]) -> [UInt8] {
        row.indices.map { row[$0 ^ 1] }
    }

    // MARK: Files

    private func file(_ data: [[UInt8]], behind: [PNGChunk] = [], before: [PNGChunk] = []) -> [UInt8] {
        let chunks =
            [PNGFile.header] + before + data.map { PNGChunk(name: "IDAT", bytes: $0) } + behind
            + [PNGFile.end]
        return PNGFormat.signature + chunks.flatMap(\.fileBytes)
    }

    private func decoder(_ bytes: [UInt8], _ limits: DecodeLimits = DecodeLimits()) throws -> PNGDecoder {
        try PNGDecoder(ByteInput(bytes: bytes), limits: limits)
    }

    /// Decodes a photo as PNGCore does where it can, and by libpng alone, which gets it from a pipe.
    private func outcomes(_ bytes: [UInt8]) throws -> (own: Outcome, ofLibpng: Outcome) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let written = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        try #require(written == bytes.count, "more than a pipe holds")
        return (outcome(ByteInput(bytes: bytes)), outcome(ByteInput(fileDescriptor: ends[0])))
    }

    private struct Outcome: Equatable {
        var pixels: [UInt8] = []
        var error: String?
        var usesOwnRows = false

        var text: String { "\(pixels.count) bytes, hash \(pixels.hashValue), \(error ?? "no error")" }

        /// Of a photo with an error, libpng gives a row less where its stream's end is what is wrong.
        static func == (a: Outcome, b: Outcome) -> Bool {
            a.error == b.error && (a.error != nil || a.pixels == b.pixels)
        }
    }

    private func outcome(_ input: ByteInput) -> Outcome {
        var result = Outcome()
        do {
            let decoder = try PNGDecoder(input, limits: DecodeLimits())
            try decoder.start(decoder.layout)
            let row = try Strip(layout: decoder.layout, width: decoder.width, rowCapacity: 1)
            for _ in 0..<decoder.height {
                try decoder.readRows(1, into: row)
                result.pixels += row.memory
            }
            try decoder.finish()
            result.usesOwnRows = decoder.rows != nil
        } catch {
            result.error = "\(error)"
        }
        return result
    }

    @Test(arguments: try Fixture.names(withExtension: "png"))
    func photosOfMostKindsAreReadByPNGCore(name: String) throws {
        let bytes = try Fixture.bytes("\(name).png"), parts = Set(name.split(separator: "-"))
        let isRare = !parts.isDisjoint(with: ["palette", "interlaced", "trns", "1", "2", "4"])
        #expect(try (decoder(bytes).rows == nil) == isRare)
        var tolerant = DecodeLimits()
        tolerant.toleratesDamage = true
        #expect(try decoder(bytes, tolerant).rows == nil)
        let (own, ofLibpng) = try outcomes(bytes)
        #expect(own == ofLibpng && own.error == nil && own.usesOwnRows == !isRare && !ofLibpng.usesOwnRows)
    }

    /// Files that are right, or that libpng takes in spite of what is wrong.
    @Test func whatLibpngPassesIsPassed() throws {
        let data = PNGFile.pixels.bytes
        var wrongText = PNGChunk("tEXt", "Title\0x").fileBytes
        wrongText[wrongText.count - 1] ^= 1
        let plain = file([data])
        let files: [(bytes: [UInt8], isOwn: Bool)] = [
            (plain, true), (file(data.map { [$0] }), true), (file([[], data, [], []]), true),
            (file([data], behind: [PNGChunk("tEXt", "Title\0x")]), true),
            (plain.dropLast(12) + wrongText + PNGFile.end.fileBytes, true), (plain + [1, 2, 3], true),
            (file([data + [0]]), false), (file([data, [7]]), false),
        ]
        let pixels = try outcomes(plain).own.pixels
        for (index, file) in files.enumerated() {
            let (own, ofLibpng) = try outcomes(file.bytes)
            #expect(own == ofLibpng && own.pixels == pixels && own.error == nil, "\(index): \(own)")
            #expect(own.usesOwnRows == file.isOwn, "\(index)")
        }
    }

    @Test func damagedFilesHaveLibpngsVerdict() throws {
        var random = SeededGenerator(seed: 8)
        var errors: Set<String> = []
        for name in ["rgb-8", "rgba-16", "grey-8"] {
            let sound = try Fixture.bytes("\(name).png")
            for round in 0..<150 {
                var bytes = sound
                // Behind IHDR.
                let place = Int.random(in: 33..<bytes.count, using: &random)
                if round % 3 == 0 { bytes.removeLast(bytes.count - place) }
                if round % 3 > 0 { bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random) }
                let (own, ofLibpng) = try outcomes(bytes)
                let isEqual = own == ofLibpng
                #expect(isEqual, "\(name), \(round): \(own.text), \(ofLibpng.text)")
                if let error = own.error { errors.insert(error) }
            }
        }
        #expect(errors.count > 3, "\(errors)")
    }

    /// With right checksums of chunks, so that the stream is what is wrong.
    @Test func damagedStreamsHaveLibpngsVerdict() throws {
        var random = SeededGenerator(seed: 9)
        var errors: Set<String> = []
        let data = PNGFile.pixels.bytes
        for round in 0..<400 {
            var stream = data
            let place = Int.random(in: 0..<stream.count, using: &random)
            if round % 4 == 0 { stream.removeLast(stream.count - place) }
            if round % 4 > 0 { stream[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random) }
            let (own, ofLibpng) = try outcomes(file([stream]))
            let isEqual = own == ofLibpng
            #expect(isEqual, "\(round): \(own.text), \(ofLibpng.text)")
            if let error = own.error { errors.insert(error) }
        }
        #expect(errors.count > 3, "\(errors)")
    }
}
