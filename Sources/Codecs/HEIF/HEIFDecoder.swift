import CTintypeIsolation
import CTintypeHEIF
import TintypeImaging
import TintypeMetadata

/// Decodes the primary image of a HEIC or AVIF. libheif decodes it as a whole, turned and cropped as the file says, in a process of
/// its own.
final class HEIFDecoder: HeldFileDecoder {
    let width: Int
    let height: Int
    let layout: PixelLayout
    let metadata: PhotoMetadata
    let colourMeaning: ColourMeaning
    let reasonToHoldAll: String?

    private let head: HEIFHead
    /// Empty once the image is decoded.
    private(set) var file: [UInt8]
    private let byteCount: Int
    private let format: PhotoFormat
    let limits: DecodeLimits
    var isCopied = false
    private var heldImage: HeldImage?
    /// Memory that decoding took beside the file, in libheif's process. Tests compare it with the estimate.
    private(set) var takenByteCount = 0

    init(_ input: ByteInput, _ format: HEIFFormat, limits: DecodeLimits) throws(CodecError) {
        reasonToHoldAll = format.nameWithArticle
        self.format = PhotoFormat(format)
        self.limits = limits
        file = try input.wholeFile(of: format.nameWithArticle, limits: limits)
        head = try HEIFHead(file, of: format, limits: limits)
        width = Int(head.values.width)
        height = Int(head.values.height)
        try limits.check(width: width, height: height)
        let isDeep = head.values.bit_depth > 8
        byteCount = file.count + width * height * Self.heldSamples(file, format) * (isDeep ? 2 : 1) + 8 << 20
        try limits.check(memory: byteCount, because: format.nameWithArticle)
        layout = .interleaved(head.values.has_alpha ? .rgba : .rgb, isDeep ? .sixteen : .eight)
        metadata = head.metadata()
        colourMeaning = format.colour(head.profile == nil ? head.codes : nil)
    }

    /// A file that calls itself a HEIF first may have AV1 inside, as its further brands say.
    private static func heldSamples(_ file: [UInt8], _ format: HEIFFormat) -> Int {
        let brands = String(decoding: file.prefix(64), as: Unicode.ASCII.self)
        return brands.contains("avif") ? HEIFFormat.mostHeldSamples : format.heldSamples
    }

    var notes: [PhotoNote] {
        isCopied || head.furtherPictures.isEmpty ? [] : [.furtherPicturesLeftOut(head.furtherPictures)]
    }

    /// Green, blue and red as planes make larger files, so only encoders without loss choose them.
    var isLossless: Bool { head.values.has_codes && head.values.matrix == 0 }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int { byteCount }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(layout == self.layout, "the layout must be the file's")
        guard
            let pixels = cheif_pixels_read(file, file.count, head.pointer, limits.toleratesDamage, byteCount),
            let rows = cheif_pixels_rows(pixels)
        else { throw .outOfMemory }
        let image = HeldImage(
            rows: rows, bytesPerRow: width * layout.bytesPerPixel, release: { cheif_pixels_destroy(pixels) })
        takenByteCount = pixels.pointee.taken_bytes
        guard pixels.pointee.answer.status == CISOLATION_STATUS_OK else {
            throw IsolatedLibrary.heif.readError(
                pixels.pointee.answer, format, fileIsWhole: !cheif_ends_within_a_box(file, file.count),
                limits: limits)
        }
        heldImage = image
        file = []
    }

    func readRows(_ count: Int, into strip: Strip) {
        guard let heldImage else { preconditionFailure("not started") }
        heldImage.read(count, into: strip)
    }

    func finish() { heldImage = nil }
}
