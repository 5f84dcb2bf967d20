import Imaging
import Metadata

extension PhotoMetadata {
    /// A PNG's metadata, as far as a JPEG can express it. Of PNG's text, a JPEG can hold a comment, XMP, and
    /// ImageMagick's raw profiles; notes name what is left out.
    ///
    /// The time of the last change (tIME) is left out without a note, because the conversion is a change.
    ///
    /// - Parameters:
    ///   - hasColour: whether the JPEG's pixels have colour, or have lost it, which a profile must match.
    ///   - limits: contains the limit for inflated text.
    func convertedToJPEG(hasColour: Bool, limits: DecodeLimits) -> (PhotoMetadata, [PhotoNote]) {
        var conversion = JPEGConversion(budget: InflationBudget(byteCount: limits.maxInflatedByteCount))
        conversion.metadata.density = density
        for item in items { conversion.take(item) }
        conversion.addColour(of: self, hasColour: hasColour)
        return (conversion.metadata, conversion.notes)
    }
}

private struct JPEGConversion {
    var metadata = PhotoMetadata()
    var budget: InflationBudget
    private var hasXMP = false
    private var keywordsLeftOut: [String] = []
    private var knownKeywords: Set<String> = []
    private var tooLarge: [String] = []
    private var isColourLost = false

    init(budget: InflationBudget) { self.budget = budget }

    mutating func take(_ item: PhotoMetadata.Item) {
        switch item {
        case .exif(let bytes): add(exif: bytes)
        case .xmp(let packet): add(xmp: packet)
        case .comment(let bytes): add(comment: bytes)
        case .icc, .jpegSegment: metadata.items.append(item)
        case .pngChunk(let name, let bytes): take(PNGChunk(name: name, bytes: bytes))
        }
    }

    private mutating func take(_ chunk: PNGChunk) {
        guard let body = PNGTextBody(chunk) else { return }
        let rawProfile = PNGRawProfile.name(ofKeyword: body.keyword)
        let isKnown =
            [PNGText.commentKeyword, PNGChunk.xmpKeyword].contains(body.keyword)
            || ["iptc", "8bim", "xmp"].contains(rawProfile)
        guard isKnown, let text = try? PNGText(chunk, budget: &budget) else {
            leaveOut(body.keyword)
            return
        }
        switch body.keyword {
        case PNGText.commentKeyword: add(comment: Array(text.text.utf8))
        case PNGChunk.xmpKeyword: add(xmp: text.bytes)
        default: add(rawProfile: rawProfile, text)
        }
    }

    /// Keywords come from the file and are printed on a terminal: each once, without control characters.
    private mutating func leaveOut(_ keyword: String) {
        let isNew = knownKeywords.insert(keyword).inserted
        guard isNew else { return }
        let shown = keyword.unicodeScalars.map {
            $0.properties.generalCategory == .control ? "?" : String($0)
        }
        keywordsLeftOut.append(shown.joined())
    }

    private mutating func add(rawProfile name: String?, _ text: PNGText) {
        guard let bytes = PNGRawProfile.bytes(of: text.bytes) else {
            leaveOut(text.keyword)
            return
        }
        if name == "xmp" {
            add(xmp: bytes)
        } else if let segment = JPEGSegments.photoshop(bytes) {
            metadata.items.append(segment)
        } else {
            tooLarge.append("IPTC")
        }
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

    /// Adds a profile with the PNG's colour meaning, the only form that a JPEG has.
    mutating func addColour(of source: PhotoMetadata, hasColour: Bool) {
        guard source.icc == nil else { return }
        switch PNGColour(source) {
        case .sRGB: break
        case .encoding(let encoding, let description):
            let profile = encoding.profile(hasColour: hasColour, description: description)
            if let profile { metadata.items.append(.icc(profile)) }
        case .inexpressible: isColourLost = true
        }
    }

    var notes: [PhotoNote] {
        var notes: [PhotoNote] = []
        if !keywordsLeftOut.isEmpty { notes.append(.textLeftOut(keywords: keywordsLeftOut)) }
        if !tooLarge.isEmpty { notes.append(.tooLargeForJPEG(names: tooLarge)) }
        if isColourLost { notes.append(.colourMeaningLost) }
        return notes
    }
}
