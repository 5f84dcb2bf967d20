import CTintypeIsolation
import TintypeImaging
import TintypeMetadata

/// Decodes an image that a library decodes as a whole, in a process of its own. It holds the file until then, and so can copy it, but
/// without a change.
final class IsolatedDecoder<Head: IsolatedHead>: PhotoDecoder {
    let width: Int
    let height: Int
    let layout: PixelLayout
    let metadata: PhotoMetadata
    let reasonToHoldAll: String?

    private let format: PhotoFormat
    private let head: Head
    private let limits: DecodeLimits
    /// Empty once the image is decoded.
    private var file: [UInt8]
    let grantedByteCount: Int
    private let byteCount: Int
    /// Whether the output is the file. What it has beside the photo is not left out then.
    private var isCopied = false
    private var heldImage: HeldImage?
    private(set) lazy var inkConversion = SRGBConversion(inks: metadata.icc)
    /// Memory that decoding took beside the file, in the library's process. Tests compare it with the estimate.
    private(set) var takenByteCount = 0

    init(
        _ input: ByteInput, _ format: PhotoFormat, limits: DecodeLimits,
        readHead: (_ file: [UInt8]) throws(CodecError) -> Head
    ) throws(CodecError) {
        self.format = format
        self.limits = limits
        reasonToHoldAll = format.nameWithArticle
        file = try input.wholeFile(of: format.nameWithArticle, limits: limits)
        head = try readHead(file)
        width = Int(head.values.common.width)
        height = Int(head.values.common.height)
        try limits.check(width: width, height: height)
        byteCount = file.count + head.memoryByteCount
        try limits.check(memory: byteCount, because: format.nameWithArticle)
        grantedByteCount = file.count + head.grantedByteCount
        layout = head.hasInks ? .interleaved(.rgb, .eight) : head.values.layout
        metadata = head.metadata
    }

    var notes: [PhotoNote] {
        head.notes
            + (isCopied || head.furtherPictures.isEmpty
                ? [] : [.furtherPicturesLeftOut(head.furtherPictures)])
    }

    var isLossless: Bool { head.isLossless }
    var colourMeaning: ColourMeaning { head.colourMeaning }

    func readGainMap() throws(CodecError) -> GainMap? {
        try head.readGainMap(of: file, limits: limits)
    }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int { byteCount }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(layout == self.layout, "the layout must be the file's")
        let library = Head.library
        let pixels = file.withUnsafeBufferPointer { file in
            cisolation_pixels_read(
                library.codec(), cisolation_file(bytes: file.baseAddress, byte_count: file.count),
                head.values.pointer, limits.toleratesDamage, byteCount)
        }
        guard let pixels, let rows = cisolation_pixels_rows(pixels) else { throw .outOfMemory }
        let image = HeldImage(
            rows: rows, bytesPerRow: width * head.values.layout.bytesPerPixel,
            release: { cisolation_pixels_destroy(pixels) })
        takenByteCount = pixels.pointee.taken_bytes
        guard pixels.pointee.answer.status == CISOLATION_STATUS_OK else {
            throw library.readError(
                pixels.pointee.answer, format, fileIsWhole: head.fileIsWhole, limits: limits)
        }
        heldImage = image
        file = []
    }

    func readRows(_ count: Int, into strip: Strip) {
        guard let heldImage else { preconditionFailure("not started") }
        guard head.hasInks else { return heldImage.read(count, into: strip) }
        for row in 0..<count {
            convert(heldImage.nextRow(), toRGB: strip.planes[0].row(row))
        }
    }

    func finish() { heldImage = nil }
}

extension IsolatedDecoder: InkedImage {
    var inks: (any InkedImage)? { head.hasInks ? self : nil }
}

extension IsolatedDecoder: CodedImage {
    var coded: (any CodedImage)? { limits.toleratesDamage ? nil : self }
    var canReplaceMetadata: Bool { false }

    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder {
        precondition(metadata == nil, "the metadata stay as they are")
        isCopied = true
        return HeldFileCopier(file, output)
    }

    var inner: InnerFile? { head.inner }

    func makeInnerCopier(_ output: ByteOutput) -> any PhotoEncoder {
        head.makeInnerCopier(output, of: file)
    }
}
