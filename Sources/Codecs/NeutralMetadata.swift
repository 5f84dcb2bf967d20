import TintypeImaging
import TintypeMetadata

/// A kind of metadata that a format may be able to hold.
package enum MetadataKind: Hashable, Sendable {
    /// EXIF, with the orientation.
    case exif
    /// A colour profile.
    case profile
    case xmp
    /// XMP beyond one packet, in segments of its own.
    case extendedXMP
    case comment
    /// Photoshop's image resources, with IPTC.
    case photoshop
    case density
    /// Pictures or a video after the photo.
    case furtherPictures
}

/// Metadata on its way from one format to another, in a form that none of them owns.
package struct NeutralMetadata {
    package enum Item {
        case exif([UInt8])
        case profile(ICCProfile)
        /// A packet.
        case xmp([UInt8])
        /// The encoding is not declared.
        case comment([UInt8])
        /// Photoshop's image resources, or IPTC alone; `name` is what the format calls their place: "APP13".
        case photoshop([UInt8], name: String)
        /// Text that only its own format can hold.
        case text(keyword: String)
        /// Anything else that only its own format can hold: "APP12".
        case other(name: String)
        /// Passes a conversion as it is: an output that leaves it out has notes of its own.
        case unchanged(PhotoMetadata.Item)
    }

    /// In the file's order.
    package var items: [Item] = []
    package var density: PixelDensity?
    /// What the pixels' values mean if there is no profile.
    package var colour = ColourMeaning.sRGB
    /// The codes that say so, in the form of a PNG's cICP chunk; nil without codes.
    package var colourCodes: [UInt8]?

    package init() {}

    /// The metadata of a format that has no items of its own.
    package init(_ metadata: PhotoMetadata) {
        density = metadata.density
        items = metadata.items.map(Item.init)
    }

    /// The profile that expresses the meaning of the colours; nil if there is none, or none is needed.
    func profileOfColours(hasColour: Bool) -> ICCProfile? {
        guard !hasProfile, case .encoding(let encoding, let description) = colour else { return nil }
        return encoding.profile(hasColour: hasColour, description: description)
    }

    /// Whether no profile can express the meaning of the colours.
    var losesColours: Bool {
        if !hasProfile, case .inexpressible = colour { true } else { false }
    }

    private var hasProfile: Bool {
        items.contains { if case .profile = $0 { true } else { false } }
    }
}

extension NeutralMetadata.Item {
    package init(_ item: PhotoMetadata.Item) {
        self =
            switch item {
            case .exif(let bytes): .exif(bytes)
            case .icc(let profile): .profile(profile)
            case .xmp(let packet): .xmp(packet)
            case .comment(let bytes): .comment(bytes)
            default: .unchanged(item)
            }
    }
}

// MARK: Formats without items of their own

extension NeutralMetadata {
    /// The items of some kinds, as they are, and a note that names the others.
    func selected(
        _ kinds: Set<MetadataKind>, hasColour: Bool, for format: PhotoFormat
    ) -> (PhotoMetadata, [PhotoNote]) {
        var metadata = PhotoMetadata(density: kinds.contains(.density) ? density : nil)
        var names: [String] = []
        func take(_ kind: MetadataKind, _ item: PhotoMetadata.Item, _ name: String) {
            if kinds.contains(kind) {
                metadata.items.append(item)
            } else if !names.contains(name) {
                names.append(name)
            }
        }
        for item in items {
            switch item {
            case .exif(let bytes): take(.exif, .exif(bytes), "EXIF")
            // Values without a profile are taken for sRGB.
            case .profile(let profile) where profile.isSRGB && !kinds.contains(.profile): break
            case .profile(let profile): take(.profile, .icc(profile), "colour profile")
            case .xmp(let packet): take(.xmp, .xmp(packet), "XMP")
            case .comment(let bytes): take(.comment, .comment(bytes), "comment")
            case .photoshop(_, let name), .text(let name), .other(let name):
                let shown = name.withoutControls
                if !names.contains(shown) { names.append(shown) }
            case .unchanged(let item): metadata.items.append(item)
            }
        }
        if let profile = profileOfColours(hasColour: hasColour) {
            take(.profile, .icc(profile), "colour profile")
        }
        if losesColours { names.append("meaning of the colours") }
        return (metadata, names.isEmpty ? [] : [.metadataLeftOut(names: names, by: format)])
    }
}

extension String {
    /// For keywords, which come from the file and are printed on a terminal.
    var withoutControls: String {
        unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : String($0) }.joined()
    }
}

extension PhotoMetadata {
    /// The metadata for a file of another format; the notes tell what was left out.
    ///
    /// - Parameters:
    ///   - hasColour: whether that file's values are of RGB.
    ///   - limits: contains the limit for inflated metadata.
    package func converted(
        from format: PhotoFormat, to other: PhotoFormat, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        let form = format.codec.metadataForm
        guard form != other else { return (self, []) }
        let neutral = form.codec.neutral(self, limits: limits)
        return other.codec.metadata(from: neutral, hasColour: hasColour, limits: limits)
    }
}
