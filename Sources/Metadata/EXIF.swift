import TintypeImaging

/// EXIF: a TIFF stream of tags in directories. Format: Exif 2.32, TIFF 6.0.
public struct EXIF: Hashable, Sendable {
    var stream: TIFFStream

    public var bytes: [UInt8] { stream.bytes }

    enum Tag {
        static let imageWidth = 0x0100
        static let imageHeight = 0x0101
        static let stripOffsets = 0x0111
        static let orientation = 0x0112
        static let stripByteCounts = 0x0117
        static let xResolution = 0x011A
        static let yResolution = 0x011B
        static let transferFunction = 0x012D
        static let whitePoint = 0x013E
        static let primaryChromaticities = 0x013F
        static let thumbnailOffset = 0x0201
        static let thumbnailByteCount = 0x0202
        static let exifDirectory = 0x8769
        static let gpsDirectory = 0x8825
        static let subjectArea = 0x9214
        static let colourSpace = 0xA001
        static let pixelXDimension = 0xA002
        static let pixelYDimension = 0xA003
        static let interoperabilityDirectory = 0xA005
        static let focalPlaneXResolution = 0xA20E
        static let focalPlaneYResolution = 0xA20F
        static let subjectLocation = 0xA214
        static let gamma = 0xA500
        /// In the directory of interoperability.
        static let interoperabilityIndex = 0x0001

        static let images = [stripOffsets, thumbnailOffset]
    }

    /// Nil if the bytes do not start like a TIFF stream.
    public init?(bytes: [UInt8]) {
        guard let stream = TIFFStream(bytes: bytes) else { return nil }
        self.stream = stream
    }

    /// The smallest EXIF with an orientation: one directory with one tag.
    public init(orientation: Orientation) {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
        stream = TIFFStream(bigEndian: [0, 0, 0, 8] + [0, 1] + entry + [0, 0, 0, 0])
    }

    /// Nil if the tag is missing or has none of the eight values.
    public var orientation: Orientation? {
        stream.firstDirectory?.entry(Tag.orientation).flatMap(stream.number).flatMap(Orientation.init)
    }

    /// A copy for pixels that are stored as they are shown.
    public func upright() -> EXIF {
        guard let entry = stream.firstDirectory?.entry(Tag.orientation) else { return self }
        var result = self
        result.stream.setNumber(Orientation.up.rawValue, of: entry)
        return result
    }

    /// A copy with the photo's size set to another one, in the tags that exist.
    public func withPixelSize(width: Int, height: Int) -> EXIF {
        guard let first = stream.firstDirectory else { return self }
        var result = self
        for entry in first.entries + subdirectories(of: first).flatMap(\.entries) {
            switch entry.tag {
            case Tag.imageWidth, Tag.pixelXDimension: result.stream.setNumber(width, of: entry)
            case Tag.imageHeight, Tag.pixelYDimension: result.stream.setNumber(height, of: entry)
            default: break
            }
        }
        return result
    }

    /// Whether the sample values are in Adobe RGB. As DCF 2.0 has it, the colour space is then "uncalibrated", and the
    /// rules of interoperability are those of the "DCF option file", R03. Some cameras write 2 for the colour space.
    package var saysAdobeRGB: Bool { adobeRGBIndex != nil }

    var adobeRGBIndex: TIFFStream.Entry? {
        guard let first = stream.firstDirectory,
            let directory = stream.subdirectory(Tag.exifDirectory, of: first),
            let colourSpace = directory.entry(Tag.colourSpace).flatMap(stream.number),
            [2, 0xFFFF].contains(colourSpace),
            let index = stream.subdirectory(Tag.interoperabilityDirectory, of: directory)?
                .entry(Tag.interoperabilityIndex)
        else { return nil }
        return stream.hasText("R03", index) ? index : nil
    }

