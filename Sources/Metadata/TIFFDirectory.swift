/// The first directory of a TIFF file: its EXIF and Photoshop's resources, as parts of their own, and whether it is
/// a RAW photo's.
///
/// BigTIFFs have directories of another form, which is not read.
package struct TIFFDirectory {
    private let stream: TIFFStream
    private let directory: TIFFStream.Directory

    /// What describes the photo (Exif 2.32, table 4; ratings and texts of Windows). All others describe how it is stored.
    static let tags: Set<Int> = [
        0x010D, 0x010E, 0x010F, 0x0110, EXIF.Tag.orientation, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749,
        0x8298, 0x9003,
        EXIF.Tag.exifDirectory, EXIF.Tag.gpsDirectory, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]
    static let subdirectories = [
        EXIF.Tag.exifDirectory, EXIF.Tag.gpsDirectory, EXIF.Tag.interoperabilityDirectory,
    ]
    private static let iptcTag = 0x83BB, photoshopTag = 0x8649, dngVersionTag = 0xC612,
        subfileTypeTag = 0x00FE,
        compressionTag = 0x0103, photometricTag = 0x0106

    package init?(_ file: [UInt8]) {
        guard let stream = TIFFStream(bytes: file), let directory = stream.firstDirectory else { return nil }
        (self.stream, self.directory) = (stream, directory)
    }

    /// A TIFF stream of its own; nil if there is nothing but an orientation of upright, or if it needs more bytes than that.
    package func exif(atMost byteCount: Int) -> [UInt8]? {
        let entries = directory.entries.filter { Self.tags.contains($0.tag) }
        let isPlain = entries.allSatisfy { $0.tag == EXIF.Tag.orientation && stream.number($0) == 1 }
        guard !isPlain else { return nil }
        var copy = TIFFStream(emptyLike: stream)
        let position = copy.append(
            directory, entries, from: stream, below: Self.subdirectories, atMost: byteCount)
        guard copy.bytes.count <= byteCount else { return nil }
        copy.setInteger(position, at: 4, byteCount: 4)
        return copy.bytes
    }

    /// Photoshop's own, and IPTC as one of them; empty if there are none, or if they have more bytes than that.
    package func photoshopResources(atMost byteCount: Int) -> [UInt8] {
        let own = bytes(of: Self.photoshopTag, atMost: byteCount).flatMap {
            PhotoshopResources.isResource($0) ? $0 : nil
        }
        guard let iptc = bytes(of: Self.iptcTag, atMost: byteCount),
            own.map(PhotoshopResources.hasIPTC) != true
        else { return own ?? [] }
        return (own ?? []) + PhotoshopResources.resources(ofIPTC: iptc)
    }

    /// Whether the file is a RAW photo: a DNG, one with the compression of Nikon, Sony or Pentax, Canon's second kind, or one
    /// whose first image has the mosaic of a sensor or is a small one.
    package var isRaw: Bool {
        func number(_ tag: Int) -> Int? { directory.entry(tag).flatMap(stream.number) }
        let canon: [UInt8] = [16, 0, 0, 0, 0x43, 0x52, 2, 0]
        return stream.bytes.dropFirst(4).starts(with: canon)
            || directory.entry(Self.dngVersionTag) != nil
            || number(Self.subfileTypeTag).map { $0 & 1 == 1 } == true
            || number(Self.photometricTag).map([32803, 34892].contains) == true
            || number(Self.compressionTag).map([32767, 34713, 65535].contains) == true
    }

    private func bytes(of tag: Int, atMost byteCount: Int) -> [UInt8]? {
        directory.entry(tag).flatMap(stream.outOfLineRange).flatMap {
            $0.count <= byteCount ? Array(stream.bytes[$0]) : nil
        }
    }
}

extension TIFFStream {
    /// The header of a stream with the byte order of another.
    fileprivate init(emptyLike other: TIFFStream) {
        self = other
        keepPrefix(8)
        setInteger(0, at: 4, byteCount: 4)
    }

    /// Appends a directory with some entries of another stream's directory.
    ///
    /// - Parameters:
    ///   - tags: those whose directories come with them.
    ///   - byteCount: nothing is appended once there are more.
    /// - Returns: its position.
    fileprivate mutating func append(
        _ directory: Directory, _ entries: [Entry], from source: TIFFStream, below tags: [Int],
        atMost byteCount: Int, depth: Int = 0
    ) -> Int {
        let position = bytes.count
        appendZeros(2 + Entry.byteCount * entries.count + 4)
        setInteger(entries.count, at: position, byteCount: 2)
        for (index, entry) in entries.enumerated() where bytes.count <= byteCount {
            let target = position + 2 + Entry.byteCount * index
            overwrite(at: target, with: source.bytes[entry.position..<entry.position + Entry.byteCount])
            if tags.contains(entry.tag), depth < 2 {
                let below = source.subdirectory(entry.tag, of: directory)
                let offset =
                    below.map {
                        append(
                            $0, $0.entries, from: source, below: tags, atMost: byteCount, depth: depth + 1)
                    } ?? 0
                setInteger(offset, at: target + 8, byteCount: 4)
            } else if let range = source.outOfLineRange(of: entry) {
                let offset = bytes.count
                append(source.bytes[range])
                setInteger(offset, at: target + 8, byteCount: 4)
            }
        }
        return position
    }
}
