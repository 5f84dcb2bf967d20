import CPNG

/// A PNG's ancillary chunks, before and behind the pixels, found by looking ahead from one chunk's head to the
/// next; nothing is inflated, and pixels are passed over.
///
/// Only what a filtered photo keeps is held. Where the file's form is wrong, the scan ends: libpng, which
/// reads the file after it, has the verdict.
struct PNGChunkScan {
    /// In the file's order, each checked.
    private(set) var chunks: [PNGChunk] = []
    /// Chunks with a wrong checksum, which are left out.
    var damagedNames: Set<String> = []
    /// Chunks that mean nothing because there is one of them already, or because the pixels come first.
    private(set) var misplacedNames: Set<String> = []
    /// Of an animation.
    private(set) var frameCount: Int?
    private(set) var byteCountBehindEnd = 0

    private var input: ByteLookAhead
    let limits: DecodeLimits
    private var foundNames: Set<String> = []
    private var heldByteCount = 0
    private var isBehindPixels = false

    private static let signatureByteCount = 8
    /// Length, name and checksum.
    private static let frameByteCount = 12
    private static let pieceByteCount = 64 << 10
    /// What a small chunk costs besides its bytes, measured. It counts, so that many do not escape the limit.
    private static let overheadByteCount = 160

    /// - Throws: `tooMuchMetadata`; `corrupt` for a damaged tRNS, which pixels need.
    init(_ bytes: ByteInput, limits: DecodeLimits) throws(CodecError) {
        input = bytes.lookAhead()
        self.limits = limits
        var offset = Self.signatureByteCount
        while let head = try head(at: offset) {
            let end = offset + Self.frameByteCount + head.byteCount
            if head.isEnd {
                byteCountBehindEnd = max(0, (input.byteCount ?? 0) - end)
                return
            }
            if input.byteCount == nil {
                // What is looked at must be held. So the pixels end the scan, and what precedes them is limited.
                if head.isPixels { return }
                try check(byteCount: end)
            }
            isBehindPixels = isBehindPixels || head.isPixels
            if head.isAncillary { try take(head, at: offset) }
            offset = end
        }
    }

    private func check(byteCount: Int) throws(CodecError) {
        let limit = limits.maxMetadataByteCount
        if byteCount > limit { throw .tooMuchMetadata(limit: limit) }
    }

    private struct Head {
        let byteCount: Int
        let nameBytes: ArraySlice<UInt8>

        var name: String { String(decoding: nameBytes, as: UTF8.self) }
        var isPixels: Bool { nameBytes.elementsEqual("IDAT".utf8) }
        var isEnd: Bool { nameBytes.elementsEqual("IEND".utf8) }
        /// PNG, third edition, 5.4: the first letter is a small one.
        var isAncillary: Bool { nameBytes.first.map { $0 & 0x20 != 0 } ?? false }
    }

    /// Nil where no chunk begins.
    private mutating func head(at offset: Int) throws(CodecError) -> Head? {
        let bytes = try input.bytes(at: offset, count: 8)
        guard bytes.count == 8, bytes.dropFirst(4).allSatisfy({ 0x41...0x5A ~= $0 & ~0x20 }) else {
            return nil
        }
        let byteCount = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard byteCount <= Int(Int32.max) else { return nil }
        return Head(byteCount: byteCount, nameBytes: bytes.dropFirst(4))
    }

    private mutating func take(_ head: Head, at offset: Int) throws(CodecError) {
        let name = head.name
        let isMisplaced =
            isBehindPixels && PNGChunk.namesBeforePixels.contains(name)
            || PNGChunk.uniqueNames.contains(name) && foundNames.contains(name)
        let isKept = PNGChunk.keptNames.contains(name) && !isMisplaced
        if isKept {
            heldByteCount += head.byteCount + Self.overheadByteCount
            try check(byteCount: heldByteCount)
        }
        guard let content = try content(of: head, at: offset, isKept: isKept) else { return }
        if !content.isSound {
            if name == PNGChunk.transparencyName { throw .corrupt(detail: "\(name): CRC error") }
            damagedNames.insert(name)
        } else if isMisplaced {
            misplacedNames.insert(name)
        } else if isKept {
            chunks.append(PNGChunk(name: name, bytes: content.bytes))
            foundNames.insert(name)
        } else if name == PNGChunk.animationName {
            frameCount = content.bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// Nil where the file ends before the chunk does. The bytes are all of a chunk's that is kept, else the
    /// last piece of them.
    private mutating func content(
        of head: Head, at offset: Int, isKept: Bool
    ) throws(CodecError) -> (bytes: [UInt8], isSound: Bool)? {
        var bytes: [UInt8] = []
        var checksum = Self.checksum(0, head.nameBytes)
        let start = offset + 8
        var done = 0
        while done < head.byteCount {
            let piece = try input.bytes(
                at: start + done, count: min(Self.pieceByteCount, head.byteCount - done))
            guard !piece.isEmpty else { return nil }
            checksum = Self.checksum(checksum, piece)
            if isKept { bytes += piece } else { bytes = Array(piece) }
            done += piece.count
        }
        let stored = try input.bytes(at: start + done, count: 4)
        guard stored.count == 4 else { return nil }
        return (bytes, stored.reduce(0) { $0 << 8 | UInt32($1) } == checksum)
    }

    private static func checksum(_ start: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { cpng_checksum(start, $0.baseAddress, $0.count) }
    }
}