    /// The directories that the first one refers to, and those that these refer to. One that lies over the first one is none.
    private func subdirectories(of first: TIFFStream.Directory) -> [TIFFStream.Directory] {
        func subdirectory(_ tag: Int, of parent: TIFFStream.Directory) -> TIFFStream.Directory? {
            stream.subdirectory(tag, of: parent).flatMap { $0.overlaps(first) ? nil : $0 }
        }
        let direct = [Tag.exifDirectory, Tag.gpsDirectory].compactMap { subdirectory($0, of: first) }
        return direct + direct.compactMap { subdirectory(Tag.interoperabilityDirectory, of: $0) }
    }
}

// MARK: Previews

extension EXIF {
    /// A copy without the preview in the second directory and in the directories after it.
    ///
    /// Only the previews' own bytes are removed; all else keeps its position. Maker notes contain offsets in
    /// formats that only the maker knows, some to data behind the preview.
    public func withoutThumbnail() -> EXIF {
        guard let first = stream.firstDirectory, first.next != 0 else { return self }
        let others = subdirectories(of: first)
        let entries = ([first] + others).flatMap(\.entries)
        let values = entries.compactMap(stream.outOfLineRange)
        let directories = previewDirectories(after: first)
        // Some writers omit the offset of the next directory, and have values or a directory in its place.
        let offset = first.nextPosition..<first.nextPosition + 4
        // Values of an unknown type may have fewer bytes.
        let known = entries.filter { $0.valuesByteCount != nil }.compactMap(stream.outOfLineRange)
        let isOmitted = (known + others.map(\.entriesRange)).contains { $0.overlaps(offset) }
        guard !directories.isEmpty, !isOmitted else { return self }
        var result = self
        result.stream.setInteger(0, at: first.nextPosition, byteCount: 4)
        let previews = RangeSet(sorting: directories.flatMap(rangesOfPreview))
        let kept = ([first] + others).map(\.range) + values
        result.stream.remove(previews.subtracting(RangeSet(sorting: kept + [0..<8])))
        return result
    }

    /// Whether there is a picture besides the thumbnail. Makers put larger previews into maker notes, in
    /// formats that only they know.
    public var hasPreviewInMakerNote: Bool {
        let bytes = withoutThumbnail().bytes
        // SOI, a segment, and the next marker. Minolta overwrites SOI's first byte.
        return bytes.indices.dropLast(5).contains { index in
            guard bytes[index] == 0xD8, bytes[index + 1] == 0xFF, 0xC0...0xFE ~= bytes[index + 2] else {
                return false
            }
            let next = index + 3 + (Int(bytes[index + 3]) << 8 | Int(bytes[index + 4]))
            return next < bytes.count && bytes[next] == 0xFF
        }
    }

    /// Cameras write one directory; at most eight are followed.
    private func previewDirectories(after first: TIFFStream.Directory) -> [TIFFStream.Directory] {
        var directories: [TIFFStream.Directory] = []
        var next = first.next
        while next != 0, directories.count < 8, !directories.contains(where: { $0.position == next }),
            // A directory without a picture stays; it may not even be a directory.
            let directory = stream.directory(at: next), !directory.overlaps(first),
            directory.entries.contains(where: { Tag.images.contains($0.tag) })
        {
            directories.append(directory)
            next = directory.next
        }
        return directories
    }

    /// The bytes of the directory, its values, and the image: one JPEG, or strips of samples.
    private func rangesOfPreview(_ directory: TIFFStream.Directory) -> [Range<Int>] {
        func numbers(_ tag: Int) -> [Int] {
            directory.entry(tag).map { stream.numbers($0, atMost: 4096) } ?? []
        }
        let images =
            zip(numbers(Tag.thumbnailOffset), numbers(Tag.thumbnailByteCount)).map { ($0, $1) }
            + zip(numbers(Tag.stripOffsets), numbers(Tag.stripByteCounts)).map { ($0, $1) }
        return [directory.range.clamped(to: stream.bytes.indices)]
            + directory.entries.filter { $0.valuesByteCount != nil }.compactMap(stream.outOfLineRange)
            + images.compactMap { stream.range(at: $0, byteCount: $1) }
    }
}

extension RangeSet<Int> {
    /// Linear time after sorting, because each range extends the last one or follows it.
    init(sorting ranges: [Range<Int>]) {
        self.init(ranges.sorted { $0.lowerBound < $1.lowerBound })
    }
}
