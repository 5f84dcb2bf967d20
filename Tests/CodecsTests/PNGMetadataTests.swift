import Foundation
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct PNGMetadataTests {
    /// In the order in which ImageMagick writes them.
    static let allKinds = [
        PNGChunk(name: "pHYs", bytes: [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1]),
        PNGChunk("tEXt", "Author\0me"),
        PNGChunk(keyword: "Note", deflating: Array("short".utf8)), PNGChunk(orientation: .downMirrored),
        PNGChunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x/>"),
        PNGChunk(name: "tIME", bytes: [7, 0xEA, 1, 2, 3, 4, 5]),
    ]

    @Test func metadataBehindThePixelsCountsAsThatBeforeThem() throws {
        let before = try PNGFile(Self.allKinds).reader().metadata
        let behind = PNGFile(behind: Self.allKinds)
        #expect(before.items.count == 5 && before.density != nil)
        #expect(try behind.reader().metadata == before)
        #expect(try behind.reader().geometry.orientation == .downMirrored)
        #expect(try behind.reader().notes == [])
        #expect(try passedThrough(behind.bytes) == passedThrough(PNGFile(Self.allKinds).bytes))
    }

    @Test func contentCredentialsAreLeftOutWithANote() throws {
        let chunk = PNGChunk("caBX", "jumb")
        for file in [PNGFile([chunk]), PNGFile(behind: [chunk])] {
            let reader = try file.reader()
            #expect(reader.notes == [.boxesLeftOut] && reader.metadata.items == [])
        }
    }

    @Test func metadataBehindThePixelsCountsAsMemory() throws {
        let text = PNGChunk(
            name: "tEXt", bytes: Array("Note\0".utf8) + [UInt8](repeating: 65, count: 1 << 20))
        let byteCounts = try [PNGFile(), PNGFile([text]), PNGFile(behind: [text])].map { file in
            let reader = try file.reader()
            return reader.memoryByteCount(decodingTo: reader.layout)
        }
        #expect(byteCounts[1] > byteCounts[0] + 1 << 20)
        #expect(byteCounts[2] > byteCounts[0] + 1 << 20)
    }

    /// Looking ahead does not move the read position, and the observer gets each byte once.
    @Test func filesAreLookedThroughWithoutMoving() throws {
        let bytes = PNGFile(behind: Self.allKinds).bytes
        let observer = Recorder()
        let copy = try written { descriptor in
            let file = try #require(tmpfile())
            defer { fclose(file) }
            fwrite(bytes, 1, bytes.count, file)
            rewind(file)
            let reader = try PhotoReader(
                fileDescriptor: fileno(file), limits: DecodeLimits(), observer: observer)
            #expect(reader.geometry.orientation == .downMirrored)
            let source = try reader.makeSource(layout: reader.layout)
            let strip = try Strip(layout: reader.layout, width: 4, rowCapacity: 8)
            try source.read(into: strip)
            #expect(strip.rowCount == 2)
            try reader.readToEnd()
            let result = observer.bytes
            _ = result.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        #expect(copy == bytes)
    }

    private final class Recorder: ByteObserver {
        var bytes: [UInt8] = []
        func observe(_ new: UnsafeRawBufferPointer) { bytes += new }
    }

    /// Every chunk in turn gets one bit wrong.
    @Test func damagedMetadataIsLeftOutAndDamagedPixelsFail() throws {
        let sound = PNGFile([PNGChunk(name: "tRNS", bytes: [0, 1, 0, 2, 0, 3])], behind: Self.allKinds)
        var offset = 8
        while offset < sound.bytes.count {
            var bytes = sound.bytes
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            offset += 12 + length
            bytes[offset - 1] ^= 1
            if ["IHDR", "tRNS", "IDAT", "IEND"].contains(name) {
                #expect(throws: CodecError.corrupt(detail: "\(name): CRC error")) { try decode(bytes) }
            } else {
                try decode(bytes)
                let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
                #expect(reader.notes == [.damagedChunks(names: [name])])
                let kept = reader.metadata
                #expect(kept.items.count + (kept.density == nil ? 0 : 1) == Self.allKinds.count - 1)
            }
        }
    }

    @Test func aDamagedProfileGivesANote() throws {
        let reader = try PNGFile([PNGChunk("iCCP", "name\0\0no zlib stream")]).reader()
        #expect(reader.metadata.icc == nil && reader.notes == [.damagedChunks(names: ["iCCP"])])
    }

    @Test func theFirstOfEachKindCounts() throws {
        let reader = try PNGFile(
            [PNGChunk(deflatingProfile: [1]), PNGChunk(gamma: 100_000), PNGChunk(deflatingProfile: [2])],
            behind: [PNGChunk(orientation: .left), PNGChunk(orientation: .right), PNGChunk("sRGB", "\0")]
        ).reader()
        #expect(reader.metadata.icc?.bytes == [1] && reader.metadata.orientation == .left)
        #expect(reader.metadata.items.count == 3)
        #expect(reader.notes == [.misplacedChunks(names: ["eXIf", "iCCP", "sRGB"])])
    }

    @Test func extraFramesAndBytesGiveNotes() throws {
        let animation = PNGChunk(name: "acTL", bytes: [0, 0, 0, 7, 0, 0, 0, 0])
        let file = PNGFile(
            [animation], behind: [PNGChunk(name: "fdAT", bytes: [9, 9, 9, 9])], trailer: Array("PK..".utf8))
        let reader = try file.reader()
        #expect(reader.metadata.items.isEmpty)
        #expect(reader.notes == [.animationLeftOut(frameCount: 7), .bytesBehindEnd(count: 4)])
        try decode(file.bytes)
    }

    /// As ImageMagick 6 and older Pillow write it: see `PNGRawProfile`.
    @Test func exifInTextCountsWhereThereIsNoOther() throws {
        let exif = EXIF(orientation: .right).bytes
        let text = Self.rawProfile("exif", Array("Exif\0\0".utf8) + exif)
        let inText = PNGChunk(keyword: "Raw profile type exif", deflating: text)
        let reader = try PNGFile(behind: [inText]).reader()
        #expect(reader.metadata.items == [.exif(exif)] && reader.geometry.orientation == .right)
        let both = try PNGFile([inText], behind: [PNGChunk(orientation: .left)]).reader()
        #expect(both.metadata.items == [.exif(EXIF(orientation: .left).bytes)], "the other is not copied")
        #expect(try PNGFile([inText, inText]).reader().metadata.items == [.exif(exif)])
    }

    /// Compressed, or as ImageMagick writes it.
    @Test func xmpInEveryFormCanBeChanged() throws {
        let packet = Array(#"<a xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6"/>"#.utf8)
        let compressed = PNGChunk(deflatingXMP: packet)
        let inText = PNGChunk(
            keyword: "Raw profile type xmp", deflating: Self.rawProfile("xmp", packet))
        for chunks in [[compressed], [inText], [compressed, inText], [inText, compressed]] {
            let metadata = try PNGFile(behind: chunks).reader().metadata
            #expect(metadata.items == [.xmp(packet)])
            #expect(metadata.upright() != metadata)
        }
    }

    /// A line with the name, one with the count, and digits in lines of 72.
    static func rawProfile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        var text = "\n\(name)\n\(String(repeating: " ", count: 8 - "\(bytes.count)".count))\(bytes.count)"
        for (index, byte) in bytes.enumerated() {
            if index % 36 == 0 { text += "\n" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return Array((text + "\n").utf8)
    }
}

/// Limits for metadata that is small in the file and large in memory.
struct PNGInflationTests {
    private static let zeros = [UInt8](repeating: 0, count: 20 << 20)

    @Test func compressedTextPassesAsItIs() throws {
        let chunks = [PNGChunk(deflatingXMP: Self.zeros), PNGChunk(keyword: "Note", deflating: Self.zeros)]
        let file = PNGFile(behind: chunks)
        let reader = try file.reader()
        #expect(reader.metadata.items == chunks.map { .pngChunk(name: $0.name, $0.bytes) })
        let textByteCount = chunks.reduce(0) { $0 + $1.fileBytes.count }
        #expect(try passedThrough(file.bytes).count == passedThrough(PNGFile().bytes).count + textByteCount)
    }

    @Test func aJPEGGetsTheTextThatFitsTheBudget() throws {
        let large = try PNGFile(behind: [PNGChunk(deflatingXMP: Self.zeros)]).converted()
        #expect(large.metadata.items == [])
        #expect(large.notes == [.textLeftOut(keywords: ["XML:com.adobe.xmp"])])
        let small = try PNGFile(behind: [PNGChunk(deflatingXMP: Array("<x/>".utf8))]).converted()
        #expect(small.metadata.items == [.xmp(Array("<x/>".utf8))] && small.notes == [])
    }

    @Test func aProfileBeyondTheBudgetFailsThePhoto() throws {
        let file = PNGFile([PNGChunk(deflatingProfile: Self.zeros)])
        #expect(throws: CodecError.tooMuchMetadata(limit: 16 << 20)) { try file.reader() }
        let behindXMP = PNGFile([PNGChunk(deflatingXMP: Self.zeros), PNGChunk(deflatingProfile: [1])])
        #expect(try behindXMP.reader().metadata.icc?.bytes == [1])
    }

    /// Only the first is inflated, so others cost nothing.
    @Test func laterProfilesAreNotInflated() throws {
        let bomb = PNGChunk(deflatingProfile: Self.zeros)
        let file = PNGFile([PNGChunk(deflatingProfile: [1])] + [PNGChunk](repeating: bomb, count: 20))
        let reader = try file.reader()
        #expect(reader.metadata.icc?.bytes == [1] && reader.notes == [.misplacedChunks(names: ["iCCP"])])
    }

    /// All streams share one budget, and damaged ones count, too.
    @Test func theBudgetDoesNotDependOnHowManyStreamsThereAre() throws {
        var budget = InflationBudget(byteCount: 1000)
        let stream = Zlib.deflate([UInt8](repeating: 7, count: 400))
        #expect(try budget.inflate(stream[...]) == [UInt8](repeating: 7, count: 400))
        #expect(throws: InflationBudget.Failure.damaged) { try budget.inflate(stream.dropLast(4)) }
        #expect(budget.byteCount == 200)
        #expect(throws: InflationBudget.Failure.exceeded) { try budget.inflate(stream[...]) }
        #expect(throws: InflationBudget.Failure.exceeded) { try budget.inflate(stream[...]) }
        #expect(budget.byteCount == 0)
        var exact = InflationBudget(byteCount: 400)
        #expect(try exact.inflate(stream[...]).count == 400)
    }

    @Test func manySmallChunksCountAgainstTheLimit() throws {
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 20_000
        let small = PNGChunk("tEXt", "a\0")
        #expect(
            try PNGFile(behind: Array(repeating: small, count: 100)).reader(limits: limits)
                .metadata.items.count == 100)
        #expect(throws: CodecError.tooMuchMetadata(limit: 20_000)) {
            try PNGFile(behind: Array(repeating: small, count: 200)).reader(limits: limits)
        }
    }
}
