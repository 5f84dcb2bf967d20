import CTintypePNG
import TintypeImaging

/// A PNG's ancillary chunks, before and behind the pixels. The scan looks ahead from one chunk's header to
/// the next. It inflates nothing and skips pixels.
///
/// It stores only chunks that a filtered photo keeps. At a malformed chunk the scan ends; libpng, which then
/// reads the file, reports the error.
struct PNGChunkScan {
    /// In the file's order, with correct checksums.
    private(set) var chunks: [PNGChunk] = []
    /// Chunks with a wrong checksum. They are left out.
    var damagedNames: Set<String> = []
    /// Chunks that are ignored: repeated ones, and ones that come too late after the pixels.
    private(set) var misplacedNames: Set<String> = []
    /// The frames of an animation.
    private(set) var frameCount: Int?
    private(set) var hasCredentials = false
    private(set) var byteCountBehindEnd = 0

    private var input: ByteLookAhead
    let limits: DecodeLimits
    private var foundNames: Set<String> = []
    private var heldByteCount = 0
    private var isBehindPixels = false

    /// More names make no message better.
    private static let namesInMessages = 20
    private static let pieceByteCount = 64 << 10
    /// Measured memory for a small chunk besides its bytes. It counts towards the limit, so that many small
    /// chunks cannot exceed it.
    private static let overheadByteCount = 160

    /// - Throws: `tooMuchMetadata`; `corrupt` for a damaged tRNS, which the pixels need.
    init(_ bytes: ByteInput, limits: DecodeLimits) throws(CodecError) {
        input = bytes.lookAhead()
        self.limits = limits
        var offset = PNGFormat.signature.count
        while let head = try head(at: offset) {
            let end = offset + PNGChunk.frameByteCount + head.byteCount
            if head.isEnd {
                byteCountBehindEnd = max(0, (input.byteCount ?? 0) - end)
                return
            }
            if input.byteCount == nil {
                // A stream keeps all bytes that were looked at. So the scan ends at the pixels and limits the
                // bytes before.
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
        /// PNG, third edition, 5.4: the first letter is lower-case.
        var isAncillary: Bool { nameBytes.first.map { $0 & 0x20 != 0 } ?? false }
    }

    /// Nil if there is no valid chunk header.
    private mutating func head(at offset: Int) throws(CodecError) -> Head? {
        let bytes = try input.bytes(at: offset, count: PNGChunk.headByteCount)
        guard bytes.count == PNGChunk.headByteCount,
            bytes.dropFirst(4).allSatisfy({ 0x41...0x5A ~= $0 & ~0x20 })
        else {
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
            if damagedNames.count < Self.namesInMessages { damagedNames.insert(name) }
        } else if isMisplaced {
            misplacedNames.insert(name)
        } else if isKept {
            chunks.append(PNGChunk(name: name, bytes: content.bytes))
            foundNames.insert(name)
        } else if name == PNGChunk.credentialsName {
            hasCredentials = true
        } else if name == PNGChunk.animationName {
            frameCount = content.bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// Nil if the file ends within the chunk. For a chunk that is not kept, `bytes` are only its last piece.
    private mutating func content(
        of head: Head, at offset: Int, isKept: Bool
    ) throws(CodecError) -> (bytes: [UInt8], isSound: Bool)? {
        var bytes: [UInt8] = []
        var checksum = Self.checksum(0, head.nameBytes)
        let start = offset + PNGChunk.headByteCount
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
