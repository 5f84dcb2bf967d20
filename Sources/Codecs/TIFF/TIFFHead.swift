import CTintypeIsolation
import CTintypeTIFF
import TintypeImaging
import TintypeMetadata

/// What a TIFF says of its first image.
struct TIFFHead: IsolatedHead {
    static let library = IsolatedLibrary(name: "libtiff", codec: { ctiff_codec() }, package: "libtiff6")

    let values: LibraryHead
    let metadata: PhotoMetadata
    private let own: ctiff_head

    init(_ file: [UInt8], limits: DecodeLimits) throws(CodecError) {
        let directory = TIFFDirectory(file)
        guard directory?.beginsWithPreview != true else {
            throw .unsupported(detail: "a TIFF whose first image is a preview, or a RAW photo")
        }
        values = try LibraryHead(file, Self.library, of: .tiff, limits: limits)
        own = values.own(ctiff_head.self)
        metadata = Self.metadata(values, own, directory, limits)
    }

    /// The samples, and libtiff's buffers: a strip or tile, and what all is converted to.
    var memoryByteCount: Int {
        let samples = values.pixelCount * (values.layout.bytesPerPixel + (own.is_converted ? 4 : 0))
        let blocks = min(Int(clamping: own.block_byte_count), .max / 4)
        return samples + blocks * (own.is_converted ? 2 : 1) + LibraryHead.constantByteCount
    }

    var furtherPictures: Set<FurtherPicture> { own.page_count > 1 ? [.picture] : [] }
    var hasInks: Bool { own.has_inks }

    /// Photoshop's resources are held as in a JPEG.
    private static func metadata(
        _ values: LibraryHead, _ own: ctiff_head, _ directory: TIFFDirectory?, _ limits: DecodeLimits
    ) -> PhotoMetadata {
        var metadata = PhotoMetadata(density: density(own))
        if let bytes = values.item(CISOLATION_METADATA_PROFILE) {
            metadata.items.append(.icc(ICCProfile(bytes: bytes)))
        }
        let limit = limits.maxMetadataByteCount
        if let exif = directory?.exif(atMost: limit) {
            metadata.items.append(.exif(exif))
        } else if let orientation = Orientation(rawValue: Int(own.orientation)), orientation != .up {
            metadata.items.append(.exif(EXIF(orientation: orientation).bytes))
        }
        if let bytes = values.item(CISOLATION_METADATA_XMP) { metadata.items.append(.xmp(bytes)) }
        let resources = directory?.photoshopResources(atMost: limit) ?? []
        metadata.items += JPEGSegments.photoshopSegments(resources)
        if values.layout.hasColour, !own.has_inks { metadata = metadata.withProfileOfAdobeRGB() }
        return metadata
    }

    private static func density(_ own: ctiff_head) -> PixelDensity? {
        let units: [Int32: PixelDensity.Unit] = [1: .aspectOnly, 2: .perInch, 3: .perCentimetre]
        let range: ClosedRange<Float> = 1...65535
        guard let unit = units[own.density_unit], range.contains(own.x_density),
            range.contains(own.y_density)
        else { return nil }
        return PixelDensity(
            x: Int(own.x_density.rounded()), y: Int(own.y_density.rounded()), unit: unit)
    }
}
