import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// A small PNG of one colour, chunk by chunk: 4 x 2 pixels, RGB, 8 bits.
struct PNGFile {
    /// Between IHDR and IDAT.
    var before: [PNGChunk]
    /// Between IDAT and IEND.
    var behind: [PNGChunk]
    /// Behind IEND.
    var trailer: [UInt8] = []

    static let header = PNGChunk(name: "IHDR", bytes: [0, 0, 0, 4, 0, 0, 0, 2, 8, 2, 0, 0, 0])
    static let pixels = PNGChunk(
        name: "IDAT",
        bytes: Zlib.deflate(
            [[UInt8]](repeating: [0] + [UInt8](repeating: 200, count: 12), count: 2).flatMap(\.self))
    )
    static let end = PNGChunk(name: "IEND", bytes: [])

    init(_ before: [PNGChunk] = [], behind: [PNGChunk] = [], trailer: [UInt8] = []) {
        self.before = before
        self.behind = behind
        self.trailer = trailer
    }

    var bytes: [UInt8] {
        let chunks = [Self.header] + before + [Self.pixels] + behind + [Self.end]
        return PNGFormat.signature + chunks.flatMap(\.fileBytes) + trailer
    }

    func reader(limits: DecodeLimits = DecodeLimits()) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    /// As a JPEG says it.
    func converted() throws -> (metadata: PhotoMetadata, notes: [PhotoNote]) {
        let reader = try reader()
        return reader.carryOver(reader.metadata, to: .jpeg)
    }
}

extension PNGChunk {
    init(_ name: String, _ text: String) { self.init(name: name, bytes: Array(text.utf8)) }

    init(orientation: Orientation) { self.init(name: "eXIf", bytes: EXIF(orientation: orientation).bytes) }

    init(gamma: Int) { self.init(name: "gAMA", bytes: UInt32(gamma).bigEndianBytes) }

    /// zTXt.
    init(keyword: String, deflating text: [UInt8]) {
        self.init(name: "zTXt", bytes: Array("\(keyword)\0\0".utf8) + Zlib.deflate(text))
    }

    /// A compressed iTXt with XMP.
    init(deflatingXMP packet: [UInt8]) {
        self.init(
            name: "iTXt", bytes: Array("\(Self.xmpKeyword)\0\u{1}\0\0\0".utf8) + Zlib.deflate(packet))
    }

    init(deflatingProfile profile: [UInt8]) {
        self.init(name: "iCCP", bytes: Array("name\0\0".utf8) + Zlib.deflate(profile))
    }
}
