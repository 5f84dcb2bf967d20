/// What is worth telling of a photo that was written all the same.
///
/// The sentences do not name the file: whoever knows its name puts it in front.
public enum PhotoNote: Hashable, Sendable {
    /// The photo's inks became RGB by the usual formula, without its CMYK profile.
    case cmykProfileNotUsed
    /// The photo's profile is for other numbers than the output's: for grey, where that has colour.
    case profileLeftOut
    /// Parts of the photo's profile are missing or contradict each other.
    case profileDamaged
    /// What lay behind the photo belongs to the photo as it was.
    case furtherPicturesLeftOut(Set<FurtherPicture>)
    /// Only the camera's maker knows the way to a preview in the maker note.
    case previewInMakerNote
    /// XMP beyond a JPEG's first 64 KB: it has previews of the old pixels, or the output is no JPEG.
    case extendedXMPLeftOut
    /// APPn or COM segments between or behind a JPEG's scans.
    case lateMetadataLeftOut
}

extension PhotoNote: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cmykProfileNotUsed:
            "The CMYK colours were converted without the photo's colour profile, so they may look different."
        case .profileLeftOut:
            "The photo's colour profile does not fit the output and was left out, so tones may look different."
        case .profileDamaged:
            "The photo's colour profile is damaged and was left out, so colours may look different."
        case .furtherPicturesLeftOut(let pictures):
            "The \(Self.list(pictures)) behind the photo \(pictures.isPlural ? "were" : "was") left out; "
                + "the output is the photo alone."
        case .previewInMakerNote:
            "The camera's maker note still has a preview of the unfiltered photo. Add --strip to remove it."
        case .extendedXMPLeftOut:
            "The photo's extended XMP was left out."
        case .lateMetadataLeftOut:
            "Metadata that the file has behind the beginning of its image was left out."
        }
    }

    private static func list(_ pictures: Set<FurtherPicture>) -> String {
        let names = FurtherPicture.allCases.filter(pictures.contains).map(\.rawValue)
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
    }
}

extension Set<FurtherPicture> {
    fileprivate var isPlural: Bool { count > 1 || contains(.picture) }
}
