import TintypeMetadata

extension MalformedPhoto {
    /// Flaws of a JPEG, one in each file: at every marker, and in every byte of the frame, the scans and the tables
    /// (ITU-T T.81, annex B).
    package static func flaws(ofJPEG bytes: [UInt8]) -> [MalformedPhoto] {
        let parts = JPEGPart.parts(of: bytes)
        var flaws = flaws(ofParts: parts.map { (marker($0.code), $0.bytes) })
        for (index, part) in parts.enumerated() {
            func add(_ flaw: String, _ changed: [UInt8]) {
                var changedParts = parts.map(\.bytes)
                changedParts[index] = changed
                flaws.append(
                    MalformedPhoto(
                        "\(flaw) of \(marker(part.code)) (part \(index))", changedParts.concatenated))
            }
            for code in UInt8(0xC0)...0xFE where code != part.code {
                // A frame of another kind: lossless, hierarchical, arithmetic. Other segments: a few.
                guard
                    0xC0...0xCF ~= part.code && code < 0xD0 || [0xC0, 0xDC, 0xDD, 0xDF, 0xE1].contains(code)
                else { continue }
                add("marker \(code)", [0xFF, code] + part.bytes.dropFirst(2))
            }
            guard part.code != 0xD8, part.code != 0xD9 else { continue }
            let length = Int(part.bytes[2]) << 8 | Int(part.bytes[3])
            for wrong in [0, 1, 2, 3, length - 1, length + 1, length + 300, 0xFFFF] where wrong != length {
                add(
                    "length \(wrong)",
                    part.bytes[..<2] + UInt16(wrong).bigEndianBytes + part.bytes[4...])
            }
            guard [0xDA, 0xDB, 0xC4, 0xDD].contains(part.code) || 0xC0...0xCF ~= part.code else { continue }
            for place in 4..<min(2 + length, 40) {
                let byte = part.bytes[place]
                let values = [
                    0, 1, 2, 3, 4, 5, 8, 12, 16, 0x31, 0x13, 0x44, 0x80, 0xFF, byte ^ 0x10, byte &+ 1,
                ]
                for value in Set(values).sorted() where value != byte {
                    var changed = part.bytes
                    changed[place] = value
                    add("byte \(place) is \(value)", changed)
                }
            }
        }
        flaws.append(MalformedPhoto("nothing but the start", [0xFF, 0xD8]))
        flaws.append(MalformedPhoto("one million fill bytes", [0xFF, 0xD8] + fill(0xFF, 1_000_000)))
        flaws.append(
            MalformedPhoto("one million zeros behind the start", [0xFF, 0xD8] + fill(0, 1_000_000)))
        let comments = [[UInt8]](repeating: [0xFF, 0xFE, 0, 2], count: 200_000).concatenated
        flaws.append(MalformedPhoto("200,000 comments", bytes[..<2] + comments + bytes[2...]))
        if let scan = parts.lastIndex(where: { $0.code == 0xDA }) {
            let before = parts[..<scan].map(\.bytes).concatenated, last = parts[scan].bytes
            // The header and at most a byte of data.
            let header = last[..<(2 + Int(last[2]) << 8 + Int(last[3]))]
            for count in [100, 20_000] {
                let scans = [[UInt8]](repeating: header + [0], count: count).concatenated
                flaws.append(MalformedPhoto("\(count) scans", before + scans + [0xFF, 0xD9]))
            }
        }
        if let frame = parts.firstIndex(where: { [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains($0.code) }) {
            for (width, height) in [(65_535, 65_535), (65_500, 1), (1, 65_500), (65_500, 15_000)] {
                var changed = parts.map(\.bytes)
                changed[frame].replaceSubrange(
                    5..<9, with: UInt16(height).bigEndianBytes + UInt16(width).bigEndianBytes)
                flaws.append(MalformedPhoto("claims \(width) x \(height)", changed.concatenated))
            }
        }
        return flaws
    }

    private static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    private static func marker(_ code: UInt8) -> String { "marker \(String(code, radix: 16))" }
}
