import Imaging

/// What a file says about its photo besides the pixels, in the order in which the file says it.
///
/// What both formats know is held in one form, and so carries over from JPEG to PNG and back; the rest is
/// held as the file has it, and goes only into a file of the same format.
public struct PhotoMetadata: Hashable, Sendable {
    /// One statement.
    public enum Item: Hashable, Sendable {
        /// A TIFF stream, as in JPEG's APP1 behind `Exif\0\0` and in PNG's eXIf.
        case exif([UInt8])
        case icc(ICCProfile)
        /// An XMP packet.
        case xmp([UInt8])
        /// A JPEG's comment, in an encoding that nobody says.
        case comment([UInt8])
        /// Another segment of a JPEG; `marker` is 0xE0 + n for APPn.
        case jpegSegment(marker: UInt8, [UInt8])
        /// Another chunk of a PNG; `name` has 4 letters.
        case pngChunk(name: String, [UInt8])
    }

    /// Chunks of a PNG that say what its numbers mean.
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

    /// How the photo is to be turned when shown; upright where EXIF does not say.
    public var orientation: Orientation { exif?.orientation ?? .up }

    /// False where a colour profile other than sRGB gives the numbers their meaning: a grey file cannot carry
    /// it.
    public var allowsGreyOutput: Bool {
        icc.map { $0.colourSpace != .rgb || $0.isSRGB } ?? true
    }
}

extension PhotoMetadata {
    /// What is true of the photo once it was resampled to another size.
    public func resized(to size: PhotoGeometry) -> PhotoMetadata {
        mapItems { item in
            guard case .exif(let bytes) = item, let exif = EXIF(bytes: bytes) else { return item }
            return .exif(exif.withPixelSize(width: size.width, height: size.height).bytes)
        }
    }

    /// Only what the pixels mean, and nothing about who took them where: the colour profile (for PNG also
    /// sRGB, gAMA, cHRM, cICP), and how the photo is turned.
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

    /// What may stand in a file whose pixels are colour, or grey. A profile for other numbers is left out;
    /// that of a photo in sRGB which turned grey becomes one with the same curve.
    package func matching(colour: Bool) -> PhotoMetadata {
        mapItems { item in
            guard case .icc(let profile) = item else { return item }
            return profile.matching(colour: colour).map { .icc($0) }
        }
    }

    /// The profile that has no meaning for pixels that are colour, or grey, and says more than nothing: without
    /// one, numbers are taken for sRGB.
    package func profileWithoutMeaning(colour: Bool) -> ICCProfile? {
        icc.flatMap { $0.matching(colour: colour) == nil && $0 != .sRGBGrey ? $0 : nil }
    }

    package func mapItems(_ transform: (Item) -> Item?) -> PhotoMetadata {
        PhotoMetadata(items: items.compactMap(transform), density: density)
    }
}
