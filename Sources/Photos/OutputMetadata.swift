import TintypeCodecs
import TintypeFilters
import TintypeImaging

/// An output's metadata, and notes for the user about what it loses.
struct OutputMetadata {
    private(set) var metadata: PhotoMetadata
    /// The gain map that the metadata tell of; nil for none.
    private(set) var gainMap: OutputGainMap?
    private(set) var notes: [PhotoNote] = []

    /// For a photo that is encoded again.
    ///
    /// - Parameters:
    ///   - source: the photo's metadata, as far as the output's format can hold it.
    ///   - changesPixels: whether a filter or a new size changes the pixels.
    ///   - frame: of the output, over the photo's.
    ///   - layout: of the output.
    ///   - gainMap: what became of the photo's gain map.
    init(
        of reader: PhotoReader, saying source: PhotoMetadata, _ recipe: Recipe, changesPixels: Bool,
        frame: FrameChange, layout: PixelLayout, _ gainMap: OutputGainMap.Outcome
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

        take(gainMap, of: reader)
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
    init(stripping reader: PhotoReader, _ gainMap: OutputGainMap.Outcome) {
        metadata = reader.metadata.stripped()
        take(gainMap, of: reader)
        noteDamagedProfile(of: reader)
    }

    private mutating func noteDamagedProfile(of reader: PhotoReader) {
        if reader.hasDamagedProfile { notes.append(.profileDamaged) }
    }

    /// Tells of the gain map, and notes what is left out of the pictures behind the photo.
    private mutating func take(_ outcome: OutputGainMap.Outcome, of reader: PhotoReader) {
        var pictures = reader.metadata.furtherPictures(hasGainMap: outcome.hasMap)
        if outcome.hasMap { pictures.remove(.gainMap) }
        switch outcome {
        case .none: break
        case .kept(let map):
            let byteCount = map.file.count
            // A segment is enough for readers of the standard.
            if let told = metadata.telling(of: map.mention, byteCount: byteCount)
                ?? (map.mention.isInSegment ? metadata.telling(of: .inSegment, byteCount: byteCount) : nil)
            {
                metadata = told
                gainMap = map
            } else {
                notes.append(.gainMapLeftOut(.xmp))
            }
        case .leftOut(let obstacle):
            notes.append(.gainMapLeftOut(obstacle))
        }
        // A PNG has none, even if XMP from an original JPEG mentions some.
        if !pictures.isEmpty, reader.format.carries(.furtherPictures) {
            notes.append(.furtherPicturesLeftOut(pictures))
        }
    }
}
