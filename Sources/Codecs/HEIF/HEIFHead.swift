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
        var status = CHEIF_STATUS_OK
        guard let pointer = cheif_head_read(file, file.count, limits.maxMetadataByteCount, &status) else {
            throw status == CHEIF_STATUS_NO_LIBRARY
                ? .needsLibrary(format: PhotoFormat(format), package: "libheif1") : .outOfMemory
        }
        guard status == CHEIF_STATUS_OK else {
            defer { cheif_head_destroy(pointer) }
            throw status == CHEIF_STATUS_TOO_MUCH_METADATA
                ? .tooMuchMetadata(limit: limits.maxMetadataByteCount)
                : Self.error(pointer.pointee.answer, fileIsWhole: isWhole)
        }
        self.pointer = pointer
        items = Self.items(pointer)
    }

    deinit { cheif_head_destroy(pointer) }

    var values: cheif_head { pointer.pointee }

    static func error(_ answer: cheif_answer, fileIsWhole: Bool) -> CodecError {
        let detail = withUnsafeBytes(of: answer.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return switch answer.status {
        case CHEIF_STATUS_OUT_OF_MEMORY: .outOfMemory
        case CHEIF_STATUS_NO_PROCESS: .unsupported(detail: "no process for libheif: \(detail)")
        case _ where !fileIsWhole: .truncated
        case CHEIF_STATUS_UNSUPPORTED: .unsupported(detail: "libheif: \(detail)")
        default: .corrupt(detail: detail)
        }
    }

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
        let primaries = values.primaries == unspecified ? 1 : values.primaries
        let curve = values.curve == unspecified ? 13 : values.curve
        return values.has_codes && (primaries, curve) != (1, 13) ? [primaries, curve, 0, 1] : nil
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
