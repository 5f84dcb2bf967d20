import TintypeMetadata

extension PNGChunkScan {
    /// The chunks' metadata. Of compressed text, only EXIF and XMP are inflated, which outputs may have to change; the
    /// rest is only copied. Text with EXIF or XMP is left out beside that in the format's own chunk.
    ///
    /// - Throws: `tooMuchMetadata` if the profile exceeds the budget: without it, colours would change.
    mutating func metadata() throws(CodecError) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        var budget = InflationBudget(byteCount: limits.maxInflatedByteCount)
        var hasEXIF = chunks.contains { $0.name == "eXIf" && EXIF(bytes: $0.bytes) != nil }
        for chunk in chunks {
            switch chunk.name {
            case "pHYs": metadata.density = chunk.density
            case "eXIf": metadata.items.append(.exif(chunk.bytes))
            case "iCCP":
                if let profile = try profile(in: chunk, &budget) { metadata.items.append(.icc(profile)) }
            default:
                if chunk.rawProfileName == "exif", let exif = chunk.rawEXIF(&budget) {
                    // A second one would stay as it is when the first one changes.
                    if !hasEXIF { metadata.items.append(.exif(exif)) }
                    hasEXIF = true
                } else {
                    metadata.items.append(.pngChunk(name: chunk.name, chunk.bytes))
                }
            }
        }
        // Last, so that it takes nothing of the budget from the profile and EXIF, which the pixels need.
        var hasXMP = false
        for isRaw in [false, true] {
            metadata = metadata.mapItems { item in
                guard case .pngChunk(let name, let bytes) = item else { return item }
                let chunk = PNGChunk(name: name, bytes: bytes)
                guard isRaw ? chunk.rawProfileName == "xmp" : chunk.isXMP, let packet = chunk.xmp(&budget)
                else { return item }
                defer { hasXMP = true }
                return isRaw && hasXMP ? nil : .xmp(packet)
            }
        }
        return metadata
    }

    var notes: [PhotoNote] {
        var notes: [PhotoNote] = []
        if !damagedNames.isEmpty { notes.append(.damagedChunks(names: damagedNames.sorted())) }
        if !misplacedNames.isEmpty { notes.append(.misplacedChunks(names: misplacedNames.sorted())) }
        if hasCredentials { notes.append(.boxesLeftOut) }
        if let frameCount { notes.append(.animationLeftOut(frameCount: frameCount)) }
        if byteCountBehindEnd > 0 { notes.append(.bytesBehindEnd(count: byteCountBehindEnd)) }
        return notes
    }

    /// Nil if it cannot be inflated; the chunk then counts as damaged.
    private mutating func profile(
        in chunk: PNGChunk, _ budget: inout InflationBudget
    ) throws(CodecError) -> ICCProfile? {
        do throws(InflationBudget.Failure) {
            guard let bytes = chunk.deflatedProfile else { throw .damaged }
            return ICCProfile(bytes: try budget.inflate(bytes))
        } catch {
            guard error == .damaged else { throw .tooMuchMetadata(limit: limits.maxInflatedByteCount) }
            damagedNames.insert(chunk.name)
            return nil
        }
    }
}

extension PNGChunk {
    fileprivate var isXMP: Bool { name == "iTXt" && PNGTextBody(self)?.keyword == Self.xmpKeyword }

    fileprivate var rawProfileName: String? {
        PNGTextBody(self).flatMap { PNGRawProfile.name(ofKeyword: $0.keyword) }
    }

    /// An XMP packet; nil if there is none within the budget.
    fileprivate func xmp(_ budget: inout InflationBudget) -> [UInt8]? {
        guard isXMP || rawProfileName == "xmp", let text = try? PNGText(self, budget: &budget) else {
            return nil
        }
        return isXMP ? text.bytes : PNGRawProfile.bytes(of: text.bytes)
    }

    /// The EXIF of a raw profile; nil if there is none within the budget.
    fileprivate func rawEXIF(_ budget: inout InflationBudget) -> [UInt8]? {
        guard let text = try? PNGText(self, budget: &budget), let bytes = PNGRawProfile.bytes(of: text.bytes)
        else { return nil }
        return EXIF(bytes: JPEGSegments.withoutEXIFPrefix(bytes))?.bytes
    }
}
