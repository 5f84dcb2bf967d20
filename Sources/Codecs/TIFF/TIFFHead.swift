import CTintypeIsolation
import CTintypeTIFF
import TintypeImaging
import TintypeMetadata

/// What a TIFF says of its first image.
final class TIFFHead {
    let pointer: UnsafeMutablePointer<ctiff_head>

    init(_ file: [UInt8], limits: DecodeLimits) throws(CodecError) {
        guard TIFFDirectory(file)?.isRaw != true else {
            throw .unsupported(detail: "a TIFF whose first image is a preview, or a RAW photo")
        }
        var status = CISOLATION_STATUS_OK
        let library = IsolatedLibrary.tiff
        guard let pointer = ctiff_head_read(file, file.count, limits.maxMetadataByteCount, &status) else {
            throw library.readError(cisolation_answer(status), .tiff, fileIsWhole: true, limits: limits)
        }
        self.pointer = pointer
        guard status == CISOLATION_STATUS_OK else {
            throw library.readError(pointer.pointee.answer, .tiff, fileIsWhole: true, limits: limits)
        }
    }

    deinit { ctiff_head_destroy(pointer) }

    var values: ctiff_head { pointer.pointee }

    /// That of the decoded samples, before inks become RGB.
    var layout: PixelLayout {
        let channels = PixelLayout.Channels(rawValue: Int(values.image.channels)) ?? .rgb
        return .interleaved(channels, values.image.is_16_bit ? .sixteen : .eight)
    }

    /// Photoshop's resources are held as in a JPEG.
    func metadata(_ file: [UInt8], limits: DecodeLimits) -> PhotoMetadata {
        var metadata = PhotoMetadata(density: density)
        if let bytes = item(CTIFF_METADATA_PROFILE) {
            metadata.items.append(.icc(ICCProfile(bytes: bytes)))
        }
        let directory = TIFFDirectory(file), limit = limits.maxMetadataByteCount
        if let exif = directory?.exif(atMost: limit) {
            metadata.items.append(.exif(exif))
        } else if let orientation = Orientation(rawValue: Int(values.orientation)), orientation != .up {
            metadata.items.append(.exif(EXIF(orientation: orientation).bytes))
        }
        if let bytes = item(CTIFF_METADATA_XMP) { metadata.items.append(.xmp(bytes)) }
        let resources = directory?.photoshopResources(atMost: limit) ?? []
        metadata.items += JPEGSegments.photoshopSegments(resources)
        if layout.hasColour, !values.image.has_inks { metadata = metadata.withProfileOfAdobeRGB() }
        return metadata
    }

    private var density: PixelDensity? {
        let units: [Int32: PixelDensity.Unit] = [1: .aspectOnly, 2: .perInch, 3: .perCentimetre]
        let range: ClosedRange<Float> = 1...65535
        guard let unit = units[values.density_unit], range.contains(values.x_density),
            range.contains(values.y_density)
        else { return nil }
        return PixelDensity(
            x: Int(values.x_density.rounded()), y: Int(values.y_density.rounded()), unit: unit)
    }

    private func item(_ kind: ctiff_metadata) -> [UInt8]? {
        withUnsafeBytes(of: pointer.pointee.items) { items in
            let items = items.assumingMemoryBound(to: ctiff_item.self)
            guard let index = (0..<values.item_count).first(where: { items[Int($0)].kind == kind }) else {
                return nil
            }
            let start = ctiff_head_item(pointer, index)
            return Array(UnsafeBufferPointer(start: start, count: items[Int(index)].byte_count))
        }
    }
}

extension IsolatedLibrary {
    static let tiff = IsolatedLibrary(name: "libtiff", package: "libtiff6")
}
