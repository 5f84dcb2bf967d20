import TintypeCodecs
import TintypeFilters
import TintypeImaging

/// An output's metadata, and notes for the user about what it loses.
struct OutputMetadata {
    let metadata: PhotoMetadata
    private(set) var notes: [PhotoNote] = []

    /// For a photo that is encoded again.
    ///
    /// - Parameters:
    ///   - source: the photo's metadata, as far as the output's format can hold it.
    ///   - changesPixels: whether a filter or a new size changes the pixels.
    ///   - frame: of the output, over the photo's.
    ///   - layout: of the output.
    init(
        of reader: PhotoReader, saying source: PhotoMetadata, _ recipe: Recipe, changesPixels: Bool,
        frame: FrameChange, layout: PixelLayout
    ) {
        var metadata = source.withoutFurtherPictures().withoutBoxes().withoutLinkToCredentials()
        var lostPlaces: Set<PlaceInPhoto> = []
        if !recipe.outputFormat(for: reader.format).carries(.extendedXMP) {
            metadata = metadata.withoutExtendedXMP()
        }
        if changesPixels {
            metadata = metadata.forFilteredPixels().withoutThumbnailsInRawProfiles(limits: reader.limits)
        }
        if !frame.isIdentity {
            (metadata, lostPlaces) = metadata.moved(by: frame, limits: reader.limits)
        }
        self.metadata = metadata

        noteFurtherPictures(of: reader)
        if !recipe.stripsMetadata, source.hasExtendedXMP, !metadata.hasExtendedXMP {
            notes.append(.extendedXMPLeftOut)
        }
        if source.hasBoxes, !metadata.hasBoxes { notes.append(.boxesLeftOut) }
        if source.hasLinkToCredentials { notes.append(.credentialsLinkLeftOut) }
        if !lostPlaces.isEmpty { notes.append(.placesLeftOut(lostPlaces)) }
        let images = changesPixels ? source.segmentsWithImages : []
        if !images.isEmpty { notes.append(.segmentsWithImagesLeftOut(names: images)) }
        if changesPixels, metadata.exif?.hasPreviewInMakerNote == true { notes.append(.previewInMakerNote) }
        let losesProfile = metadata.icc.map { $0.matching(colour: layout.hasColour) == nil }
        if losesProfile ?? !reader.profileFits {
            notes.append(reader.hasInks && reader.profileFits ? .cmykProfileNotUsed : .profileLeftOut)
        }
        noteDamagedProfile(of: reader)
    }

    /// For a photo that is copied without its metadata.
    init(stripping reader: PhotoReader) {
        metadata = reader.metadata.stripped()
        noteFurtherPictures(of: reader)
        noteDamagedProfile(of: reader)
    }

    private mutating func noteDamagedProfile(of reader: PhotoReader) {
        if reader.hasDamagedProfile { notes.append(.profileDamaged) }
    }

    private mutating func noteFurtherPictures(of reader: PhotoReader) {
        // A PNG has none, even if XMP from an original JPEG mentions some.
        guard reader.format.carries(.furtherPictures) else { return }
        let pictures = reader.metadata.furtherPictures
        if !pictures.isEmpty { notes.append(.furtherPicturesLeftOut(pictures)) }
    }
}
