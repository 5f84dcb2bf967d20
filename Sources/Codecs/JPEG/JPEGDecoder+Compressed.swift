import CTintypeJPEG
import TintypeImaging
import TintypeMetadata

// What a device gets that decodes JPEGs itself: sequential ones, of one scan with Huffman codes, to planes or grey.

extension JPEGDecoder: CompressedPhoto {
    var compressed: (any CompressedPhoto)? {
        let keepsSamples = layout != layout.withoutPlanes || header.isPlainGrey
        return keepsSamples && !header.has_multiple_scans && compressedHeader != nil ? self : nil
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

/// The part of a JPEG's file that decoding needs, up to its only scan's data.
package struct JPEGCompressedHeader {
    /// SOI, then the segments as they are in the file, without metadata.
    package let bytes: [UInt8]
    /// Where the data begins in the file.
    package let end: Int

    static let startOfImage: [UInt8] = [0xFF, 0xD8]
    /// Of Adobe's segment, up to the colour transform.
    private static let adobeByteCount = 12

    /// - Parameters:
    ///   - file: from its first byte to the first scan's header or further.
    ///   - keepsJFIF: whether a JFIF segment, which tells what the components are, is kept.
    ///   - keepsCodes: whether Huffman codes are kept.
    /// - Returns: nil if the file has other segments, or something between them.
    package init?(of file: [UInt8], keepsJFIF: Bool = true, keepsCodes: Bool = true) {
        guard file.starts(with: Self.startOfImage) else { return nil }
        var bytes = Self.startOfImage, next = 2
        while next + 4 <= file.count, file[next] == 0xFF {
            let marker = file[next + 1]
            if marker == 0xFF {
                next += 1  // a fill byte
                continue
            }
            let end = next + 2 + Int(file[next + 2]) << 8 + Int(file[next + 3])
            guard end >= next + 4, end <= file.count else { return nil }
            let content = file[(next + 4)..<end]
            switch marker {
            // Sequential frames, quantisation, restart intervals, and scans; then codes.
            case 0xC0, 0xC1, 0xDB, 0xDD, 0xDA: bytes += file[next..<end]
            case 0xC4: if keepsCodes { bytes += file[next..<end] }
            case JPEGSegments.app0 where content.starts(with: "JFIF\0".utf8):
                if keepsJFIF { bytes += file[next..<end] }
            case _ where JPEGSegments.isAdobe(marker, content):
                let known = Array(content.prefix(Self.adobeByteCount))
                bytes += JPEGSegments.Segment(marker: marker, bytes: known).fileBytes
            case _ where JPEGSegments.isMetadata(marker): break
            default: return nil
            }
            next = end
            if marker == 0xDA {
                (self.bytes, self.end) = (bytes, end)
                return
            }
        }
        return nil
    }
}
