import TintypeImaging
import TintypeMetadata

/// Decodes the largest JPEG in a RAW photo's file, with what the file says of the photo.
final class RAWDecoder: PhotoDecoder {
    let metadata: PhotoMetadata
    let grantedByteCount: Int
    private let note: PhotoNote?
    private let preview: JPEGDecoder

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let kind = PhotoFormat.raw.nameWithArticle
        let file = try RAWFile(input, limits: limits)
        let contents = try RAWContents(of: file, limits: limits)
        guard let best = try RAWPreview.largest(of: contents.candidates, in: file) else {
            throw .unsupported(detail: "\(kind) without a JPEG inside")
        }
        grantedByteCount = file.heldByteCount + best.range.count
        try limits.check(memory: grantedByteCount, because: kind)
        preview = try JPEGDecoder(ByteInput(bytes: file.bytes(best.range)), limits: limits)
        metadata = Self.metadata(contents, preview, colourSpace: best.colourSpace)
        note = Self.note(contents.size, preview)
    }

    var notes: [PhotoNote] { (note.map { [$0] } ?? []) + preview.notes }

    /// The file's description of the photo, with the preview's profile; or all that the preview has.
    private static func metadata(
        _ contents: RAWContents, _ preview: JPEGDecoder, colourSpace: Int?
    ) -> PhotoMetadata {
        let own = preview.metadata
        let isDescribed = contents.items.contains { if case .exif = $0 { true } else { false } }
        guard isDescribed, !(contents.previewHasEXIF && own.exif != nil) else { return own }
        let geometry = PhotoGeometry(
            width: preview.width, height: preview.height, orientation: .up)
        var metadata = PhotoMetadata(items: contents.items, density: own.density)
            .resized(to: geometry, isWhole: true)
        if let profile = own.icc { metadata.items.append(.icc(profile)) }
        if colourSpace == RAWPreview.sRGB, metadata.icc == nil, metadata.exif?.saysAdobeRGB == true {
            return metadata.convertedToSRGB()
        }
        return preview.layout.hasColour && preview.inks == nil ? metadata.withProfileOfAdobeRGB() : metadata
    }

    /// Cameras cut some pixels off, so a preview of nearly that size is a whole one.
    private static func note(_ size: (width: Int, height: Int)?, _ preview: JPEGDecoder) -> PhotoNote? {
        guard let size else { return nil }
        let long = max(size.width, size.height), shown = max(preview.width, preview.height)
        guard shown * 10 < long * 9 else { return nil }
        return .smallPreview(
            width: preview.width, height: preview.height, rawWidth: size.width, rawHeight: size.height)
    }
}

// MARK: The preview's decoder

extension RAWDecoder {
    var width: Int { preview.width }
    var height: Int { preview.height }
    var layout: PixelLayout { preview.layout }

    func start(_ layout: PixelLayout) throws(CodecError) { try preview.start(layout) }
    func readRows(_ count: Int, into strip: Strip) throws(CodecError) {
        try preview.readRows(count, into: strip)
    }
    func finish() throws(CodecError) { try preview.finish() }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        grantedByteCount + preview.memoryByteCount(decodingTo: layout)
    }

    func canDecode(to layout: PixelLayout) -> Bool { preview.canDecode(to: layout) }
    var reductions: [Int] { preview.reductions }
    func reduce(by divisor: Int) { preview.reduce(by: divisor) }
    func use(_ helpers: any DecodingHelpers) { preview.use(helpers) }
    var compressed: (any CompressedPhoto)? { preview.compressed }
    var reasonToDecodeHere: String? { preview.reasonToDecodeHere }
    var inks: (any InkedImage)? { preview.inks }
    var jpegCoding: JPEGCoding? { preview.jpegCoding }
    var isCommonJPEG: Bool { preview.isCommonJPEG }
    var reasonToHoldAll: String? { preview.reasonToHoldAll }
    var hasDamagedProfile: Bool { preview.hasDamagedProfile }
    var hasLateMetadata: Bool { preview.hasLateMetadata }
}

extension RAWDecoder: CodedImage {
    var coded: (any CodedImage)? { self }
    /// A copy is the preview, with the RAW photo's metadata.
    var codedFormat: PhotoFormat? { .jpeg }

    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder {
        try preview.makeCopier(output, replacing: metadata ?? self.metadata)
    }
}
