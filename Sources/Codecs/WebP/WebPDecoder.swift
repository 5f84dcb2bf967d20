import CTintypeWebP
import Glibc
import TintypeImaging
import TintypeMetadata

/// Decodes one WebP, of an animation the first frame. libwebp decodes the image as a whole.
final class WebPDecoder: PhotoDecoder {
    let layout: PixelLayout
    var width: Int { scan.geometry.width }
    var height: Int { scan.geometry.height }
    var metadata: PhotoMetadata { scan.metadata }

    private let scan: WebPChunkScan
    private let input: ByteInput
    private let toleratesDamage: Bool
    private var heldImage: HeldImage?
    /// The file up to the end of the image, as long as a copier needs it.
    private var file: [UInt8] = []
    private var copier: WebPCopier?
    private var copiesWholeFile = false

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        scan = try WebPChunkScan(input, limits: limits)
        layout = .interleaved(scan.hasAlpha ? .rgba : .rgb, .eight)
        self.input = input
        toleratesDamage = limits.toleratesDamage
        try limits.check(memory: memoryByteCount(decodingTo: layout), because: "a WebP")
    }

    private var bytesPerRow: Int { width * layout.bytesPerPixel }

    var notes: [PhotoNote] {
        var notes: [PhotoNote] = []
        if scan.frameCount > 0 { notes.append(.animationLeftOut(frameCount: scan.frameCount)) }
        if scan.byteCountBehindEnd > 0 { notes.append(.bytesBehindEnd(count: scan.byteCountBehindEnd)) }
        return notes
    }

    var isLossless: Bool { scan.image.isLossless }
    var reasonToHoldAll: String? { "a WebP" }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        WebPMemory.byteCount(
            decoding: scan.geometry, to: layout, isLossless: scan.image.isLossless,
            fileByteCount: scan.image.bytes.upperBound)
    }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(layout == self.layout, "the layout must be the file's")
        try readImage()
        // What a frame or a damaged image leaves free is transparent, or black.
        let image = try HeldImage(height: height, bytesPerRow: bytesPerRow)
        heldImage = image
        try decode(into: image.rows)
        if copier == nil { file = [] }
    }

    private func readImage() throws(CodecError) {
        let wanted = scan.image.bytes.upperBound
        file = [UInt8](repeating: 0, count: wanted)
        var filled = 0
        while filled < wanted {
            let count = file.withUnsafeMutableBytes { bytes in
                input.read(into: bytes.baseAddress! + filled, capacity: wanted - filled)
            }
            if count < 0 { throw input.failure ?? .readFailed(.ioError) }
            if count == 0 { break }
            filled += count
        }
        file.removeLast(wanted - filled)
    }

    private func decode(into pixels: UnsafeMutablePointer<UInt8>) throws(CodecError) {
        let offset = scan.image.origin.y * bytesPerRow + scan.image.origin.x * layout.bytesPerPixel
        var rows: Int32 = 0
        let status = file.dropFirst(scan.image.bytes.lowerBound).withUnsafeBufferPointer { data in
            cwebp_decode(
                data.baseAddress, data.count, layout.hasAlpha, pixels + offset, bytesPerRow,
                Int32(scan.image.geometry.width), Int32(scan.image.geometry.height), &rows)
        }
        guard status != CWEBP_STATUS_OK else { return }
        let error = CodecError(status)
        guard toleratesDamage, error.isDamage else { throw error }
        // Rows that are not complete may have been begun. A frame may end before its last row does.
        let begun = min(offset + Int(rows) * bytesPerRow, height * bytesPerRow)
        memset(pixels + begun, 0, height * bytesPerRow - begun)
    }

    func readRows(_ count: Int, into strip: Strip) {
        guard let heldImage else { preconditionFailure("not started") }
        heldImage.read(count, into: strip)
    }

    func finish() throws(CodecError) {
        heldImage = nil
        if scan.isCutOff, !toleratesDamage { throw .truncated }
        if copiesWholeFile { try input.passOnRest() }
        copier?.image = file.dropFirst(scan.image.bytes.lowerBound)
    }
}

extension WebPDecoder: CodedImage {
    /// An animation is not what was decoded.
    var coded: (any CodedImage)? { scan.frameCount == 0 && !toleratesDamage ? self : nil }

    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder {
        guard let metadata else {
            copiesWholeFile = true
            input.onRead = { (bytes) throws(CodecError) in try output.writeAll(bytes) }
            return WebPCopier(nil, output)
        }
        let copier = WebPCopier(
            WebPFile(geometry: scan.geometry, hasAlpha: scan.hasAlpha, metadata: metadata), output)
        self.copier = copier
        return copier
    }
}

/// Writes a WebP whose pixels did not change, with other metadata.
private final class WebPCopier: PhotoEncoder {
    /// Set once all of it is decoded.
    var image: ArraySlice<UInt8> = []
    /// Nil if the decoder writes the whole file.
    private let file: WebPFile?
    private let output: ByteOutput

    init(_ file: WebPFile?, _ output: ByteOutput) { (self.file, self.output) = (file, output) }

    func write(_ strip: Strip) {}
    func finish() throws(CodecError) { try file?.write(image, to: output) }
}

extension CodecError {
    init(_ status: cwebp_status, callback: CodecError? = nil) {
        self =
            switch status {
            case CWEBP_STATUS_TRUNCATED: .truncated
            case CWEBP_STATUS_NO_LIBRARY: .needsLibrary(format: .webp, package: "libwebp7")
            case CWEBP_STATUS_OUT_OF_MEMORY: .outOfMemory
            case CWEBP_STATUS_TOO_LARGE: .unsupported(detail: "more bytes than a WebP has space for")
            case CWEBP_STATUS_CALLBACK_FAILED: callback ?? .writeFailed(.ioError)
            default: .corrupt(detail: "libwebp cannot decode it")
            }
    }
}
