import TintypeImaging
import TintypeMetadata

extension JPEGFormat {
    /// Photoshop's resources may start in a segment and end in the next, so they follow the other items.
    ///
    /// Segments of further pictures and of extended XMP stay: an output that leaves them out has notes of its own.
    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        var neutral = NeutralMetadata()
        neutral.density = metadata.density
        neutral.items = metadata.items.compactMap { item in
            guard case .jpegSegment(let marker, let bytes) = item else { return .init(item) }
            if JPEGSegments.isExtendedXMP(marker, bytes) || JPEGSegments.isPictureIndex(marker, bytes)
                || JPEGSegments.isGainMapVersion(marker, bytes)
            {
                return .unchanged(item)
            }
            return item.photoshopResources == nil ? .other(name: Self.name(of: marker)) : nil
        }
        let resources = metadata.photoshopResources
        if !resources.isEmpty {
            neutral.items.append(.photoshop(resources, name: Self.name(of: JPEGSegments.app13)))
        }
        return neutral
    }

    private static func name(of marker: UInt8) -> String { "APP\(Int(marker) - Int(JPEGSegments.app0))" }

    /// Of text, a JPEG can hold a comment, XMP, and Photoshop's resources.
    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        var conversion = Conversion()
        conversion.metadata.density = neutral.density
        for item in neutral.items { conversion.take(item) }
        // A profile is the only form that a JPEG has for it.
        if let profile = neutral.profileOfColours(hasColour: hasColour) {
            conversion.metadata.items.append(.icc(profile))
        }
        return (conversion.metadata, conversion.notes + (neutral.losesColours ? [.colourMeaningLost] : []))
    }
}

private struct Conversion {
    var metadata = PhotoMetadata()
    private var hasXMP = false
    private var keywordsLeftOut: [String] = []
    private var namesLeftOut: [String] = []
    private var knownKeywords: Set<String> = []
    private var tooLarge: [String] = []

    mutating func take(_ item: NeutralMetadata.Item) {
        switch item {
        case .exif(let bytes): add(exif: bytes)
        case .profile(let profile): metadata.items.append(.icc(profile))
        case .xmp(let packet): add(xmp: packet)
        case .comment(let bytes): add(comment: bytes)
        case .photoshop(let bytes, let name):
            if let segment = JPEGSegments.photoshop(bytes) {
                metadata.items.append(segment)
            } else {
                tooLarge.append(name)
            }
        case .text(let keyword): leaveOut(keyword)
        case .other(let name): if !namesLeftOut.contains(name) { namesLeftOut.append(name) }
        case .unchanged(let item): metadata.items.append(item)
        }
    }

    /// Names each keyword once.
    private mutating func leaveOut(_ keyword: String) {
        let isNew = knownKeywords.insert(keyword).inserted
        if isNew { keywordsLeftOut.append(keyword.withoutControls) }
    }

    /// A large EXIF may fit without its thumbnail. Of one that does not, the orientation is kept, which the pixels need.
    private mutating func add(exif bytes: [UInt8]) {
        let exif = EXIF(bytes: bytes)
        let versions = [bytes, exif?.withoutThumbnail().bytes].compactMap(\.self)
        if let fitting = versions.first(where: JPEGSegments.fits(exif:)) {
            metadata.items.append(.exif(fitting))
            return
        }
        tooLarge.append("EXIF")
        if let orientation = exif?.orientation, orientation != .up {
            metadata.items.append(.exif(EXIF(orientation: orientation).bytes))
        }
    }

    private mutating func add(comment bytes: [UInt8]) {
        if bytes.count <= JPEGSegments.maxByteCount {
            metadata.items.append(.comment(bytes))
        } else {
            tooLarge.append("comment")
        }
    }

    private mutating func add(xmp packet: [UInt8]) {
        // A JPEG has only one XMP packet.
        if !hasXMP { metadata.items.append(.xmp(packet)) }
        hasXMP = true
    }

    var notes: [PhotoNote] {
        var notes: [PhotoNote] = []
        if !keywordsLeftOut.isEmpty { notes.append(.textLeftOut(keywords: keywordsLeftOut)) }
        if !tooLarge.isEmpty { notes.append(.tooLargeForJPEG(names: tooLarge)) }
        if !namesLeftOut.isEmpty { notes.append(.metadataLeftOut(names: namesLeftOut, by: .jpeg)) }
        return notes
    }
}
