import CTintypeJPEG

/// Counts the scans of a JPEG ahead of the decoder. Each takes time for every block that it covers, even without data, so a small
/// file may keep a decoder busy for long, with coefficients of gigabytes in memory. The decoder counts as well, for files that
/// cannot be read ahead.
struct JPEGScanCount {
    private var bytes: ByteLookAhead
    private var offset = 2
    /// The bytes that were looked at last, and where they start.
    private var piece: (start: Int, bytes: ArraySlice<UInt8>) = (0, [])
    /// Blocks of each component, by the component's identifier.
    private var blocks: [UInt8: Int] = [:]

    /// Smaller photos are decoded soon, and are not read twice.
    private static let leastByteCount = 64 << 20
    private static let pieceByteCount = 64 << 10

    /// - Parameter bytes: the file from its start on.
    /// - Throws: `CodecError.tooManyScans`.
    static func check(_ bytes: ByteLookAhead, _ header: cjpeg_header, limit: Int) throws(CodecError) {
        guard header.coefficientByteCount >= leastByteCount, bytes.byteCount != nil else { return }
        var count = JPEGScanCount(bytes: bytes)
        try count.check(header, limit: limit)
    }

    private init(bytes: ByteLookAhead) { self.bytes = bytes }

    private mutating func check(_ header: cjpeg_header, limit: Int) throws(CodecError) {
        let all = header.componentList.map { Int($0.blocks_across) * Int($0.blocks_down) }
        var blocksLeft = limit * all.reduce(0, +)
        while let (marker, content) = try nextSegment() {
            switch marker {
            // Frames: height and width are in 4 bytes after the precision, then components of 3 bytes.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                let components = content.dropFirst(6)
                let starts = stride(from: components.startIndex, to: components.endIndex, by: 3)
                for (start, count) in zip(starts, all) { blocks[components[start]] = count }
            // Scans: their number of components, and these in 2 bytes.
            case 0xDA:
                let count = content.first.map(Int.init) ?? 0
                for component in content.dropFirst().prefix(2 * count).enumerated()
                where component.offset % 2 == 0 {
                    blocksLeft -= blocks[component.element] ?? 0
                }
                guard blocksLeft >= 0 else { throw .tooManyScans(limit: limit) }
            default: break
            }
        }
    }

    /// The next segment; nil at the end of the image, or of what can be read.
    private mutating func nextSegment() throws(CodecError) -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        while let code = try nextMarker() {
            switch code {
            // A fill byte.
            case 0xFF: offset -= 1
            // Stuffed bytes, and markers without a length.
            case 0x00, 0x01, 0xD0...0xD8: break
            case 0xD9: return nil
            default:
                let length = try bytes.bytes(at: offset, count: 2).reduce(0) { $0 << 8 | Int($1) }
                guard length >= 2 else { return nil }
                defer { offset += length }
                return (code, try bytes.bytes(at: offset + 2, count: length - 2))
            }
        }
        return nil
    }

    /// The byte after the next 0xFF, which is then passed.
    private mutating func nextMarker() throws(CodecError) -> UInt8? {
        while true {
            if offset < piece.start || offset + 1 >= piece.start + piece.bytes.count {
                piece = (offset, try bytes.bytes(at: offset, count: Self.pieceByteCount))
                guard piece.bytes.count > 1 else { return nil }
            }
            let rest = piece.bytes.dropFirst(offset - piece.start)
            guard let mark = rest.dropLast().firstIndex(of: 0xFF) else {
                offset += rest.count - 1
                continue
            }
            offset += mark - rest.startIndex + 2
            return rest[mark + 1]
        }
    }
}
