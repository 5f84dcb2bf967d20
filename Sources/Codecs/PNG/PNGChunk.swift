import CTintypePNG
import TintypeImaging
import TintypeMetadata

/// A PNG's ancillary chunk.
struct PNGChunk: Hashable {
    /// 4 letters.
    let name: String
    let bytes: [UInt8]

    /// Chunks that define what sample values mean.
    static let colourNames = PhotoMetadata.colourChunks
    /// Chunks that are copied unchanged from PNG to PNG.
    static let passedNames: Set<String> = colourNames.union(["tEXt", "zTXt", "iTXt", "tIME", "mDCV", "cLLI"])
    /// Chunks that are kept from a photo. Others describe the source's coding (bKGD, sBIT, hIST) or pictures
    /// that are not read (acTL).
    static let keptNames: Set<String> = passedNames.union(["eXIf", "iCCP", "pHYs"])
    /// Chunks that a file has once. Like libpng, the scan takes the first (PNG, third edition, 5.6).
    static let uniqueNames: Set<String> = keptNames.subtracting(["tEXt", "zTXt", "iTXt"])
    /// Chunks that are ignored after the pixels, because decoders need them before they show any.
    static let namesBeforePixels: Set<String> = colourNames.union(["iCCP", "mDCV", "cLLI"])

    /// Bytes of a chunk's length and name.
    static let headByteCount = 8
    /// Those and the checksum's.
    static let frameByteCount = 12

    static let transparencyName = "tRNS"
    /// Starts with the number of an animation's frames, in 4 bytes.
    static let animationName = "acTL"
    /// Content Credentials (C2PA Technical Specification, A.3.3): they belong to the original file.
    static let credentialsName = "caBX"
    static let xmpKeyword = "XML:com.adobe.xmp"

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The chunks for `metadata`, as far as a PNG can express it.
    static func chunks(for metadata: PhotoMetadata) -> [PNGChunk] {
        let chunks = metadata.items.compactMap { item -> PNGChunk? in
            switch item {
            case .exif(let bytes): PNGChunk(name: "eXIf", bytes: bytes)
            case .icc(let profile): PNGChunk(profile)
            case .xmp(let bytes): PNGText(keyword: xmpKeyword, utf8: bytes).internationalChunk
            case .comment(let bytes): PNGText(comment: bytes).chunk
            case .pngChunk(let name, let bytes): PNGChunk(name: name, bytes: bytes)
            default: nil
            }
        }
        return chunks + (metadata.density.map { [PNGChunk($0)] } ?? [])
    }

    /// The chunk in a file.
    var encoded: [UInt8] {
        let content = Array(name.utf8) + bytes
        return UInt32(bytes.count).bigEndianBytes + content
            + cpng_checksum(0, content, content.count).bigEndianBytes
    }

    /// The density of a pHYs chunk.
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

    /// The deflated profile of an iCCP chunk, after a name, a zero byte and the compression method (0 is
    /// zlib).
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
