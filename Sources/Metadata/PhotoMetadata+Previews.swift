extension PhotoMetadata {
    /// The metadata for changed pixels: without images of the old ones wherever they are, except in maker notes, and without a
    /// JPEG's boxes and the time in a PNG, which belong to the old ones.
    public func forFilteredPixels() -> PhotoMetadata {
        let metadata = withPhotoshopResources(PhotoshopResources.withoutThumbnails).withoutBoxes()
            .withoutSegmentsWithImages()
            .mapItems { item in
                switch item {
                case .exif(let bytes): .exif(EXIF(bytes: bytes)?.withoutThumbnail().bytes ?? bytes)
                case .xmp(let bytes): .xmp(XMPPacket(bytes: bytes).withoutPreviews() ?? bytes)
                case .jpegSegment(let marker, let bytes) where JPEGSegments.isFlashpix(marker, bytes): nil
                // The time of the last change: PNG, third edition, 11.3.5.
                case .pngChunk("tIME", _): nil
                default: item
                }
            }
        return metadata.hasPreviewsInExtendedXMP ? metadata.withoutExtendedXMP() : metadata
    }

    private var hasPreviewsInExtendedXMP: Bool {
        let text = extendedXMP
        return XMPPacket.signsOfPreviews.contains { text.contains(text: $0) }
            || XMPPacket(bytes: text).withoutPreviews() != nil
    }

    /// Whether XMP names Content Credentials elsewhere.
    package var hasLinkToCredentials: Bool { withoutLinkToCredentials() != self }

    /// The metadata for a photo that is encoded again: the credentials have a hash of the original file.
    package func withoutLinkToCredentials() -> PhotoMetadata {
        mapItems { item in
            guard case .xmp(let bytes) = item else { return item }
            return .xmp(XMPPacket(bytes: bytes).removing(\.refersToCredentials)?.bytes ?? bytes)
        }
    }

    package var hasBoxes: Bool { hasSegment(where: JPEGSegments.isBox) }

    /// The metadata for a JPEG that is encoded again: boxes belong to the file, with a hash of its bytes or data of its
    /// decoder.
    package func withoutBoxes() -> PhotoMetadata {
        mapItems { item in
            guard case .jpegSegment(let marker, let bytes) = item, JPEGSegments.isBox(marker, bytes) else {
                return item
            }
            return nil
        }
    }

    private func hasSegment(where isWanted: (_ marker: UInt8, _ bytes: [UInt8]) -> Bool) -> Bool {
        items.contains { item in
            guard case .jpegSegment(let marker, let bytes) = item else { return false }
            return isWanted(marker, bytes)
        }
    }

    /// The resources of all segments: one may start in a segment and end in the next.
    package var photoshopResources: [UInt8] { items.compactMap(\.photoshopResources).flatMap(\.self) }

    /// - Parameter edit: the new resources; nil leaves the old ones as they are.
    func withPhotoshopResources(_ edit: ([UInt8]) -> [UInt8]?) -> PhotoMetadata {
        let prefix = PhotoshopResources.segmentPrefix
        let resources = photoshopResources
        guard !resources.isEmpty, let kept = edit(resources) else { return self }
        var rest = kept[...]
        return mapItems { item in
            guard item.photoshopResources != nil else { return item }
            let part = rest.prefix(JPEGSegments.maxByteCount - prefix.count)
            rest = rest.dropFirst(part.count)
            return part.isEmpty ? nil : .jpegSegment(marker: JPEGSegments.app13, prefix + part)
        }
    }
}

extension PhotoMetadata.Item {
    /// A segment's part of Photoshop's resources; nil for other items.
    package var photoshopResources: ArraySlice<UInt8>? {
        let prefix = PhotoshopResources.segmentPrefix
        guard case .jpegSegment(JPEGSegments.app13, let bytes) = self, bytes.starts(with: prefix) else {
            return nil
        }
        return bytes.dropFirst(prefix.count)
    }
}

// MARK: Extended XMP

/// XMP that exceeds a JPEG's packet is in separate segments (XMP specification part 3, 1.1.3.1). The packet
/// contains their MD5, so both are kept or removed together.
extension PhotoMetadata {
    package var hasExtendedXMP: Bool { hasSegment(where: JPEGSegments.isExtendedXMP) }

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
    var extendedXMP: [UInt8] {
        items.flatMap { item -> ArraySlice<UInt8> in
            guard case .jpegSegment(let marker, let bytes) = item, JPEGSegments.isExtendedXMP(marker, bytes)
            else {
                return []
            }
            return bytes.dropFirst(JPEGSegments.extendedXMPHeaderByteCount)
        }
    }
}
