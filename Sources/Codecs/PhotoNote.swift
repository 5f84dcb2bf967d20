import TintypeImaging
import TintypeMetadata

/// A remark on a photo that was written successfully.
///
/// The messages do not contain the file's name; callers that know it prepend it.
public enum PhotoNote: Hashable, Sendable {
    /// The inks became RGB by the usual formula; the CMYK profile was not used.
    case cmykProfileNotUsed
    /// The pixels were to become sRGB, but LittleCMS cannot use the profile, which stays. `detail` is its reason.
    case notConvertedToSRGB(detail: String)
    /// The profile does not fit the output's colour space: for example a grey profile, but the output has
    /// colour.
    case profileLeftOut
    /// Parts of the profile are missing or contradictory.
    case profileDamaged
    /// Pictures behind the photo were left out, because they belong to the unfiltered photo.
    case furtherPicturesLeftOut(Set<FurtherPicture>)
    /// The HDR gain map was left out.
    case gainMapLeftOut(GainMapObstacle)
    /// A preview in the maker note could not be removed: its format is the maker's secret.
    case previewInMakerNote
    /// XMP beyond a JPEG's first 64 KB was left out: it has previews of the old pixels or places that moved, or the output is
    /// not a JPEG.
    case extendedXMPLeftOut
    /// A JPEG's boxes, such as Content Credentials (C2PA), were left out, because they belong to the original file.
    case boxesLeftOut
    /// The link to Content Credentials elsewhere was left out, because they belong to the original file.
    case credentialsLinkLeftOut
    /// Segments of a JPEG, by name, that have an image of the unfiltered photo in them.
    case segmentsWithImagesLeftOut(names: [String])
    /// Places that the output does not show, or that are in a form that cannot be moved, were left out.
    case placesLeftOut(Set<PlaceInPhoto>)
    /// APPn or COM segments between or behind a JPEG's scans were left out.
    case lateMetadataLeftOut
    /// Chunks of a PNG with a wrong checksum, not needed for the pixels.
    case damagedChunks(names: [String])
    /// Chunks of a PNG that are repeated or come too late. Other readers ignore them, too.
    case misplacedChunks(names: [String])
    /// Of an animated PNG, only the default image was read.
    case animationLeftOut(frameCount: Int)
    /// Bytes behind the end of the photo in its file.
    case bytesBehindEnd(count: Int)
    /// Text of a PNG that a JPEG cannot hold.
    case textLeftOut(keywords: [String])
    /// Metadata of a PNG, by name, that is too large for a JPEG's segment.
    case tooLargeForJPEG(names: [String])
    /// Segments of a JPEG, by name, that a PNG cannot hold.
    case segmentsLeftOut(names: [String])
    /// Metadata, by name, that a format cannot hold.
    case metadataLeftOut(names: [String], by: PhotoFormat)
    /// A format has no transparency: what was transparent is white.
    case transparencyLeftOut(by: PhotoFormat)
    /// A photo's codes of colour have a meaning that a JPEG cannot express, such as high dynamic range.
    case colourMeaningLost
    /// High dynamic range (PQ or HLG), which needs more, was written with 8 bits.
    case highDynamicRangeIn8Bits
    /// The compressed image could not be kept as it is in a file of another format, so it was encoded again, with loss.
    case imageEncodedAgain(by: PhotoFormat)
    /// A RAW photo's largest JPEG is smaller than the photo.
    case smallPreview(width: Int, height: Int, rawWidth: Int, rawHeight: Int)
    /// The file has a flaw, but no pixel is lost. `detail` is the decoder's own text.
    case harmlessDamage(detail: String)

    /// A JPEG has no transparency: what was transparent is white.
    public static let transparencyLost = transparencyLeftOut(by: .jpeg)
}

