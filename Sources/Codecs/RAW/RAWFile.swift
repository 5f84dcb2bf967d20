import TintypeImaging

/// The file of a RAW photo, of which little is read: directories, metadata, a JPEG.
final class RAWFile {
    let byteCount: Int
    /// Bytes that are held in memory.
    let heldByteCount: Int
    private var input: ByteLookAhead

    /// A stream is read to its end.
    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let ahead = input.lookAhead()
        if let count = ahead.byteCount {
            self.input = ahead
            byteCount = count
            heldByteCount = 0
        } else {
            let file = try input.wholeFile(of: PhotoFormat.raw.nameWithArticle, limits: limits)
            self.input = ByteLookAhead(.memory(file), start: 0, byteCount: file.count)
            byteCount = file.count
            // The stream keeps what it has given, too.
            heldByteCount = 2 * file.count
        }
    }

    /// The part of a range that exists; nil if none of it does.
    func range(at offset: Int, byteCount: Int) -> Range<Int>? {
        guard offset >= 0, byteCount > 0, offset < self.byteCount else { return nil }
        return offset..<offset + min(byteCount, self.byteCount - offset)
    }

    func bytes(_ range: Range<Int>) throws(CodecError) -> [UInt8] {
        Array(try input.bytes(at: range.lowerBound, count: range.count))
    }

    /// Nil if not all bytes exist.
    func bytes(at offset: Int, count: Int) throws(CodecError) -> [UInt8]? {
        guard let range = range(at: offset, byteCount: count) else { return nil }
        // The file may have become shorter.
        let bytes = try bytes(range)
        return bytes.count == count ? bytes : nil
    }

    func integer(at offset: Int, byteCount: Int, isBigEndian: Bool = true) throws(CodecError) -> Int? {
        try bytes(at: offset, count: byteCount)?[...].integer(isBigEndian: isBigEndian)
    }
}

extension ArraySlice<UInt8> {
    /// Of all bytes, at most 7; a larger one of 8 bytes is the largest integer.
    func integer(isBigEndian: Bool) -> Int {
        func value(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return Int(clamping: isBigEndian ? value(self) : value(reversed()))
    }
}
