import CTintypeJPEG
import TintypeImaging

// What a device gets that decodes JPEGs itself: sequential ones, of one scan with Huffman codes, to planes, RGB or grey.

extension JPEGDecoder: CompressedPhoto {
    var compressed: (any CompressedPhoto)? { reasonToDecodeHere == nil ? self : nil }

    var reasonToDecodeHere: String? {
        let keepsSamples = layout != layout.withoutPlanes || header.isPlainGrey
        if header.has_multiple_scans { return "a JPEG in several scans, such as a progressive one" }
        if !keepsSamples { return "a JPEG in CMYK or RGB, or with unusual sampling" }
        return compressedHeader == nil
            ? "a JPEG with an unusual header, such as that of arithmetic coding" : nil
    }

    var compressedImage: CompressedImage {
        CompressedImage(.jpeg, header: compressedHeader?.bytes ?? [])
    }

    var compressedByteCount: Int? {
        guard let head, let compressedHeader else { return nil }
        return input.lookAhead().byteCount.map { head.bytes.count - compressedHeader.end + $0 }
    }

    func makeCompressedSource() -> any CompressedSource {
        guard let head, let compressedHeader else {
            preconditionFailure("the source must be made once, instead of start")
        }
        let byteCount = compressedByteCount
        self.head = nil
        input.onRead = nil
        return JPEGData(after: head.bytes[compressedHeader.end...], input, byteCount)
    }
}

/// The data of a JPEG after its header.
private final class JPEGData: CompressedSource {
    let mostByteCount: Int?
    /// What was read with the header.
    private var head: ArraySlice<UInt8>
    private let input: ByteInput

    init(after head: ArraySlice<UInt8>, _ input: ByteInput, _ mostByteCount: Int?) {
        self.head = head
        self.input = input
        self.mostByteCount = mostByteCount
    }

    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        guard head.isEmpty else {
            let part = head.prefix(memory.count)
            memory.copyBytes(from: part)
            head = head.dropFirst(part.count)
            return part.count
        }
        guard let start = memory.baseAddress, memory.count > 0 else { return 0 }
        let count = input.read(into: start, capacity: memory.count)
        guard count >= 0 else { throw input.failure ?? .readFailed(.ioError) }
        return count
    }
}
