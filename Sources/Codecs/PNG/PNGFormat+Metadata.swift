import TintypeImaging
import TintypeMetadata

extension PNGFormat {
    /// Of text, comments, XMP and ImageMagick's raw profiles have a common form.
    ///
    /// The time of the last change (tIME) is left out without a note, because a conversion is a change.
    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        var budget = InflationBudget(byteCount: limits.maxInflatedByteCount)
        var neutral = NeutralMetadata()
        neutral.density = metadata.density
        neutral.colour = ColourMeaning(metadata)
        neutral.colourCodes = metadata.colourCodes
        neutral.items = metadata.items.compactMap { item in
            guard case .pngChunk(let name, let bytes) = item else { return .init(item) }
            return PNGChunk(name: name, bytes: bytes).neutralText(&budget)
        }
        return neutral
    }

    /// Photoshop's resources, with IPTC, become a raw profile, without their thumbnails: nobody would look for these there
    /// once the PNG's pixels change. A raw profile is not written if it could not be read again.
    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        var metadata = PhotoMetadata(density: neutral.density)
        var namesLeftOut: [String] = []
        func leaveOut(_ name: String) {
            let shown = name.withoutControls
            if !namesLeftOut.contains(shown) { namesLeftOut.append(shown) }
        }
        for item in neutral.items {
            switch item {
            case .exif(let bytes): metadata.items.append(.exif(bytes))
            case .profile(let profile): metadata.items.append(.icc(profile))
            case .xmp(let packet): metadata.items.append(.xmp(packet))
            case .comment(let bytes): metadata.items.append(.comment(bytes))
            case .photoshop(let bytes, let name):
                let resources = PhotoshopResources.withoutThumbnails(bytes) ?? bytes
                if let chunk = PNGRawProfile.chunk(
                    name: "8bim", resources, maxTextByteCount: limits.maxInflatedByteCount)
                {
                    metadata.items.append(.pngChunk(name: chunk.name, chunk.bytes))
                } else if !resources.isEmpty {
                    leaveOut(name)
                }
            case .text(let name), .other(let name): leaveOut(name)
            case .unchanged(let item): metadata.items.append(item)
            }
        }
        if let codes = neutral.colourCodes { metadata.items.append(.pngChunk(name: "cICP", codes)) }
        return (metadata, namesLeftOut.isEmpty ? [] : [.segmentsLeftOut(names: namesLeftOut)])
    }
}

extension PNGChunk {
    /// Nil for chunks without text.
    fileprivate func neutralText(_ budget: inout InflationBudget) -> NeutralMetadata.Item? {
        guard let body = PNGTextBody(self) else { return nil }
        let rawProfile = PNGRawProfile.name(ofKeyword: body.keyword)
        let isKnown =
            [PNGText.commentKeyword, Self.xmpKeyword].contains(body.keyword)
            || ["iptc", "8bim", "xmp"].contains(rawProfile)
        guard isKnown, let text = try? PNGText(self, budget: &budget) else {
            return .text(keyword: body.keyword)
        }
        switch body.keyword {
        case PNGText.commentKeyword: return .comment(Array(text.text.utf8))
        case Self.xmpKeyword: return .xmp(text.bytes)
        default: break
        }
        guard let bytes = PNGRawProfile.bytes(of: text.bytes) else { return .text(keyword: body.keyword) }
        return rawProfile == "xmp" ? .xmp(bytes) : .photoshop(bytes, name: "IPTC")
    }
}
