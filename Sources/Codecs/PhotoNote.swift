import Metadata

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
    /// Chunks of a PNG that have a wrong checksum, and that pixels do not need.
    case damagedChunks(names: [String])
    /// Chunks of a PNG that other readers ignore, too: they are repeated, or come too late.
    case misplacedChunks(names: [String])
    /// Of an animated PNG's frames only the picture was read that stands for them all.
    case animationLeftOut(frameCount: Int)
    /// Bytes behind the photo in its file.
    case bytesBehindEnd(count: Int)
    /// Text of a PNG that a JPEG has no place for.
    case textLeftOut(keywords: [String])
    /// Metadata of a PNG, by name, that a JPEG's segment is too small for.
    case tooLargeForJPEG(names: [String])
    /// A PNG's cICP chunk says what a JPEG cannot say, such as high dynamic range.
    case colourMeaningLost
    /// The file is not quite right, but no pixel is lost by it. `detail` is the decoder's own text.
    case harmlessDamage(detail: String)
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
            "The photo's extended XMP, what is too large for its XMP packet, was left out."
        case .lateMetadataLeftOut:
            "Metadata that the file has behind the beginning of its image was left out."
        case .damagedChunks(let names):
            "Metadata with a wrong checksum was left out (\(Self.list(names))); the pixels are sound."
        case .misplacedChunks(let names):
            "Metadata was ignored that is repeated, or comes too late in the file (\(Self.list(names)))."
        case .animationLeftOut(let count):
            "Of an animation with \(count) frames only the still picture was kept."
        case .bytesBehindEnd(let count):
            "\(count) bytes behind the end of the photo were left out."
        case .textLeftOut(let keywords):
            "Text was left out because a JPEG has no place for it (\(Self.list(keywords))); a PNG keeps it."
        case .tooLargeForJPEG(let names):
            "Metadata was left out because it is too large for a JPEG (\(Self.list(names))); a PNG keeps it."
        case .colourMeaningLost:
            "The colours may look different: a JPEG cannot say what the PNG's cICP chunk says of them."
        case .harmlessDamage(let detail):
            "The file has a flaw that costs no pixels (\(detail))."
        }
    }

    private static func list(_ pictures: Set<FurtherPicture>) -> String {
        let names = FurtherPicture.allCases.filter(pictures.contains).map(\.rawValue)
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
    }

    /// A file has as many names as it likes, and a line has not.
    private static func list(_ names: [String]) -> String {
        let shown = 6
        return names.prefix(shown).joined(separator: ", ")
            + (names.count > shown ? " and \(names.count - shown) more" : "")
    }
}

extension Set<FurtherPicture> {
    fileprivate var isPlural: Bool { count > 1 || contains(.picture) }
}
