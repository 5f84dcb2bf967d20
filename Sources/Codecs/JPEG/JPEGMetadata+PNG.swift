import Metadata

extension PhotoMetadata {
    /// A JPEG's metadata, as far as a PNG can express it. Photoshop's resources, with IPTC, become a raw profile; a note
    /// names other segments, which are left out. Photoshop's thumbnails are left out without a note.
    ///
    /// Segments of further pictures and of extended XMP stay: an output that leaves them out has notes of its own.
    ///
    /// - Parameter limits: a raw profile is not written if it could not be read again.
    func convertedToPNG(limits: DecodeLimits) -> (PhotoMetadata, [PhotoNote]) {
        var namesLeftOut: [String] = []
        func leaveOut(_ marker: UInt8) {
            let name = "APP\(Int(marker) - Int(JPEGSegments.app0))"
            if !namesLeftOut.contains(name) { namesLeftOut.append(name) }
        }
        var converted = mapItems { item in
            guard case .jpegSegment(let marker, let bytes) = item else { return item }
            if JPEGSegments.isExtendedXMP(marker, bytes) || JPEGSegments.isPictureIndex(marker, bytes)
                || JPEGSegments.isGainMapVersion(marker, bytes)
            {
                return item
            }
            if item.photoshopResources == nil { leaveOut(marker) }
            return nil
        }
        // In a raw profile, nobody would look for thumbnails once the PNG's pixels change.
        let resources = PhotoshopResources.withoutThumbnails(photoshopResources) ?? photoshopResources
        if let chunk = PNGRawProfile.chunk(
            name: "8bim", resources, maxTextByteCount: limits.maxInflatedByteCount)
        {
            converted.items.append(.pngChunk(name: chunk.name, chunk.bytes))
        } else if !resources.isEmpty {
            leaveOut(JPEGSegments.app13)
        }
        return (converted, namesLeftOut.isEmpty ? [] : [.segmentsLeftOut(names: namesLeftOut)])
    }
}
