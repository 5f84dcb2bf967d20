import TintypeImaging
import TintypeMetadata

// RAW photos that are built like a TIFF.

extension RAWContents {
    /// Cameras write less than ten.
    private static let mostDirectories = 64
    /// Strips or tiles of an image.
    private static let mostParts = 1 << 16

    private enum PanasonicTag {
        static let sensorWidth = 0x0002, sensorHeight = 0x0003
        static let previews = [0x002E, 0x0127]
        static let imageOffset = 0x0118
    }

    /// Tags of Olympus's maker note.
    private enum OlympusTag {
        static let cameraSettings = 0x2020, previewOffset = 0x0101, previewByteCount = 0x0102
    }

    mutating func readDirectories(isPanasonic: Bool) throws(CodecError) {
        previewHasEXIF = isPanasonic
        guard let first = try RAWDirectory.first(in: file) else { return }
        var visited: Set<Int> = []
        try search(first, &visited)
        try describe(first)
        if let width = try first.number(PanasonicTag.sensorWidth),
            let height = try first.number(PanasonicTag.sensorHeight), isPanasonic
        {
            add(width: width, height: height)
        }
        if let offset = try first.number(RAWDirectory.Tag.exifDirectory),
            let note = try directory(at: offset, in: first.source)?.entry(RAWDirectory.Tag.makerNote),
            let range = first.outOfLineRange(of: note)
        {
            try searchOlympus(range)
        }
    }

    private mutating func describe(_ first: RAWDirectory) throws(CodecError) {
        let limit = limits.maxMetadataByteCount
        if let exif = try first.exif(atMost: limit) { items.append(.exif(exif.bytes)) }
        if let xmp = try first.bytes(of: RAWDirectory.Tag.xmp, atMost: limit) { items.append(.xmp(xmp)) }
        let resources = TIFFDirectory.photoshopResources(
            own: try first.bytes(of: TIFFDirectory.photoshopTag, atMost: limit),
            iptc: try first.bytes(of: TIFFDirectory.iptcTag, atMost: limit))
        items += JPEGSegments.photoshopSegments(resources)
    }

    /// Looks at a directory, those below it, and those after it.
    private mutating func search(_ first: RAWDirectory, _ visited: inout Set<Int>) throws(CodecError) {
        var next: RAWDirectory? = first
        while let directory = next, visited.count < Self.mostDirectories,
            visited.insert(directory.offset).inserted
        {
            try look(at: directory)
            for offset in try directory.numbers(
                RAWDirectory.Tag.subdirectories, atMost: Self.mostDirectories)
            {
                if !visited.contains(offset), let below = try self.directory(at: offset, in: directory.source)
                {
                    try search(below, &visited)
                }
            }
            next = try self.directory(at: directory.next, in: directory.source)
        }
    }

    /// A JPEG has a place of its own, as in EXIF, or is the only strip of an image with this compression.
    private mutating func look(at directory: RAWDirectory) throws(CodecError) {
        try addSize(of: directory)
        if limits.raw == .develop {
            for tag in [
                RAWDirectory.Tag.stripOffsets, RAWDirectory.Tag.tileOffsets, PanasonicTag.imageOffset,
            ] {
                for offset in try directory.numbers(tag, atMost: Self.mostParts) { addImage(at: offset) }
            }
        }
        let colourSpace = try directory.number(RAWDirectory.Tag.previewColourSpace)
        if let offset = try directory.number(RAWDirectory.Tag.jpegOffset),
            let byteCount = try directory.number(RAWDirectory.Tag.jpegByteCount)
        {
            add(at: offset, byteCount: byteCount, colourSpace: colourSpace)
        }
        let offsets = try directory.numbers(RAWDirectory.Tag.stripOffsets, atMost: 2)
        let byteCounts = try directory.numbers(RAWDirectory.Tag.stripByteCounts, atMost: 2)
        if offsets.count == 1, byteCounts.count == 1,
            let compression = try directory.number(RAWDirectory.Tag.compression),
            [6, 7].contains(compression)
        {
            add(at: offsets[0], byteCount: byteCounts[0], colourSpace: colourSpace)
        }
        for entry in directory.entries where PanasonicTag.previews.contains(entry.tag) {
            add(at: directory.valueOffset(of: entry), byteCount: entry.count)
        }
    }

    /// Offsets in Olympus's maker notes count from their beginning.
    private mutating func searchOlympus(_ note: Range<Int>) throws(CodecError) {
        let start = try file.bytes(note.prefix(16))
        let forms = [("OLYMPUS\0", 8, 12), ("OM SYSTEM\0\0\0", 12, 16)]
        guard let (_, order, offset) = forms.first(where: { start.starts(with: $0.0.utf8) }),
            start.count > order
        else { return }
        let source = RAWDirectory.Source(
            file: file, isBigEndian: start[order] == UInt8(ascii: "M"), base: note.lowerBound)
        guard
            let first = try directory(at: offset, in: source),
            let settings = first.entry(OlympusTag.cameraSettings),
            let directory = try directory(at: first.valueOffset(of: settings) - source.base, in: source),
            let preview = try directory.number(OlympusTag.previewOffset),
            let byteCount = try directory.number(OlympusTag.previewByteCount)
        else { return }
        add(at: source.base + preview, byteCount: byteCount)
    }
}
