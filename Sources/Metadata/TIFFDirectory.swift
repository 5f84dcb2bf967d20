import TintypeImaging

/// The first directory of a TIFF file: its EXIF and Photoshop's resources, as parts of their own.
///
/// BigTIFFs have directories of another form, which is not read.
package struct TIFFDirectory {
    private let stream: TIFFStream
    private let directory: TIFFStream.Directory

    /// What describes the photo (Exif 2.32, table 4; ratings and texts of Windows). All others describe how it is stored.
    package static let tags: Set<Int> = [
        0x010D, 0x010E, 0x010F, 0x0110, EXIF.Tag.orientation, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749,
        0x8298, 0x9003,
        EXIF.Tag.exifDirectory, EXIF.Tag.gpsDirectory, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]
    package static let subdirectories = [
        EXIF.Tag.exifDirectory, EXIF.Tag.gpsDirectory, EXIF.Tag.interoperabilityDirectory,
    ]
    package static let iptcTag = 0x83BB, photoshopTag = 0x8649
    private static let subfileTypeTag = 0x00FE

    package init?(_ file: [UInt8]) {
        guard let stream = TIFFStream(bytes: file), let directory = stream.firstDirectory else { return nil }
        (self.stream, self.directory) = (stream, directory)
    }

    /// A TIFF stream of its own; nil if there is nothing but an orientation of upright, or if it needs more bytes than that.
    package func exif(atMost byteCount: Int) -> [UInt8]? {
        let entries = directory.entries.filter { Self.tags.contains($0.tag) }
        let isPlain = entries.allSatisfy { $0.tag == EXIF.Tag.orientation && stream.number($0) == 1 }
        guard !isPlain else { return nil }
        var fields = TIFFFields(below: Self.subdirectories, atMost: byteCount)
        return fields.copy(directory, entries, of: stream).flatMap {
            EXIF(fields: $0, isBigEndian: stream.isBigEndian, atMost: byteCount)?.bytes
        }
    }

    /// Photoshop's own, and IPTC as one of them; empty if there are none, or if they have more bytes than that.
    package func photoshopResources(atMost byteCount: Int) -> [UInt8] {
        Self.photoshopResources(
            own: bytes(of: Self.photoshopTag, atMost: byteCount),
            iptc: bytes(of: Self.iptcTag, atMost: byteCount))
    }

    /// - Parameters:
    ///   - own: values of Photoshop's field.
    ///   - iptc: values of IPTC's field.
    package static func photoshopResources(own: [UInt8]?, iptc: [UInt8]?) -> [UInt8] {
        let own = own.flatMap { PhotoshopResources.isResource($0) ? $0 : nil }
        guard let iptc, own.map(PhotoshopResources.hasIPTC) != true else { return own ?? [] }
        return (own ?? []) + PhotoshopResources.resources(ofIPTC: iptc)
    }

    /// Whether the first image is a small one, or the file is a RAW photo.
    package var beginsWithPreview: Bool {
        func number(_ tag: Int) -> Int? {
            directory.entry(tag).map { stream.numbers($0, atMost: 1).first ?? 0 }
        }
        return RAWFormat.isRAW(number) || number(Self.subfileTypeTag).map { $0 & 1 == 1 } == true
    }

    private func bytes(of tag: Int, atMost byteCount: Int) -> [UInt8]? {
        directory.entry(tag).flatMap(stream.outOfLineRange).flatMap {
            $0.count <= byteCount ? Array(stream.bytes[$0]) : nil
        }
    }
}
