/// Recognises a JPEG's APPn and COM segments.
package enum JPEGSegments {
    /// A segment's length has 16 bits and includes itself.
    package static let maxByteCount = 0xFFFF - 2

    package static let exifPrefix = Array("Exif\0\0".utf8)

    /// EXIF for another format, whose writer may have left a JPEG's prefix before it.
    package static func withoutEXIFPrefix(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: exifPrefix) ? Array(bytes.dropFirst(exifPrefix.count)) : bytes
    }

    package static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    /// The largest packet of XMP in one segment.
    package static let maxXMPByteCount = maxByteCount - xmpPrefix.count
    package static let iccPrefix = Array("ICC_PROFILE\0".utf8)
    package static let extendedXMPPrefix = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    static let gainMapName = "urn:iso:std:iso:ts:21496:-1"
    package static let gainMapPrefix = Array("\(gainMapName)\0".utf8)
    package static let app0: UInt8 = 0xE0, app1: UInt8 = 0xE1, app2: UInt8 = 0xE2, app11: UInt8 = 0xEB,
        app13: UInt8 = 0xED, app14: UInt8 = 0xEE
    package static let comment: UInt8 = 0xFE

    /// The header before the text: the MD5 of the whole text in hexadecimal, its length, and this part's
    /// offset.
    package static let extendedXMPHeaderByteCount = extendedXMPPrefix.count + 32 + 4 + 4

    /// APPn and COM.
    package static func isMetadata(_ marker: UInt8) -> Bool { 0xE0...0xEF ~= marker || marker == comment }

    /// Adobe's segment tells how the image's components are coded.
    package static func isAdobe(_ marker: UInt8, _ bytes: some Sequence<UInt8>) -> Bool {
        marker == app14 && bytes.starts(with: "Adobe".utf8)
    }

    /// The index of a multi-picture file (CIPA DC-007). Its other pictures follow the photo and are not read.
    package static func isPictureIndex(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app2 && MultiPictureIndex.isIndex(bytes)
    }

    /// Tells that the other pictures include an ISO 21496-1 gain map.
    package static func isGainMapVersion(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app2 && bytes.starts(with: gainMapPrefix)
    }

    /// A box (ISO 18477-3, JPEG XT), or a part of one. JUMBF boxes (ISO 19566-5) hold Content Credentials, with a hash and
    /// a preview of the photo; others hold what JPEG XT adds to its pixels.
    package static func isBox(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app11 && bytes.starts(with: "JP".utf8)
    }

    /// Flashpix extensions (Exif 2.32, APP2): previews.
    package static func isFlashpix(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app2 && bytes.starts(with: "FPXR\0".utf8)
    }

    /// The temperatures behind a thermal camera's photo, and its other pictures.
    static func isFLIR(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app1 && bytes.starts(with: "FLIR\0".utf8)
    }

    /// Whether there are rules for the segment, or it is no place for previews.
    static func hasKnownForm(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        isExtendedXMP(marker, bytes) || isFlashpix(marker, bytes) || isBox(marker, bytes)
            || isPictureIndex(marker, bytes) || isGainMapVersion(marker, bytes) || isFLIR(marker, bytes)
    }

    package static func isExtendedXMP(_ marker: UInt8, _ bytes: [UInt8]) -> Bool {
        marker == app1 && bytes.starts(with: extendedXMPPrefix)
    }
}
