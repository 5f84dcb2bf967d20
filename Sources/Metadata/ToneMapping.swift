/// What the item `tmap` of a HEIC or AVIF says of a gain map (ISO 21496-1, annex C; ISO/IEC 23008-12).
package struct ToneMapping: Hashable, Sendable {
    /// What a JPEG's map says of itself: in XMP of Ultra HDR 1.0, and in a segment.
    package let metadata: PhotoMetadata
    /// Whether the values are ratios of other primaries than the photo's.
    package let hasOtherPrimaries: Bool
    /// Whether the other rendition is the darker one.
    package let photoIsBrighter: Bool

    /// Nil for what no known version says.
    package init?(item: [UInt8]) {
        let usesPhotosPrimaries: UInt8 = 0x40, flagsPlace = 5
        guard item.first == 0, item.count > flagsPlace,
            let ratios = GainMapRatios(segment: item.dropFirst())
        else { return nil }
        metadata = PhotoMetadata(items: [
            .xmp(ratios.xmp),
            .jpegSegment(marker: JPEGSegments.app2, JPEGSegments.gainMapPrefix + item.dropFirst()),
        ])
        hasOtherPrimaries = item[flagsPlace] & usesPhotosPrimaries == 0
        photoIsBrighter = ratios.headrooms[0] > ratios.headrooms[1]
    }
}
