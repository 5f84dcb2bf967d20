/// JPEGs that an HDR gain map follows, put together byte by byte.
package enum GainMapPhoto {
    /// How a photo and its map tell of each other.
    package enum Form: CaseIterable, Sendable {
        /// XMP of Ultra HDR 1.0.
        case xmp
        /// Segments of ISO 21496-1.
        case segments
        /// Apple's: nothing in the photo.
        case apple
    }

    /// The parameters of a map of two stops, with 0.25 as neutral value: -0.5 to 1.5.
    private static let xmp = #"""
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\#
        <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" \#
        hdrgm:GainMapMin="-0.5" hdrgm:GainMapMax="1.5" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" \#
        hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="1.5"/></rdf:RDF></x:xmpmeta>
        """#
    private static let apple = #"""
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\#
        <rdf:Description rdf:about="" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \#
        xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" HDRGainMap:HDRGainMapVersion="131072" \#
        apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/></rdf:RDF></x:xmpmeta>
        """#

    private static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// ISO 21496-1, annex C: versions, flags, both headrooms, then minimum, maximum, gamma and both offsets as fractions.
    private static let segment: [UInt8] =
        [0, 0, 0, 0, 0] + words([0, 1, 3, 2, -1, 2, 3, 2, 1, 1, 1, 64, 1, 64])

    private static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let isoPrefix = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

    private static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        let length = bytes.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + bytes
    }

    /// A map's file with the metadata of a form.
    package static func map(_ jpeg: [UInt8], _ form: Form) -> [UInt8] {
        let own =
            switch form {
            case .xmp: segment(0xE1, xmpPrefix + xmp.utf8)
            case .segments: segment(0xE2, isoPrefix + segment)
            case .apple: segment(0xE1, xmpPrefix + apple.utf8)
            }
        return jpeg[..<2] + own + jpeg[2...]
    }

    /// A photo that pictures follow.
    ///
    /// - Parameters:
    ///   - form: how the photo tells of a map.
    ///   - comment: another property of the photo's XMP.
    ///   - pictures: files; an index lists them, in the byte order that cameras choose.
    package static func photo(
        _ jpeg: [UInt8], followedBy pictures: [[UInt8]], _ form: Form, comment: String? = nil,
        isBigEndian: Bool = true
    ) -> [UInt8] {
        var segments: [UInt8] = []
        let own = comment.map { #" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="\#($0)""# } ?? ""
        let version =
            form == .xmp
            ? #" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0""# : ""
        if form == .xmp || comment != nil {
            let packet = #"""
                <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">\#
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""\#
                \#(own)\#(version)/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
                """#
            segments += segment(0xE1, xmpPrefix + packet.utf8)
        }
        if form == .segments { segments += segment(0xE2, isoPrefix + [0, 0, 0, 0]) }
        let prefix = Array("MPF\0".utf8), markerByteCount = 4
        let start = 2 + segments.count + markerByteCount + prefix.count
        let listOffset = 38, indexByteCount = listOffset + 16 * (1 + pictures.count)
        let photoByteCount = start + indexByteCount + jpeg.count - 2
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(2)
        words.entry(0xB001, 4, 1 + pictures.count)
        words.entry(0xB002, 7, count: 16 * (1 + pictures.count), at: listOffset)
        words.long(0)
        for value in [0x03_0000, photoByteCount, 0, 0] { words.long(value) }
        var offset = photoByteCount - start
        for picture in pictures {
            for value in [0, picture.count, offset, 0] { words.long(value) }
            offset += picture.count
        }
        segments += segment(0xE2, prefix + words.bytes)
        return jpeg[..<2] + segments + jpeg[2...] + pictures.joined()
    }
}
