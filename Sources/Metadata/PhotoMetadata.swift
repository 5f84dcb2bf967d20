import TintypeImaging

/// A file's metadata, in the file's order.
///
/// Items that several formats support have a common form, so they can be converted between them. Other
/// items keep the file's form and are only written to files of the same format.
public struct PhotoMetadata: Hashable, Sendable {
    /// One piece of metadata.
    public enum Item: Hashable, Sendable {
        /// A TIFF stream, as in JPEG's APP1 after `Exif\0\0` and in PNG's eXIf.
        case exif([UInt8])
        case icc(ICCProfile)
        /// An XMP packet.
        case xmp([UInt8])
        /// A JPEG's comment; its encoding is not declared.
        case comment([UInt8])
        /// Another segment of a JPEG; `marker` is 0xE0 + n for APPn.
        case jpegSegment(marker: UInt8, [UInt8])
        /// Another chunk of a PNG; `name` has 4 letters.
        case pngChunk(name: String, [UInt8])
    }

    /// Chunks of a PNG that define what sample values mean.
    package static let colourChunks: Set<String> = ["sRGB", "gAMA", "cHRM", "cICP"]

    public var items: [Item]
    public var density: PixelDensity?

    public init(items: [Item] = [], density: PixelDensity? = nil) {
        self.items = items
        self.density = density
    }

    public var exif: EXIF? {
        items.lazy.compactMap { if case .exif(let bytes) = $0 { EXIF(bytes: bytes) } else { nil } }.first
    }

    public var icc: ICCProfile? {
        items.lazy.compactMap { if case .icc(let profile) = $0 { profile } else { nil } }.first
    }

    /// The first packet.
    package var xmp: [UInt8]? {
        items.lazy.compactMap { if case .xmp(let packet) = $0 { packet } else { nil } }.first
    }

    /// Bytes of all items.
    package var byteCount: Int {
        items.reduce(0) { sum, item in
            switch item {
            case .icc(let profile): sum + profile.bytes.count
            case .exif(let bytes), .xmp(let bytes), .comment(let bytes), .jpegSegment(_, let bytes),
                .pngChunk(_, let bytes):
                sum + bytes.count
            }
        }
    }

    /// The orientation of the photo when shown; `.up` without EXIF.
    public var orientation: Orientation { exif?.orientation ?? .up }

    /// False if a colour profile other than sRGB defines the sample values: a grey file cannot contain it.
    public var allowsGreyOutput: Bool {
        icc.map { $0.colourSpace != .rgb || $0.isSRGB } ?? true
    }
}

extension PhotoMetadata {
    /// The metadata of a JPEG with colour, with a profile if only EXIF says that it is in Adobe RGB. Few programs look
    /// there, outputs may lose their EXIF, and a conversion needs a profile.
    package func withProfileOfAdobeRGB() -> PhotoMetadata {
        guard icc == nil, exif?.saysAdobeRGB == true else { return self }
        return PhotoMetadata(items: items + [.icc(.adobeRGB)], density: density)
    }

    /// The metadata for the photo at another size, or once it is turned, where it is not known how. Sizes and places in pixels of
    /// the old one are left out.
    ///
    /// - Parameter isWhole: whether the photo still shows all, in the same direction. Otherwise places that are shares of the
    ///   photo, such as those of faces, and a panorama's on its sphere are left out as well.
    public func resized(to size: PhotoGeometry, isWhole: Bool) -> PhotoMetadata {
        mapItems { item in
            switch item {
            case .exif(let bytes):
                guard let exif = EXIF(bytes: bytes) else { return item }
                let resized = exif.withPixelSize(width: size.width, height: size.height)
                return .exif(resized.withoutSubjectPlace().bytes)
            case .xmp(let bytes):
                let packet = XMPPacket(bytes: bytes)
                    .removing(
                        { $0.isInPixels || !isWhole && ($0.place != nil || $0.holdsRegions) },
                        signs: XMPPacket.signsOfPlaces)
                return .xmp(packet?.bytes ?? bytes)
            default:
                return item
            }
        }
    }

    /// The metadata for the photo once its pixels are converted to sRGB. A small profile takes the place of the photo's own,
    /// because some applications do not take values without a profile for sRGB. For a grey file, see `matching`.
    package func convertedToSRGB() -> PhotoMetadata {
        let profile = ICCProfile.sRGB
        var converted = withPhotoshopResources(PhotoshopResources.withoutProfile).mapItems { item in
            switch item {
            case .icc: nil
            case .pngChunk(let name, _) where Self.colourChunks.contains(name): nil
            case .exif(let bytes): EXIF(bytes: bytes).map { .exif($0.inSRGB().bytes) } ?? item
            case .xmp(let bytes):
                .xmp(
                    XMPPacket(bytes: bytes).inSRGB(profile: profile.profileDescription ?? "sRGB") ?? bytes)
            default: item
            }
        }
        converted.items.append(.icc(profile))
        return converted
    }

    /// The metadata for the photo once its pixels are stored as they are shown.
    package func upright() -> PhotoMetadata {
        mapItems { item in
            switch item {
            case .exif(let bytes): EXIF(bytes: bytes).map { .exif($0.upright().bytes) } ?? item
            case .xmp(let bytes): .xmp(XMPPacket(bytes: bytes).removing(\.isOrientation)?.bytes ?? bytes)
            default: item
            }
        }
    }

    /// Only the metadata that the pixels need: the colour profile (for PNG also sRGB, gAMA, cHRM, cICP) and
    /// the orientation. Nothing about people or places remains.
    public func stripped() -> PhotoMetadata {
        var kept = mapItems { item in
            switch item {
            case .icc: item
            case .pngChunk(let name, _) where Self.colourChunks.contains(name): item
            default: nil
            }
        }
        kept.density = nil
        if orientation != .up { kept.items.insert(.exif(EXIF(orientation: orientation).bytes), at: 0) }
        return kept
    }

    /// The metadata for a file with colour or with grey pixels. A profile for the other kind is replaced by one with the same
    /// curve, or left out if it has no single curve.
    package func matching(colour: Bool) -> PhotoMetadata {
        guard let icc, icc.matching(colour: colour) != icc else { return self }
        return mapItems { item in
            switch item {
            case .icc(let profile): profile.matching(colour: colour).map { .icc($0) }
            case .xmp(let bytes):
                .xmp(
                    XMPPacket(bytes: bytes).naming(profile: icc.matching(colour: colour)?.profileDescription)
                        ?? bytes)
            default: item
            }
        }
    }

    package func withoutProfile() -> PhotoMetadata {
        mapItems { if case .icc = $0 { nil } else { $0 } }
    }

    package func mapItems(_ transform: (Item) -> Item?) -> PhotoMetadata {
        PhotoMetadata(items: items.compactMap(transform), density: density)
    }
}
