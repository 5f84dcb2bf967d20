extension PhotoMetadata {
    /// The metadata for changed pixels: without previews of the old ones in EXIF, XMP, Photoshop's resources and
    /// Flashpix extensions, and without a JPEG's boxes and the time in a PNG, which belong to the old ones.
    public func forFilteredPixels() -> PhotoMetadata {
        let metadata = withoutPhotoshopThumbnails().mapItems { item in
            switch item {
            case .exif(let bytes): .exif(EXIF(bytes: bytes)?.withoutThumbnail().bytes ?? bytes)
            case .xmp(let bytes): .xmp(XMPPacket(bytes: bytes).removing(\.isPreview)?.bytes ?? bytes)
            case .jpegSegment(let marker, let bytes)
            where JPEGSegments.isBox(marker, bytes) || JPEGSegments.isFlashpix(marker, bytes):
                nil
            // The time of the last change: PNG, third edition, 11.3.5.
            case .pngChunk("tIME", _): nil
            default: item
            }
        }
        let extendedXMP = metadata.extendedXMP
        let hasPreviews = XMPPacket.signsOfPreviews.contains { extendedXMP.contains(text: $0) }
        return hasPreviews ? metadata.withoutExtendedXMP() : metadata
    }

    package var hasBoxes: Bool {
        items.contains { item in
            if case .jpegSegment(let marker, let bytes) = item {
                JPEGSegments.isBox(marker, bytes)
            } else {
                false
            }
        }
    }

    /// A resource may start in one segment and end in the next.
    private func withoutPhotoshopThumbnails() -> PhotoMetadata {
        let prefix = PhotoshopResources.segmentPrefix
        func resources(_ item: Item) -> ArraySlice<UInt8>? {
            guard case .jpegSegment(JPEGSegments.app13, let bytes) = item, bytes.starts(with: prefix) else {
                return nil
            }
            return bytes.dropFirst(prefix.count)
        }
        guard let kept = PhotoshopResources.withoutThumbnails(items.compactMap(resources).flatMap(\.self))
        else {
            return self
        }
        var rest = kept[...]
        return mapItems { item in
            guard resources(item) != nil else { return item }
            let part = rest.prefix(JPEGSegments.maxByteCount - prefix.count)
            rest = rest.dropFirst(part.count)
            return part.isEmpty ? nil : .jpegSegment(marker: JPEGSegments.app13, prefix + part)
        }
    }
}

// MARK: Extended XMP

/// XMP that exceeds a JPEG's packet is in separate segments (XMP specification part 3, 1.1.3.1). The packet
/// contains their MD5, so both are kept or removed together.
extension PhotoMetadata {
    package var hasExtendedXMP: Bool {
        items.contains { item in
            if case .jpegSegment(let marker, let bytes) = item {
                JPEGSegments.isExtendedXMP(marker, bytes)
            } else {
                false
            }
        }
    }

    package func withoutExtendedXMP() -> PhotoMetadata {
        mapItems { item in
            switch item {
            case .xmp(let bytes): .xmp(XMPPacket(bytes: bytes).removing(\.namesExtendedXMP)?.bytes ?? bytes)
            case .jpegSegment(let marker, let bytes) where JPEGSegments.isExtendedXMP(marker, bytes): nil
            default: item
            }
        }
    }

    /// The text, in the order of the segments.
    private var extendedXMP: [UInt8] {
        items.flatMap { item -> ArraySlice<UInt8> in
            guard case .jpegSegment(let marker, let bytes) = item, JPEGSegments.isExtendedXMP(marker, bytes)
            else {
                return []
            }
            return bytes.dropFirst(JPEGSegments.extendedXMPHeaderByteCount)
        }
    }
}
