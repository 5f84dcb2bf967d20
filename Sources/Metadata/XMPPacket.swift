import Glibc

/// An XMP packet (ISO 16684-1). Properties can be removed or get other values; all other bytes stay unchanged.
package struct XMPPacket {
    struct Property: Hashable {
        let name: Name
        /// The text, if it is short.
        let value: String
    }

    /// Bytes that take the place of a range.
    struct Edit {
        let range: Range<Int>
        let text: String

        static func cut(_ range: Range<Int>) -> Edit { Edit(range: range, text: "") }
    }

    let bytes: [UInt8]

    /// A copy without the properties for which `isRemoved` is true, and these properties, including nested
    /// ones.
    ///
    /// - Parameter signs: every packet with such a property contains one of them; nil for `XMPPacket.signs`.
    /// - Returns: nil if there are none, or if the packet is malformed or exceeds the limits of `XMPWalk`.
    func removing(
        _ isRemoved: @escaping (Name) -> Bool, signs: [String]? = nil
    ) -> (bytes: [UInt8], properties: [Property])? {
        guard let walk = walk(XMPWalk(bytes: bytes, isRemoved: isRemoved), signs ?? Self.signs),
            !walk.removed.isEmpty
        else { return nil }
        return (editing(walk, []), walk.removed)
    }

    /// A packet without the space that its writer has left for later changes (ISO 16684-1, 7.3), and without zeros at its end.
    package static func withoutPadding(_ packet: [UInt8]) -> [UInt8] {
        let whole = packet.prefix((packet.lastIndex { $0 != 0 } ?? -1) + 1)
        let trailer = Array("<?xpacket end=".utf8)
        guard let start = whole.ranges(of: trailer).last?.lowerBound,
            let end = whole[..<start].lastIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
        else { return Array(whole) }
        return Array(whole[...end] + whole[start...])
    }

    /// A copy without previews: properties that are known to be one, and any other whose text is an image in Base64.
    ///
    /// - Returns: nil if there are none, or as for `removing`.
    func withoutPreviews() -> [UInt8]? {
        let start = XMPWalk(bytes: bytes, isRemoved: \.isPreview, removesImages: true)
        guard let walk = walk(start, Self.signs + Self.signsOfImages), !walk.cuts.isEmpty else { return nil }
        return editing(walk, [])
    }

    /// Runs a walk over the packet; nil if it has none of the signs, is malformed or exceeds the limits of `XMPWalk`.
    func walk(_ start: XMPWalk, _ signs: [String]) -> XMPWalk? {
        guard signs.contains(where: { bytes.contains(text: $0) }) else { return nil }
        var walk = start
        return (try? walk.run()) == nil ? nil : walk
    }

    /// A copy without what a walk has cut, and with these edits.
    func editing(_ walk: XMPWalk, _ edits: [Edit]) -> [UInt8] {
        let names = Set(walk.removed.map(\.name.namespace))
        let declarations = walk.declarations.filter { names.contains($0.namespace) }
        let cuts = RangeSet(sorting: walk.cuts + declarations.map(\.range)).ranges.map(Edit.cut)
        var kept: [UInt8] = [], end = 0
        for edit in (cuts + edits).sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where edit.range.lowerBound >= end {
            kept += bytes[end..<edit.range.lowerBound]
            kept += edit.text.utf8
            end = edit.range.upperBound
        }
        return kept + bytes[end...]
    }

    /// The text of a range, if it is short.
    func text(_ range: Range<Int>) -> String {
        range.count <= 64 ? String(decoding: bytes[range], as: UTF8.self) : ""
    }
}

extension [UInt8] {
    func contains(text: String) -> Bool {
        let text = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var position = 0
            while position + text.count <= bytes.count,
                let found = memchr(start + position, Int32(text[0]), bytes.count - position - text.count + 1)
            {
                if memcmp(found, text, text.count) == 0 { return true }
                position = UnsafeRawPointer(found) - start + 1
            }
            return false
        }
    }
}
