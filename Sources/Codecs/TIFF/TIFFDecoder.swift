import CTintypeIsolation
import CTintypeTIFF
import TintypeImaging
import TintypeMetadata

/// Decodes the first image of a TIFF. libtiff decodes it as a whole, in a process of its own.
final class TIFFDecoder: HeldFileDecoder {
    let width: Int
    let height: Int
    let layout: PixelLayout
    let metadata: PhotoMetadata
    let reasonToHoldAll: String? = "a TIFF"

    private let head: TIFFHead
    var isCopied = false
    /// Empty once the image is decoded.
    private(set) var file: [UInt8]
    let heldFileByteCount: Int
    private let byteCount: Int
    let limits: DecodeLimits
    private var heldImage: HeldImage?
    private(set) lazy var inkConversion = SRGBConversion(inks: metadata.icc)
    /// Memory that decoding took beside the file, in libtiff's process. Tests compare it with the estimate.
    private(set) var takenByteCount = 0

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        self.limits = limits
        file = try input.wholeFile(of: "a TIFF", limits: limits)
        head = try TIFFHead(file, limits: limits)
        width = Int(head.values.image.width)
        height = Int(head.values.image.height)
        try limits.check(width: width, height: height)
        heldFileByteCount = file.count
        byteCount = file.count + Self.byteCount(head)
        try limits.check(memory: byteCount, because: "a TIFF")
        layout = head.values.image.has_inks ? .interleaved(.rgb, .eight) : head.layout
        metadata = head.metadata(file, limits: limits)
    }

    /// The samples, and libtiff's buffers: a strip or tile, and what all is converted to.
    private static func byteCount(_ head: TIFFHead) -> Int {
        let image = head.values.image, pixels = Int(image.width) * Int(image.height)
        let samples = pixels * (head.layout.bytesPerPixel + (image.is_converted ? 4 : 0))
        let blocks = min(Int(clamping: head.values.block_byte_count), .max / 4)
        return samples + blocks * (image.is_converted ? 2 : 1) + 8 << 20
    }

    var notes: [PhotoNote] {
        isCopied || head.values.page_count <= 1 ? [] : [.furtherPicturesLeftOut([.picture])]
    }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int { byteCount }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(layout == self.layout, "the layout must be the file's")
        guard
            let pixels = ctiff_pixels_read(
                file, file.count, head.pointer, limits.toleratesDamage, byteCount),
            let rows = ctiff_pixels_rows(pixels)
        else { throw .outOfMemory }
        let image = HeldImage(
            rows: rows, bytesPerRow: width * head.layout.bytesPerPixel,
            release: { ctiff_pixels_destroy(pixels) })
        takenByteCount = pixels.pointee.taken_bytes
        guard pixels.pointee.answer.status == CISOLATION_STATUS_OK else {
            throw IsolatedLibrary.tiff.readError(
                pixels.pointee.answer, .tiff, fileIsWhole: true, limits: limits)
        }
        heldImage = image
        file = []
    }

    func readRows(_ count: Int, into strip: Strip) {
        guard let heldImage else { preconditionFailure("not started") }
        guard head.values.image.has_inks else { return heldImage.read(count, into: strip) }
        for row in 0..<count {
            convert(heldImage.nextRow(), toRGB: strip.planes[0].row(row))
        }
    }

    func finish() { heldImage = nil }
}

extension TIFFDecoder: InkedImage {
    var inks: (any InkedImage)? { head.values.image.has_inks ? self : nil }
}
