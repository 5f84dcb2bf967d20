/// What the item `tmap` of a HEIC or AVIF says of a gain map (ISO 21496-1, annex C; ISO/IEC 23008-12).
package struct ToneMapping: Hashable, Sendable {
    /// What a JPEG's map says of itself: in XMP of Ultra HDR 1.0, and in a segment.
    package let metadata: PhotoMetadata
    /// Whether the values are ratios of red, green and blue of the other rendition's primaries, which may not be the photo's.
    package let hasOtherPrimaries: Bool
    /// Whether the other rendition is the brighter one.
    package let isBrighter: Bool

    /// Nil for what no known version says.
    ///
    /// - Parameter isGrey: whether the map has one channel. Its ratios hold for any primaries.
    package init?(item: [UInt8], isGrey: Bool) {
        let usesPhotosPrimaries: UInt8 = 0x40, flagsPlace = 4
        guard item.first == 0, let ratios = GainMapRatios(segment: item.dropFirst()) else { return nil }
        var segment = Array(item.dropFirst())
        let holdsForAll = isGrey && ratios.channels.count == 1
        hasOtherPrimaries = segment[flagsPlace] & usesPhotosPrimaries == 0 && !holdsForAll
        if holdsForAll { segment[flagsPlace] |= usesPhotosPrimaries }
        metadata = PhotoMetadata(items: [
            .xmp(ratios.xmp),
            .jpegSegment(marker: JPEGSegments.app2, JPEGSegments.gainMapPrefix + segment),
        ])
        isBrighter = ratios.headrooms[0] < ratios.headrooms[1]
    }
}
