import CTintypeIsolation
import CTintypeHEIF
import TintypeImaging
import TintypeMetadata

/// What a HEIC or AVIF says of its primary image.
final class HEIFHead {
    let pointer: UnsafeMutablePointer<cheif_head>
    private let items: [(kind: cheif_metadata, bytes: [UInt8])]

    /// - Throws: `CodecError.truncated`, unless damage is tolerated.
    init(_ file: [UInt8], of format: HEIFFormat, limits: DecodeLimits) throws(CodecError) {
        let isWhole = !cheif_ends_within_a_box(file, file.count)
        guard isWhole || limits.toleratesDamage else { throw .truncated }
        var status = CISOLATION_STATUS_OK
        let library = IsolatedLibrary.heif
        guard let pointer = cheif_head_read(file, file.count, limits.maxMetadataByteCount, &status) else {
            throw library.readError(
                cisolation_answer(status), PhotoFormat(format), fileIsWhole: isWhole, limits: limits)
        }
        guard status == CISOLATION_STATUS_OK else {
            defer { cheif_head_destroy(pointer) }
            throw library.readError(
                pointer.pointee.answer, PhotoFormat(format), fileIsWhole: isWhole, limits: limits)
        }
        self.pointer = pointer
        items = Self.items(pointer)
    }

    deinit { cheif_head_destroy(pointer) }

    var values: cheif_head { pointer.pointee }

    var furtherPictures: Set<FurtherPicture> {
        var pictures: Set<FurtherPicture> = []
        if values.has_gain_map { pictures.insert(.gainMap) }
        if values.has_further_pictures { pictures.insert(.picture) }
        return pictures
    }

    /// As a PNG's cICP chunk holds them; nil if they say sRGB, which is also meant where one is unspecified. The pixels are RGB
    /// in full range by now.
    var codes: [UInt8]? {
        let unspecified: UInt8 = 2
        let primaries = values.primaries == unspecified ? ColourCodes.sRGB.primaries : values.primaries
        let curve = values.curve == unspecified ? ColourCodes.sRGB.curve : values.curve
        return values.has_codes && (primaries, curve) != ColourCodes.sRGB ? [primaries, curve, 0, 1] : nil
    }

    private static func items(
        _ head: UnsafeMutablePointer<cheif_head>
    ) -> [(kind: cheif_metadata, bytes: [UInt8])] {
        withUnsafeBytes(of: head.pointee.items) { items in
            let items = items.assumingMemoryBound(to: cheif_item.self)
            return (0..<head.pointee.item_count).map { index in
                let item = items[Int(index)], start = cheif_head_item(head, index)
                return (item.kind, Array(UnsafeBufferPointer(start: start, count: item.byte_count)))
            }
        }
    }

    var profile: ICCProfile? {
        items.first { $0.kind == CHEIF_METADATA_PROFILE }.map { ICCProfile(bytes: $0.bytes) }
    }

    /// EXIF's orientation is that of the camera; the file's own transformations are applied already.
    func metadata() -> PhotoMetadata {
        var metadata = PhotoMetadata()
        if profile == nil, let codes { metadata.items.append(.pngChunk(name: "cICP", codes)) }
        for (kind, bytes) in items {
            switch kind {
            case CHEIF_METADATA_PROFILE: metadata.items.append(.icc(ICCProfile(bytes: bytes)))
            case CHEIF_METADATA_XMP: metadata.items.append(.xmp(bytes))
            default: if let exif = Self.tiffStream(bytes) { metadata.items.append(.exif(exif)) }
            }
        }
        return metadata.upright()
    }

    /// The EXIF in an item: its first four bytes tell how many others come before it (ISO/IEC 23008-12, A.2.1).
    private static func tiffStream(_ item: [UInt8]) -> [UInt8]? {
        let skipped = item.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard item.count > 4, skipped < item.count - 4 else { return nil }
        return Array(item.dropFirst(4 + skipped))
    }
}

extension IsolatedLibrary {
    static let heif = IsolatedLibrary(
        name: "libheif", package: "libheif1", encoderPackage: "libheif-plugin-aomenc")
}
