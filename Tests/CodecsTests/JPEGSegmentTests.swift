import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct JPEGSegmentTests {
    static func photo(with segments: [UInt8]) throws -> [UInt8] {
        var bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        bytes.insert(contentsOf: segments, at: 2)
        return bytes
    }

    /// Four times the segments take about four times as long. With libjpeg's list it would be sixteen times,
    /// because each insertion walks it.
    @Test(arguments: [UInt8(0xFE), 0xE0, 0xE1, 0xEE])
    func manySegmentsAreReadInLinearTime(marker: UInt8) throws {
        func time(_ count: Int) throws -> Double {
            let empty = RawJPEG.segment(marker, [])
            let bytes = try Self.photo(with: (0..<count).flatMap { _ in empty })
            return try (0..<3).map { _ in
                try threadSeconds {
                    let metadata = try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata
                    #expect(metadata.items.count == (marker == 0xE0 ? 0 : count))
                }
            }.min()!
        }
        let (few, many) = (try time(25_000), try time(100_000))
        #expect(many < 9 * few, "\(few) s, \(many) s")
    }

    /// Each segment takes memory besides its bytes.
    @Test func segmentsAreLimitedInNumber() throws {
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 100_000
        let empty = RawJPEG.segment(0xFE, [])
        try decode(Self.photo(with: (0..<500).flatMap { _ in empty }), limits: limits)
        #expect(throws: CodecError.tooMuchMetadata(limit: 100_000)) {
            try decode(Self.photo(with: (0..<1000).flatMap { _ in empty }), limits: limits)
        }
    }

    /// In files and pipes, a segment comes in pieces.
    @Test func segmentsOfEverySizeAreRead() throws {
        let counts = [0, 1, 2, 11, 12, 13, 4095, 65533, 65532, 65533, 3]
        let items = counts.enumerated().map { index, count in
            PhotoMetadata.Item.comment((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) })
        }
        let segments = try JPEGSegments.segments(for: PhotoMetadata(items: items))
        let bytes = try Self.photo(with: segments.flatMap { RawJPEG.segment($0.marker, $0.bytes) })
        #expect(try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata.items == items)
        for chunkByteCount in [1000, 4099, 65536] {
            let pipe = Pipe()
            let feeder = Thread {
                for start in stride(from: 0, to: bytes.count, by: chunkByteCount) {
                    pipe.fileHandleForWriting.write(Data(bytes[start...].prefix(chunkByteCount)))
                }
                try? pipe.fileHandleForWriting.close()
            }
            feeder.start()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            let reader = try PhotoReader(fileDescriptor: descriptor, limits: DecodeLimits())
            #expect(reader.metadata.items == items)
            try reader.readToEnd()
        }
    }

    /// ITU-T T.81 wants at least 2. libjpeg, too, takes less for an empty segment.
    @Test(arguments: [[0, 0], [0, 1], [0, 2]] as [[UInt8]])
    func aLengthThatDoesNotCountItselfIsThatOfAnEmptySegment(length: [UInt8]) throws {
        let bytes = try Self.photo(with: [0xFF, 0xFE] + length)
        #expect(try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata.items == [.comment([])])
        try decode(bytes)
    }

    @Test(arguments: ["ycbcr-2x2", "progressive", "metadata", "grey"])
    func segmentsBehindTheFirstScanAreNoticed(name: String) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        for (bytes, isLate) in [(bytes, false), (RawJPEG.withFillBytesAndLateSegments(bytes), true)] {
            let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
            let layout = PixelLayout.interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
            _ = try Pixels(reader.makeSource(layout: layout))
            #expect(reader.hasLateMetadata == isLate)
        }
    }

    @Test func aDamagedProfileIsNoticed() throws {
        let part = RawJPEG.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 2, 3])
        let reader = try PhotoReader(bytes: Self.photo(with: part), limits: DecodeLimits())
        #expect(reader.hasDamagedProfile && reader.metadata.icc == nil)
    }
}
