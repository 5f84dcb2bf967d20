import TintypeImaging
import TintypeMetadata

/// Decodes the largest JPEG in a RAW photo's file, with what the file says of the photo.
final class RAWDecoder: PhotoDecoder {
    let metadata: PhotoMetadata
    let grantedByteCount: Int
    private let ownNotes: [PhotoNote]
    private let preview: JPEGDecoder
    /// Whether the metadata are those of the preview.
    private let isDescribedByPreview: Bool

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let kind = PhotoFormat.raw.nameWithArticle
        let file = try RAWFile(input, limits: limits)
        let contents = try RAWContents(of: file, limits: limits)
        guard let best = try RAWPreview.largest(of: contents.candidates, in: file) else {
            throw contents.endsBeforeJPEG ? .truncated : .unsupported(detail: "\(kind) without a JPEG inside")
        }
        let heldByteCount = file.heldByteCount + best.range.count
        try limits.check(memory: heldByteCount, because: kind)
        let (preview, headByteCount) = try RAWPreview.decoder(of: file.bytes(best.range), limits: limits)
        self.preview = preview
        grantedByteCount = heldByteCount + CodecMemory.metadataCopies * headByteCount
        isDescribedByPreview = contents.isDescribed(by: preview)
        let sizeNote = Self.note(contents.size, preview)
        // A larger JPEG may have been where the file ends.
        if contents.endsBeforeJPEG, !limits.toleratesDamage, contents.size == nil || sizeNote != nil {
            throw .truncated
        }
        let description = RAWDescription(
            of: contents, preview, colourSpace: best.colourSpace, limits: limits)
        metadata = description.metadata
        ownNotes = (sizeNote.map { [$0] } ?? []) + description.notes
    }

    var notes: [PhotoNote] { ownNotes + preview.notes }

    /// Cameras cut some pixels off, so a preview of nearly that size is a whole one.
    private static func note(_ size: (width: Int, height: Int)?, _ preview: JPEGDecoder) -> PhotoNote? {
        guard let size, preview.width * preview.height * 5 < size.width * size.height * 4 else { return nil }
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
    func use(_ helpers: any CodecHelpers) { preview.use(helpers) }
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
        try preview.makeCopier(
            output, replacing: metadata ?? (isDescribedByPreview ? nil : self.metadata))
    }
}
