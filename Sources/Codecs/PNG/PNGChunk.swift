import CPNG
import Imaging

/// A PNG's ancillary chunks, and the metadata they stand for.
struct PNGChunk: Hashable {
    /// 4 letters.
    let name: String
    let bytes: [UInt8]

    /// What the numbers mean.
    static let colourNames: Set<String> = ["sRGB", "gAMA", "cHRM", "cICP"]
    /// What a PNG hands on to a PNG as it is. Others belong to the source's own coding (bKGD, sBIT, hIST) or
    /// to pictures that are not read (acTL).
    private static let keptNames: Set<String> = colourNames.union([
        "tEXt", "zTXt", "iTXt", "tIME", "mDCV", "cLLI",
    ])

    static let xmpKeyword = "XML:com.adobe.xmp"

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    static func metadata(of chunks: [PNGChunk], limits: DecodeLimits) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        for chunk in chunks {
            switch chunk.name {
            case "pHYs": metadata.density = chunk.density
            case "eXIf": metadata.items.append(.exif(chunk.bytes))
            case "iCCP":
                if let profile = chunk.profile(limit: limits.maxMetadataByteCount) {
                    metadata.items.append(.icc(profile))
                }
            case "iTXt" where chunk.bytes.starts(with: Array((xmpKeyword + "\0").utf8)):
                let text = PNGText(chunk: chunk.name, chunk.bytes, limit: limits.maxMetadataByteCount)
                if let text { metadata.items.append(.xmp(Array(text.text.utf8))) }
            case let name where keptNames.contains(name):
                metadata.items.append(.pngChunk(name: name, chunk.bytes))
            default: break
            }
        }
        return metadata
    }

    /// The chunks that say what `metadata` says, as far as a PNG can.
    static func chunks(for metadata: PhotoMetadata) -> [PNGChunk] {
        let chunks = metadata.items.compactMap { item -> PNGChunk? in
            switch item {
            case .exif(let bytes): PNGChunk(name: "eXIf", bytes: bytes)
            case .icc(let profile): PNGChunk(profile)
            case .xmp(let bytes):
                PNGText(keyword: xmpKeyword, text: String(decoding: bytes, as: UTF8.self)).internationalChunk
            case .comment(let bytes): PNGText(comment: bytes).chunk
            case .pngChunk(let name, let bytes): PNGChunk(name: name, bytes: bytes)
            case .jpegSegment: nil
            }
        }
        return chunks + (metadata.density.map { [PNGChunk($0)] } ?? [])
    }

    private var density: PixelDensity? {
        guard bytes.count == 9 else { return nil }
        func word(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        return PixelDensity(x: word(0..<4), y: word(4..<8), unit: bytes[8] == 1 ? .perMetre : .aspectOnly)
    }

    private init(_ density: PixelDensity) {
        let (x, y, unit) = density.physical
        func bytes(_ word: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
        }
        self.init(name: "pHYs", bytes: bytes(x) + bytes(y) + [unit])
    }

    /// iCCP: a name, a zero byte, the method (0 is zlib), the deflated profile.
    private func profile(limit: Int) -> ICCProfile? {
        guard let nameEnd = bytes.firstIndex(of: 0), bytes.count > nameEnd + 2, bytes[nameEnd + 1] == 0 else {
            return nil
        }
        return Zlib.inflate(bytes[(nameEnd + 2)...], limit: limit).map { ICCProfile(bytes: $0) }
    }

    private init(_ profile: ICCProfile) {
        self.init(name: "iCCP", bytes: Array("ICC profile\0\0".utf8) + Zlib.deflate(profile.bytes))
    }
}
