import TintypeImaging
import TintypeMetadata

/// A chunk of a RIFF file (RFC 9649, 2.3).
enum WebPChunk {
    /// Its name and the count of its bytes.
    static let headByteCount = 8
    /// `RIFF`, the count of the bytes that follow it, and `WEBP`.
    static let fileHeadByteCount = 12

    static let extendedName = "VP8X", profileName = "ICCP", exifName = "EXIF", xmpName = "XMP "
    static let alphaName = "ALPH", frameName = "ANMF"
    static let imageNames: Set<String> = ["VP8 ", "VP8L"]

    /// With the byte that makes the count even.
    static func paddedByteCount(_ count: Int) -> Int { headByteCount + count + count % 2 }

    static func encoded(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(name.utf8) + UInt32(bytes.count).littleEndianBytes + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
}

/// A WebP around an image that is encoded already.
struct WebPFile {
    let geometry: PhotoGeometry
    let hasAlpha: Bool
    let metadata: PhotoMetadata

    private enum Flag {
        static let profile: UInt8 = 0x20, alpha: UInt8 = 0x10, exif: UInt8 = 0x08, xmp: UInt8 = 0x04
    }

    /// - Parameter image: chunks of the image, VP8 or VP8L, the first maybe after ALPH.
    func write(_ image: ArraySlice<UInt8>, to output: ByteOutput) throws(CodecError) {
        var before: [UInt8] = [], after: [UInt8] = [], flags: UInt8 = 0
        func add(_ flag: UInt8, _ name: String, _ bytes: [UInt8], to chunks: inout [UInt8]) {
            // Each can be there once.
            if flags & flag == 0 { chunks += WebPChunk.encoded(name, bytes) }
            flags |= flag
        }
        for item in metadata.items {
            switch item {
            case .icc(let profile): add(Flag.profile, WebPChunk.profileName, profile.bytes, to: &before)
            case .exif(let bytes): add(Flag.exif, WebPChunk.exifName, bytes, to: &after)
            case .xmp(let bytes): add(Flag.xmp, WebPChunk.xmpName, bytes, to: &after)
            default: break
            }
        }
        // An image alone needs no head of its own, unless it has a plane of alpha.
        if flags != 0 || image.starts(with: WebPChunk.alphaName.utf8) {
            flags |= hasAlpha ? Flag.alpha : 0
            let size = [geometry.width, geometry.height].flatMap {
                UInt32($0 - 1).littleEndianBytes.prefix(3)
            }
            before = WebPChunk.encoded(WebPChunk.extendedName, [flags, 0, 0, 0] + size) + before
        }
        let padding: [UInt8] = image.count % 2 == 1 ? [0] : []
        let byteCount = 4 + before.count + image.count + padding.count + after.count
        guard let count = UInt32(exactly: byteCount) else {
            throw .unsupported(detail: "a WebP of more than 4 GiB")
        }
        try output.writeAll(
            Array("RIFF".utf8) + count.littleEndianBytes + Array("WEBP".utf8) + before)
        try output.writeAll(image)
        try output.writeAll(padding + after)
    }
}
