import TintypeMetadata

extension PhotoMetadata {
    /// A PNG's metadata for changed pixels: without Photoshop's thumbnails of the old ones in raw profiles. Profiles without
    /// thumbnails keep their bytes.
    ///
    /// - Parameter limits: contains the limit for inflated text. Text beyond it stays as it is.
    package func withoutThumbnailsInRawProfiles(limits: DecodeLimits) -> PhotoMetadata {
        withRawProfiles(limits: limits, PhotoshopResources.withoutThumbnails)
    }

    /// The metadata for an output that shows the photo in another frame: see `moved(by:)`. Places of Photoshop's in raw profiles
    /// move as well.
    package func moved(
        by change: FrameChange, limits: DecodeLimits
    ) -> (metadata: PhotoMetadata, lost: Set<PlaceInPhoto>) {
        var (metadata, lost) = moved(by: change)
        metadata = metadata.withRawProfiles(limits: limits) {
            PhotoshopResources.moved($0, by: change, &lost)
        }
        return (metadata, lost)
    }

    /// - Parameter edit: the new resources; nil leaves the old ones as they are.
    private func withRawProfiles(
        limits: DecodeLimits, _ edit: ([UInt8]) -> [UInt8]?
    ) -> PhotoMetadata {
        let limit = limits.maxInflatedByteCount
        var budget = InflationBudget(byteCount: limit)
        return mapItems { item in
            guard case .pngChunk(let name, let bytes) = item,
                let profile = PNGChunk(name: name, bytes: bytes).photoshopProfile(&budget, atMost: limit),
                let kept = edit(profile.bytes)
            else { return item }
            // Its text may exceed the limit, if that of the old one had no line ends. To leave it out would lose IPTC.
            let chunk = PNGRawProfile.chunk(name: profile.name, kept, maxTextByteCount: .max)
            return chunk.map { .pngChunk(name: $0.name, $0.bytes) }
        }
    }
}

extension PNGChunk {
    /// A raw profile that may have Photoshop's resources, also around IPTC; nil for other chunks, and for text beyond the
    /// budget, or of more than `limit` bytes as stored.
    fileprivate func photoshopProfile(
        _ budget: inout InflationBudget, atMost limit: Int
    ) -> (name: String, bytes: [UInt8])? {
        guard bytes.count <= limit, let body = PNGTextBody(self),
            let name = PNGRawProfile.name(ofKeyword: body.keyword), ["8bim", "iptc"].contains(name),
            let text = try? PNGText(self, budget: &budget),
            let profile = PNGRawProfile.bytes(of: text.bytes)
        else { return nil }
        return (name, profile)
    }
}
