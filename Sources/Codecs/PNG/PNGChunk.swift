import Imaging
import Metadata

/// A PNG's ancillary chunk.
struct PNGChunk: Hashable {
    /// 4 letters.
    let name: String
    let bytes: [UInt8]

    /// What the numbers mean.
    static let colourNames = PhotoMetadata.colourChunks
    /// What a PNG hands on to a PNG as it is.
    static let passedNames: Set<String> = colourNames.union(["tEXt", "zTXt", "iTXt", "tIME", "mDCV", "cLLI"])
    /// What a photo keeps. Others belong to the source's own coding (bKGD, sBIT, hIST) or to pictures that are
    /// not read (acTL).
    static let keptNames: Set<String> = passedNames.union(["eXIf", "iCCP", "pHYs"])
    /// Those of which a file has one, as libpng, too, takes the first (PNG, third edition, 5.6).
    static let uniqueNames: Set<String> = keptNames.subtracting(["tEXt", "zTXt", "iTXt"])
    /// Those that mean nothing behind the pixels: decoders have shown these by then.
    static let namesBeforePixels: Set<String> = colourNames.union(["iCCP", "mDCV", "cLLI"])

    static let transparencyName = "tRNS"
    /// Its first 4 bytes count an animation's frames.
    static let animationName = "acTL"
    static let xmpKeyword = "XML:com.adobe.xmp"

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The chunks that say what `metadata` says, as far as a PNG can.
    static func chunks(for metadata: PhotoMetadata) -> [PNGChunk] {
        let chunks = metadata.items.compactMap { item -> PNGChunk? in
            switch item {
            case .exif(let bytes): PNGChunk(name: "eXIf", bytes: bytes)
            case .icc(let profile): PNGChunk(profile)
            case .xmp(let bytes): PNGText(keyword: xmpKeyword, utf8: bytes).internationalChunk
            case .comment(let bytes): PNGText(comment: bytes).chunk
            case .pngChunk(let name, let bytes): PNGChunk(name: name, bytes: bytes)
            case .jpegSegment: nil
            }
        }
        return chunks + (metadata.density.map { [PNGChunk($0)] } ?? [])
    }

    /// Of a pHYs chunk.
    var density: PixelDensity? {
        guard bytes.count == 9 else { return nil }
        return PixelDensity(x: word(at: 0), y: word(at: 4), unit: bytes[8] == 1 ? .perMetre : .aspectOnly)
    }

    /// The unsigned 32-bit number at `offset`.
    func word(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

    private init(_ density: PixelDensity) {
        let (x, y, unit) = density.physical
        self.init(name: "pHYs", bytes: x.bigEndianBytes + y.bigEndianBytes + [unit])
    }

    /// The deflated profile of an iCCP chunk: it follows a name, a zero byte and the method (0 is zlib).
    var deflatedProfile: ArraySlice<UInt8>? {
        guard let nameEnd = bytes.firstIndex(of: 0), bytes.count > nameEnd + 2, bytes[nameEnd + 1] == 0 else {
            return nil
        }
        return bytes[(nameEnd + 2)...]
    }

    private init(_ profile: ICCProfile) {
        self.init(name: "iCCP", bytes: Array("ICC profile\0\0".utf8) + Zlib.deflate(profile.bytes))
    }
}
