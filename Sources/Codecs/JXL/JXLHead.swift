import CTintypeIsolation
import CTintypeJXL
import TintypeImaging
import TintypeMetadata

/// What a JPEG XL says of its image.
struct JXLHead: IsolatedHead {
    /// The library's own package has another name for each version. That of its tools needs it.
    static let library = IsolatedLibrary(
        name: "libjxl", codec: { cjxl_codec() }, package: "libjxl-tools")

    let values: LibraryHead
    private let format: JXLFormat
    private let own: cjxl_head
    private let fileByteCount: Int

    init(_ file: [UInt8], of format: JXLFormat, limits: DecodeLimits) throws(CodecError) {
        self.format = format
        fileByteCount = file.count
        values = try LibraryHead(file, Self.library, of: .jxl, limits: limits)
        own = values.own(cjxl_head.self)
        guard own.is_whole || limits.toleratesDamage else { throw .truncated }
    }

    var memoryByteCount: Int { JXLMemory.byteCount(decoding: values) }
    var grantedByteCount: Int { memoryByteCount }

    var furtherPictures: Set<FurtherPicture> {
        var pictures: Set<FurtherPicture> = []
        if own.has_gain_map { pictures.insert(.gainMap) }
        if own.has_further_pictures { pictures.insert(.picture) }
        return pictures
    }

    /// A recompressed JPEG has its own colours, too.
    var isLossless: Bool { own.has_original_colours && !own.has_jpeg }
    var colourMeaning: ColourMeaning { format.colour(values.hasProfile ? nil : codes) }
    /// In a JPEG, only EXIF may say Adobe RGB. libjxl takes such values for sRGB.
    var metadata: PhotoMetadata {
        let metadata = values.uprightMetadata(codes: codes)
        return own.has_jpeg && values.layout.hasColour ? metadata.withProfileOfAdobeRGB() : metadata
    }

    var inner: InnerFile? {
        guard own.has_jpeg else { return nil }
        let items = values.items.compactMap { PhotoMetadata.Item(boxed: $0.bytes, $0.kind) }
        return InnerFile(
            format: .jpeg, orientation: PhotoMetadata(items: items).orientation,
            byteCount: JXLMemory.mostRecodedByteCount(fileByteCount))
    }

    func makeInnerCopier(_ output: ByteOutput, of file: [UInt8]) -> any PhotoEncoder {
        JXLUnwrapper(output, of: file, pixelCount: values.pixelCount, memory: file.count + memoryByteCount)
    }

    /// As a PNG's cICP chunk holds them; nil for sRGB.
    private var codes: [UInt8]? {
        own.has_codes && (own.primaries, own.curve) != ColourCodes.sRGB
            ? [own.primaries, own.curve, 0, 1] : nil
    }
}
