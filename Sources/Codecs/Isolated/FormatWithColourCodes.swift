import CTintypeIsolation
import TintypeImaging
import TintypeMetadata

/// A format whose files have ITU-T H.273's codes of colour in a place of their own, and carry EXIF, a profile and XMP.
protocol FormatWithColourCodes: PhotoCodec {
    /// What the format calls the codes' place.
    var codesName: String { get }
    /// Whether files can have these. They are in the form of a PNG's cICP chunk, of RGB in full range.
    func canHold(codes: [UInt8]) -> Bool
}

extension FormatWithColourCodes {
    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp] }

    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        var metadata = metadata
        let codes = metadata.colourCodes
        metadata.items.removeAll { if case .pngChunk = $0 { true } else { false } }
        var neutral = NeutralMetadata(metadata)
        neutral.colourCodes = codes
        neutral.colour = colour(codes)
        return neutral
    }

    /// Codes stay codes, and need no profile that says the same. Outputs are RGB in full range.
    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        var plain = neutral
        let codes = neutral.colourCodes.flatMap {
            $0.dropFirst(2).elementsEqual([0, 1]) && canHold(codes: $0) ? $0 : nil
        }
        if codes != nil {
            plain.colour = .sRGB
            // In a PNG, codes come before a profile; elsewhere, it is the other way.
            plain.items.removeAll { if case .profile = $0 { true } else { false } }
        }
        var (metadata, notes) = plain.selected(carries, hasColour: hasColour, for: PhotoFormat(self))
        if let codes { metadata.items.append(.pngChunk(name: "cICP", codes)) }
        return (metadata, notes)
    }

    func colour(_ codes: [UInt8]?) -> ColourMeaning {
        codes.map { ColourMeaning(codes: $0, named: codesName, of: name) } ?? .sRGB
    }
}

extension PhotoMetadata.Item {
    /// - Parameter boxed: as in a HEIF's items and a JPEG XL's boxes. EXIF's first four bytes tell how many others come before it
    ///   (ISO/IEC 23008-12, A.2.1).
    init?(boxed bytes: [UInt8], _ kind: cisolation_metadata) {
        switch kind {
        case CISOLATION_METADATA_PROFILE: self = .icc(ICCProfile(bytes: bytes))
        case CISOLATION_METADATA_XMP: self = .xmp(bytes)
        default:
            let skipped = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count > 4, skipped < bytes.count - 4 else { return nil }
            self = .exif(Array(bytes.dropFirst(4 + skipped)))
        }
    }
}

extension LibraryHead {
    /// The metadata of an image that is upright by now. EXIF's orientation is that of the camera.
    ///
    /// - Parameter codes: as a PNG's cICP chunk holds them; nil for sRGB.
    func uprightMetadata(codes: [UInt8]?) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        if !hasProfile, let codes { metadata.items.append(.pngChunk(name: "cICP", codes)) }
        metadata.items += items.compactMap { .init(boxed: $0.bytes, $0.kind) }
        return metadata.upright()
    }

    var hasProfile: Bool { item(CISOLATION_METADATA_PROFILE) != nil }
}