extension PhotoNote: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cmykProfileNotUsed:
            "The CMYK colours were converted without the photo's colour profile, so they may look different."
        case .notConvertedToSRGB(let detail):
            "The photo's colour profile cannot be used (\(detail)), so the colours were not converted to sRGB."
        case .profileLeftOut:
            "The photo's colour profile does not fit the output and was left out, so tones may look different."
        case .profileDamaged:
            "The photo's colour profile is damaged and was left out, so colours may look different."
        case .furtherPicturesLeftOut(let pictures):
            "The \(Self.list(pictures)) after the photo \(pictures.isPlural ? "were" : "was") left out; "
                + "the output is the photo alone."
        case .gainMapLeftOut(let obstacle):
            "The HDR gain map after the photo was left out: \(obstacle)."
        case .previewInMakerNote:
            "The camera's maker note still has a preview of the unfiltered photo. \(Wording.stripMetadata.text)"
        case .extendedXMPLeftOut:
            "The photo's extended XMP (metadata beyond the size of one XMP packet) was left out."
        case .boxesLeftOut:
            "The photo's JUMBF boxes (such as Content Credentials) were left out; they belong to the original file."
        case .credentialsLinkLeftOut:
            "The link to the photo's Content Credentials was left out; they belong to the original file."
        case .segmentsWithImagesLeftOut(let names):
            "Segments with an image of the unfiltered photo were left out (\(Self.list(names)))."
        case .placesLeftOut(let places):
            "Places that the output does not show, or that could not be moved with it, were left out ("
                + PlaceInPhoto.allCases.filter(places.contains).map(\.rawValue).joined(separator: ", ") + ")."
        case .lateMetadataLeftOut:
            "Metadata after the beginning of the image was left out."
        case .damagedChunks(let names):
            "Metadata with a wrong checksum was left out (\(Self.list(names))); the pixels are sound."
        case .misplacedChunks(let names):
            "Repeated or misplaced metadata was ignored (\(Self.list(names)))."
        case .animationLeftOut(let count):
            "Only the still picture of an animation with \(count) frames was kept."
        case .bytesBehindEnd(let count):
            "\(count) bytes after the end of the photo were left out."
        case .textLeftOut(let keywords):
            "Text was left out because a JPEG has no place for it (\(Self.list(keywords))); a PNG keeps it."
        case .tooLargeForJPEG(let names):
            "Metadata was left out because it is too large for a JPEG (\(Self.list(names))); a PNG keeps it."
        case .segmentsLeftOut(let names):
            "Metadata was left out because a PNG has no place for it (\(Self.list(names)))."
        case .metadataLeftOut(let names, let format):
            "Metadata was left out because \(format.nameWithArticle) has no place for it (\(Self.list(names)))."
        case .transparencyLeftOut(let format):
            "What was transparent is white: \(format.nameWithArticle) has no transparency; a PNG keeps it."
        case .colourMeaningLost:
            "The colours may look different: a JPEG cannot hold what describes them (high dynamic range, or nothing known)."
        case .highDynamicRangeIn8Bits:
            "High dynamic range was written with 8 bits, so smooth areas may show bands; a PNG or JPEG XL keeps 16."
        case .imageEncodedAgain(let format):
            "The image was encoded again: \(format.nameWithArticle) cannot keep it as it is."
        case .smallPreview(let width, let height, let rawWidth, let rawHeight):
            "The largest JPEG in this RAW photo was taken: \(width)x\(height) pixels of \(rawWidth)x\(rawHeight)."
        case .harmlessDamage(let detail):
            "The file has a flaw that changes no pixels (\(detail))."
        }
    }

    private static func list(_ pictures: Set<FurtherPicture>) -> String {
        let names = FurtherPicture.allCases.filter(pictures.contains).map(\.rawValue)
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
    }

    /// Limits the names on a line: a file may have any number of them.
    private static func list(_ names: [String]) -> String {
        let shown = 6
        return names.prefix(shown).joined(separator: ", ")
            + (names.count > shown ? " and \(names.count - shown) more" : "")
    }
}

extension Set<FurtherPicture> {
    fileprivate var isPlural: Bool { count > 1 || contains(.picture) }
}
