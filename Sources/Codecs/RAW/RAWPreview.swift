import TintypeImaging

/// A JPEG in a RAW photo's file.
struct RAWPreview {
    let range: Range<Int>
    let width: Int
    let height: Int
    /// See `RAWDirectory.Tag.previewColourSpace`.
    let colourSpace: Int?

    /// Values of `colourSpace`.
    static let sRGB = 2, adobeRGB = 3
    private static let mostSegments = 256

    /// The one with the most pixels, and among equals the one with the most bytes; nil if none is a photo's JPEG. The sensor's values
    /// may be in a JPEG as well, one without loss.
    static func largest(
        of candidates: [RAWContents.Candidate], in file: RAWFile
    ) throws(CodecError) -> RAWPreview? {
        var largest: RAWPreview?
        for candidate in candidates {
            guard let preview = try RAWPreview(candidate, in: file) else { continue }
            if largest.map({ $0.rank < preview.rank }) ?? true { largest = preview }
        }
        return largest
    }

    /// - Returns: a decoder whose head has the limit of any JPEG's, and the bytes of that head.
    static func decoder(
        of bytes: [UInt8], limits: DecodeLimits
    ) throws(CodecError) -> (decoder: JPEGDecoder, headByteCount: Int) {
        let input = ByteInput(bytes: bytes), limit = limits.maxMetadataByteCount
        input.limit(to: limit, error: .tooMuchMetadata(limit: limit))
        let decoder = try JPEGDecoder(input, limits: limits)
        input.removeLimit()
        return (decoder, input.headByteCount)
    }

    private var rank: (Int, Int) { (width * height, range.count) }

    /// - Returns: nil unless the JPEG is one of 8 bits, baseline or progressive.
    private init?(_ candidate: RAWContents.Candidate, in file: RAWFile) throws(CodecError) {
        (range, colourSpace) = (candidate.range, candidate.colourSpace)
        guard try file.bytes(range.prefix(2)) == [0xFF, 0xD8] else { return nil }
        var position = range.lowerBound + 2
        for _ in 0..<Self.mostSegments {
            guard position + 4 <= range.upperBound, let head = try file.bytes(at: position, count: 4),
                head[0] == 0xFF
            else { return nil }
            switch head[1] {
            case 0xFF: position += 1
            // A frame: baseline, extended, progressive (ITU-T T.81, B.2.2).
            case 0xC0, 0xC1, 0xC2:
                guard let frame = try file.bytes(at: position + 4, count: 5), frame[0] == 8 else {
                    return nil
                }
                height = frame[1...2].integer(isBigEndian: true)
                width = frame[3...4].integer(isBigEndian: true)
                return
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD9, 0xDA: return nil
            default: position += 2 + max(2, head[2...3].integer(isBigEndian: true))
            }
        }
        return nil
    }
}
