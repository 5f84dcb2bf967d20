import TintypeImaging

/// Writes a file that did not change, once its image is decoded.
final class HeldFileCopier: PhotoEncoder {
    private let file: [UInt8]
    private let output: ByteOutput

    init(_ file: [UInt8], _ output: ByteOutput) { (self.file, self.output) = (file, output) }

    func write(_ strip: Strip) {}
    func finish() throws(CodecError) { try output.writeAll(file) }
}
