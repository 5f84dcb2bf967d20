import TintypeMetadata

@testable import TintypeCodecs

extension MalformedPhoto {
    /// Flaws of a PNG, one in each file: at every chunk and in every field of its header, with right checksums unless
    /// these are the flaw (PNG, third edition).
    package static func flaws(ofPNG bytes: [UInt8]) -> [MalformedPhoto] {
        let signature = Array(bytes[..<8]), chunks = pngChunks(bytes)
        let whole = chunks.map { ($0.name, $0.fileBytes) }
        var flaws = flaws(ofParts: [("signature", signature)] + whole)
        func file(_ parts: [[UInt8]]) -> [UInt8] { signature + parts.concatenated }
        func add(_ flaw: String, _ index: Int, _ changed: [UInt8]) {
            var parts = whole.map(\.1)
            parts[index] = changed
            flaws.append(MalformedPhoto("\(flaw) of \(chunks[index].name) (chunk \(index))", file(parts)))
        }
        for (index, sound) in chunks.enumerated() {
            let (name, content) = (sound.name, sound.bytes)
            let body = whole[index].1
            for wrong in [
                0, 1, content.count - 1, content.count + 1, 1 << 24, Int(Int32.max), Int(UInt32.max),
            ]
            where wrong != content.count && wrong >= 0 {
                add("length \(wrong)", index, UInt32(wrong).bigEndianBytes + body[4...])
            }
            add("checksum", index, body.dropLast() + [body[body.count - 1] ^ 1])
            for other in ["IDAT", "IEND", "PLTE", "tRNS", "zzzz", "ZZZZ", "a\0b\u{7F}"] where other != name {
                add("name \(other.debugDescription)", index, chunk(other, content))
            }
            add("nothing", index, chunk(name, []))
            add("a byte more", index, chunk(name, content + [0]))
            add("a byte less", index, chunk(name, Array(content.dropLast())))
        }
        let header = chunks[0].bytes
        for place in header.indices {
            for value in Set<UInt8>([0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 0x7F, 0x80, 0xFF]).sorted()
            where value != header[place] {
                var changed = header
                changed[place] = value
                add("byte \(place) is \(value)", 0, chunk("IHDR", changed))
            }
        }
        for depth in [1, 2, 4, 8, 16] as [UInt8] {
            for colourType in 0...7 as ClosedRange<UInt8> where (depth, colourType) != (header[8], header[9])
            {
                add(
                    "depth \(depth), colour type \(colourType)", 0,
                    chunk("IHDR", header[..<8] + [depth, colourType] + header[10...]))
            }
        }
        for (name, extra) in furtherChunks {
            for place in [1, chunks.count - 1] {
                var parts = whole.map(\.1)
                parts.insert(extra, at: place)
                flaws.append(MalformedPhoto("\(name) at \(place)", file(parts)))
            }
        }
        if let pixels = chunks.firstIndex(where: { $0.name == "IDAT" }) {
            add("one byte a chunk", pixels, chunks[pixels].bytes.flatMap { chunk("IDAT", [$0]) })
            add("filter 200", pixels, chunk("IDAT", Zlib.deflate([UInt8](repeating: 200, count: 100_000))))
            add("another stream", pixels, chunk("IDAT", [0x78, 0x9C, 0xFF, 0xFF, 0xFF]))
            add(
                "too many pixels", pixels,
                chunk("IDAT", Zlib.deflate([UInt8](repeating: 0, count: 60_000_000))))
        }
        return flaws
    }

    /// Chunks that a decoder might choke on.
    private static let furtherChunks: [(String, [UInt8])] = {
        let bomb = Zlib.deflate([UInt8](repeating: 0x20, count: 60_000_000))
        func many(_ count: Int, _ chunk: [UInt8]) -> [UInt8] {
            [[UInt8]](repeating: chunk, count: count).concatenated
        }
        return [
            ("a bomb in zTXt", chunk("zTXt", Array("Comment\0\0".utf8) + bomb)),
            ("a bomb in iTXt", chunk("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + bomb)),
            ("a bomb in iCCP", chunk("iCCP", Array("profile\0\0".utf8) + bomb)),
            ("100 bombs in zTXt", many(100, chunk("zTXt", Array("Comment\0\0".utf8) + bomb))),
            ("a damaged stream in iCCP", chunk("iCCP", Array("profile\0\0".utf8) + [0x78, 0x9C, 1, 2, 3])),
            ("a profile without a name", chunk("iCCP", Array("\0\0".utf8) + Zlib.deflate([1, 2, 3]))),
            ("100,000 empty texts", many(100_000, chunk("tEXt", Array("a\0".utf8)))),
            ("100,000 unknown chunks", many(100_000, chunk("abCd", []))),
            ("10,000 empty IDATs", many(10_000, chunk("IDAT", []))),
            (
                "an animation",
                chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0]) + chunk("fcTL", [UInt8](repeating: 0, count: 26))
            ),
            ("a frame's pixels", chunk("fdAT", [0, 0, 0, 1] + Zlib.deflate([0, 1, 2, 3]))),
            ("a palette of 257 colours", chunk("PLTE", [UInt8](repeating: 1, count: 257 * 3))),
            ("half a colour", chunk("PLTE", [1, 2, 3, 4])),
            ("a long tRNS", chunk("tRNS", [UInt8](repeating: 1, count: 1000))),
            ("a short tRNS", chunk("tRNS", [1])),
            ("a gamma of 0", chunk("gAMA", [0, 0, 0, 0])),
            ("a short cHRM", chunk("cHRM", [1, 2, 3])),
            ("no EXIF", chunk("eXIf", [1])),
            ("EXIF that points beyond", chunk("eXIf", Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])),
            (
                "EXIF that points to itself",
                chunk("eXIf", Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 8])
            ),
        ]
    }()

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        PNGChunk(name: name, bytes: bytes).fileBytes
    }

    private static func pngChunks(_ bytes: [UInt8]) -> [PNGChunk] {
        var chunks: [PNGChunk] = []
        var position = 8
        while position < bytes.count {
            let count = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            chunks.append(PNGChunk(name: name, bytes: Array(bytes[position + 8..<position + 8 + count])))
            position += 12 + count
        }
        return chunks
    }
}
