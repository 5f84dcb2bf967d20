import TintypeMetadata

/// The part of a JPEG's file that decoding needs, up to its only scan's data.
package struct JPEGCompressedHeader {
    /// SOI, then the segments as they are in the file, without metadata.
    package let bytes: [UInt8]
    /// Where the data begins in the file.
    package let end: Int

    static let startOfImage: [UInt8] = [0xFF, 0xD8]

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
                bytes += JPEGSegments.adobe(content).fileBytes
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
