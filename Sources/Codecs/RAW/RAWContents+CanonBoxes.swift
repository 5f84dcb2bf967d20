import TintypeImaging
import TintypeMetadata

// Canon's CR3, which is built of boxes like a video.

extension RAWContents {
    /// A box of ISO/IEC 14496-12.
    private struct Box {
        let type: String
        /// 16 bytes if the box is of type `uuid`, else none.
        let identifier: [UInt8]
        let content: Range<Int>
    }

    private static let canon: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    private static let preview: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]
    private static let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    private static let mostBoxes = 256

    private func boxes(in range: Range<Int>) throws(CodecError) -> [Box] {
        var boxes: [Box] = [], position = range.lowerBound
        while position < range.upperBound, boxes.count < Self.mostBoxes,
            let head = try file.bytes(at: position, count: 8)
        {
            var byteCount = head[..<4].integer(isBigEndian: true), headByteCount = 8
            if byteCount == 0 { byteCount = range.upperBound - position }
            if byteCount == 1 {
                byteCount = try file.integer(at: position + 8, byteCount: 8) ?? 0
                headByteCount = 16
            }
            let type = String(decoding: head[4...], as: UTF8.self)
            var identifier: [UInt8] = []
            if type == "uuid" {
                identifier = try file.bytes(at: position + headByteCount, count: 16) ?? []
                headByteCount += 16
            }
            guard byteCount >= headByteCount else { break }
            let end = byteCount < range.upperBound - position ? position + byteCount : range.upperBound
            if position + headByteCount <= end {
                boxes.append(
                    Box(type: type, identifier: identifier, content: position + headByteCount..<end))
            }
            position = end
        }
        return boxes
    }

    /// CR3: a track's only sample is the JPEG of the photo's size; another one is in a box of its own. The parts of EXIF have boxes.
    mutating func readCanonBoxes() throws(CodecError) {
        for box in try boxes(in: 0..<file.byteCount) {
            if box.type == "moov" {
                for part in try boxes(in: box.content) {
                    if part.type == "trak" { try readTrack(part) }
                    if part.identifier == Self.canon, !isDescribed { try describe(part) }
                }
            } else if box.identifier == Self.preview {
                let parts = try boxes(in: box.content.dropFirst(8))
                if let start = parts.first(where: { $0.type == "PRVW" })?.content.lowerBound,
                    let byteCount = try file.integer(at: start + 12, byteCount: 4)
                {
                    add(at: start + 16, byteCount: byteCount)
                }
            } else if box.identifier == Self.xmp, !hasXMP,
                box.content.count <= limits.maxMetadataByteCount
            {
                // Canon fills the packet up to 64 KB.
                items.append(.xmp(XMPPacket.withoutPadding(try file.bytes(box.content))))
            }
        }
    }

    private mutating func readTrack(_ track: Box) throws(CodecError) {
        var box = track
        for type in ["mdia", "minf", "stbl"] {
            guard let part = try boxes(in: box.content).first(where: { $0.type == type }) else { return }
            box = part
        }
        var byteCount: Int?, offset: Int?
        for part in try boxes(in: box.content) {
            let start = part.content.lowerBound
            switch part.type {
            // The size of all samples, or their number and the size of each.
            case "stsz":
                byteCount = try file.integer(at: start + 4, byteCount: 4)
                if byteCount == 0 { byteCount = try file.integer(at: start + 12, byteCount: 4) }
            case "co64": offset = try file.integer(at: start + 8, byteCount: 8)
            case "stco": offset = try file.integer(at: start + 8, byteCount: 4)
            default: continue
            }
        }
        if let byteCount, let offset {
            add(at: offset, byteCount: byteCount)
            addImage(at: offset)
        }
    }

    /// Each directory of EXIF is a TIFF of its own.
    private mutating func describe(_ box: Box) throws(CodecError) {
        var directories: [String: RAWDirectory] = [:]
        for part in try boxes(in: box.content) where part.type.hasPrefix("CMT") {
            directories[part.type] = try RAWDirectory.first(in: file, at: part.content.lowerBound)
        }
        guard let first = directories["CMT1"] else { return }
        try addSize(of: first)
        let further = [
            (tag: RAWDirectory.Tag.exifDirectory, directory: directories["CMT2"]),
            (tag: RAWDirectory.Tag.gpsDirectory, directory: directories["CMT4"]),
        ].compactMap { tag, directory in directory.map { (tag: tag, directory: $0) } }
        if let exif = try first.exif(atMost: limits.maxMetadataByteCount, with: further) {
            items.append(.exif(exif.bytes))
        }
    }
}
