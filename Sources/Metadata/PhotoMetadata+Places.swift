import TintypeImaging

extension PhotoMetadata {
    /// The metadata for an output that shows the photo in another frame. Places in the photo move with it. Sizes in pixels of
    /// the old one are left out, except for those of EXIF, which get the new one.
    ///
    /// - Returns: the metadata, and the places that are left out: those outside of the output, and those in a form that cannot
    ///   be moved.
    package func moved(by change: FrameChange) -> (metadata: PhotoMetadata, lost: Set<PlaceInPhoto>) {
        var lost: Set<PlaceInPhoto> = []
        var moved = withPhotoshopResources { PhotoshopResources.moved($0, by: change, &lost) }
        moved = moved.mapItems { item in
            switch item {
            case .exif(let bytes):
                guard let exif = EXIF(bytes: bytes) else { return item }
                return .exif(exif.moved(by: change, &lost).bytes)
            case .xmp(let bytes): return .xmp(XMPPacket(bytes: bytes).moved(by: change, &lost) ?? bytes)
            default: return item
            }
        }
        if change.swapsAxes { moved.density = density?.transposed }
        return (moved.hasPlacesInExtendedXMP(movedBy: change) ? moved.withoutExtendedXMP() : moved, lost)
    }

    /// Whether extended XMP has places that become false: its text cannot be changed, because the packet has its MD5.
    private func hasPlacesInExtendedXMP(movedBy change: FrameChange) -> Bool {
        let text = extendedXMP
        let signs =
            change.keepsShares ? XMPPacket.signsOfPlacesInPixels : XMPPacket.signsOfPlacesInExtendedXMP
        return signs.contains { text.contains(text: $0) }
    }
}
