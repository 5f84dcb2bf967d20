import TintypeImaging
import TintypeMetadata

/// What describes a RAW photo, in the form of a JPEG's metadata.
struct RAWDescription {
    let metadata: PhotoMetadata
    /// What a JPEG's segments cannot hold.
    let notes: [PhotoNote]

    /// That of the preview: the file's, with the preview's profile; or all that the preview has.
    init(
        of contents: RAWContents, _ preview: JPEGDecoder, colourSpace: Int?, limits: DecodeLimits
    ) {
        guard !contents.isDescribed(by: preview) else {
            self.init(metadata: preview.metadata, notes: [])
            return
        }
        let geometry = PhotoGeometry(width: preview.width, height: preview.height)
        var own = PhotoMetadata(items: contents.items, density: preview.metadata.density)
            .resized(to: geometry, isWhole: true)
        if let profile = preview.metadata.icc {
            own.items.append(.icc(profile))
        } else if preview.layout.hasColour, preview.inks == nil {
            switch colourSpace {
            case RAWPreview.sRGB: if own.exif?.saysAdobeRGB == true { own = own.convertedToSRGB() }
            case RAWPreview.adobeRGB: own.items.append(.icc(.adobeRGB))
            default: own = own.withProfileOfAdobeRGB()
            }
        }
        self.init(own, limits: limits)
    }

    /// That of the developed photo, which is upright, and in sRGB.
    ///
    /// - Parameter preview: the JPEG inside; nil if there is none, or if it cannot have the description.
    init(
        ofDeveloped contents: RAWContents, _ preview: JPEGDecoder?, _ geometry: PhotoGeometry,
        limits: DecodeLimits
    ) {
        let items = preview.flatMap { contents.isDescribed(by: $0) ? $0.metadata.items : nil }
        // Previews, the profile and the orientation are those of the camera's JPEG.
        let own = PhotoMetadata(items: items ?? contents.items).withoutFurtherPictures().forFilteredPixels()
        self.init(own.resized(to: geometry, isWhole: true).convertedToSRGB().upright(), limits: limits)
    }

    private init(_ own: PhotoMetadata, limits: DecodeLimits) {
        let codec = PhotoFormat.jpeg.codec
        let (fitting, losses) = codec.metadata(
            from: codec.neutral(own, limits: limits), hasColour: true, limits: limits)
        self.init(metadata: fitting, notes: losses)
    }

    private init(metadata: PhotoMetadata, notes: [PhotoNote]) {
        (self.metadata, self.notes) = (metadata, notes)
    }
}

extension RAWContents {
    /// Whether a preview may have the photo's description.
    var mayBeDescribedByPreview: Bool { !isDescribed || previewHasEXIF }

    /// Whether the preview has it.
    func isDescribed(by preview: JPEGDecoder) -> Bool {
        mayBeDescribedByPreview && (!isDescribed || preview.metadata.exif != nil)
    }
}
