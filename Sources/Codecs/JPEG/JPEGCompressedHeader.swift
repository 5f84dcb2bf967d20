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
        var bytes = Self.startOfImage
        for segment in LeadingSegments(file) {
            let content = file[segment.content], whole = file[segment.start..<segment.content.upperBound]
            switch segment.marker {
            // Sequential frames, quantisation, restart intervals, and scans; then codes.
            case 0xC0, 0xC1, 0xDB, 0xDD, LeadingSegments.scan: bytes += whole
            case 0xC4: if keepsCodes { bytes += whole }
            case JPEGSegments.app0 where content.starts(with: "JFIF\0".utf8):
                if keepsJFIF { bytes += whole }
            case _ where JPEGSegments.isAdobe(segment.marker, content):
                bytes += JPEGSegments.adobe(content).fileBytes
            case _ where JPEGSegments.isMetadata(segment.marker): break
            default: return nil
            }
            if segment.marker == LeadingSegments.scan {
                (self.bytes, end) = (bytes, content.endIndex)
                return
            }
        }
        return nil
    }
}

/// A JPEG's segments up to the first scan's header, which is the last one. They end before bytes that are none, and before a
/// segment that is cut off.
struct LeadingSegments: Sequence, IteratorProtocol {
    struct Segment {
        let marker: UInt8
        /// Where its marker begins.
        let start: Int
        /// Without marker and length.
        let content: Range<Int>
    }

    static let scan: UInt8 = 0xDA

    private let file: [UInt8]
    private var place = 2
    private var isAtScan = false

    /// - Parameter file: from its first byte.
    init(_ file: [UInt8]) { self.file = file }

    mutating func next() -> Segment? {
        while !isAtScan, place + 4 <= file.count, file[place] == 0xFF {
            let marker = file[place + 1], start = place
            if marker == 0xFF {
                place += 1  // a fill byte
                continue
            }
            let end = start + 2 + Int(file[start + 2]) << 8 + Int(file[start + 3])
            guard end >= start + 4, end <= file.count else { return nil }
            place = end
            isAtScan = marker == Self.scan
            return Segment(marker: marker, start: start, content: start + 4..<end)
        }
        return nil
    }
}
