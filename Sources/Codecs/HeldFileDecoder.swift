import TintypeImaging
import TintypeMetadata

/// A decoder that holds its file until the image is decoded, and so can copy it, but without a change.
protocol HeldFileDecoder: PhotoDecoder, CodedImage {
    var file: [UInt8] { get }
    var limits: DecodeLimits { get }
    /// Whether the output is the file. What it has beside the photo is not left out then.
    var isCopied: Bool { get set }
}

extension HeldFileDecoder {
    var coded: (any CodedImage)? { limits.toleratesDamage ? nil : self }
    var canReplaceMetadata: Bool { false }

    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder {
        precondition(metadata == nil, "the metadata stay as they are")
        isCopied = true
        return HeldFileCopier(file, output)
    }
}

/// Writes a file that did not change, once its image is decoded.
private final class HeldFileCopier: PhotoEncoder {
    private let file: [UInt8]
    private let output: ByteOutput

    init(_ file: [UInt8], _ output: ByteOutput) { (self.file, self.output) = (file, output) }

    func write(_ strip: Strip) {}
    func finish() throws(CodecError) { try output.writeAll(file) }
}
