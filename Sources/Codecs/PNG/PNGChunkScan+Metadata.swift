import Metadata

extension PNGChunkScan {
    /// The chunks' metadata. Compressed text is not inflated, because most of it is only copied.
    ///
    /// - Throws: `tooMuchMetadata` if the profile exceeds the budget: without it, colours would change.
    mutating func metadata() throws(CodecError) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        var budget = InflationBudget(byteCount: limits.maxInflatedByteCount)
        var hasEXIF = chunks.contains { $0.name == "eXIf" }
        for chunk in chunks {
            switch chunk.name {
            case "pHYs": metadata.density = chunk.density
            case "eXIf": metadata.items.append(.exif(chunk.bytes))
            case "iCCP":
                if let profile = try profile(in: chunk, &budget) { metadata.items.append(.icc(profile)) }
            default:
                if let packet = chunk.plainXMP {
                    metadata.items.append(.xmp(packet))
                } else if !hasEXIF, let exif = chunk.rawEXIF(&budget) {
                    metadata.items.append(.exif(exif))
                    hasEXIF = true
                } else {
                    metadata.items.append(.pngChunk(name: chunk.name, chunk.bytes))
                }
            }
        }
        return metadata
    }

    var notes: [PhotoNote] {
        var notes: [PhotoNote] = []
        if !damagedNames.isEmpty { notes.append(.damagedChunks(names: damagedNames.sorted())) }
        if !misplacedNames.isEmpty { notes.append(.misplacedChunks(names: misplacedNames.sorted())) }
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
    /// An uncompressed XMP packet.
    fileprivate var plainXMP: [UInt8]? {
        guard name == "iTXt", let body = PNGTextBody(self), body.keyword == Self.xmpKeyword,
            !body.isCompressed
        else { return nil }
        return body.bytes.map { Array($0) }
    }

    /// EXIF in a text chunk; nil if there is none within the budget.
    fileprivate func rawEXIF(_ budget: inout InflationBudget) -> [UInt8]? {
        guard let body = PNGTextBody(self), PNGRawProfile.name(ofKeyword: body.keyword) == "exif",
            let text = try? PNGText(self, budget: &budget), let bytes = PNGRawProfile.bytes(of: text.bytes)
        else { return nil }
        let prefix = Array("Exif\0\0".utf8)
        let stream = bytes.starts(with: prefix) ? Array(bytes.dropFirst(prefix.count)) : bytes
        return EXIF(bytes: stream)?.bytes
    }
}
