import TintypeCodecs
import TintypeImaging
import TintypeMetadata

/// Netpbm's binary pixmaps of 8 bits: P6 is RGB, P5 is grey. They have no metadata.
///
/// No part of the package knows of this format: tests register it, and everything that a photo can meet must take it.
package struct PPMFormat: PhotoCodec {
    package let identifier = "ppm"
    package let name = "PPM"
    package let fileExtensions = ["ppm", "pnm"]
    package let mediaType = "image/x-portable-anymap"
    package let firstBytes = ["P5\n", "P5 ", "P6\n", "P6 "].map { BytePattern(Array($0.utf8)) }
    package let carries: Set<MetadataKind> = []

    package init() {}

    package func canWrite(_ layout: PixelLayout) -> Bool {
        [.interleaved(.grey, .eight), .interleaved(.rgb, .eight)].contains(layout)
    }

    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try PPMDecoder(input, limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try PPMEncoder(output, settings) }
}

private final class PPMDecoder: PhotoDecoder {
    let width: Int, height: Int, layout: PixelLayout
    let metadata = PhotoMetadata(), notes: [PhotoNote] = []
    private let input: ByteInput

    init(_ input: ByteInput, _ limits: DecodeLimits) throws(CodecError) {
        self.input = input
        let kind = try Self.word(input)
        (width, height) = (try Self.number(input), try Self.number(input))
        guard try Self.number(input) == 255 else { throw .unsupported(detail: "a PPM that has not 8 bits") }
        try limits.check(width: width, height: height)
        layout = .interleaved(kind == "P5" ? .grey : .rgb, .eight)
    }

    func memoryByteCount(decodingTo layout: PixelLayout) -> Int { 0 }
    func start(_ layout: PixelLayout) {}
    func finish() {}

    func readRows(_ count: Int, into strip: Strip) throws(CodecError) {
        for row in 0..<count {
            try Self.fill(strip.planes[0].row(row), width * layout.bytesPerPixel, input)
        }
    }

    private static func fill(
        _ target: UnsafeMutableRawPointer, _ byteCount: Int, _ input: ByteInput
    ) throws(CodecError) {
        var filled = 0
        while filled < byteCount {
            let count = input.read(into: target + filled, capacity: byteCount - filled)
            guard count > 0 else { throw count < 0 ? input.failure ?? .truncated : .truncated }
            filled += count
        }
    }

    /// Reads up to the white space after a word.
    private static func word(_ input: ByteInput) throws(CodecError) -> String {
        var word = "", byte: UInt8 = 0
        while true {
            try fill(&byte, 1, input)
            let character = Character(Unicode.Scalar(byte))
            guard !character.isWhitespace else { return word }
            word.append(character)
        }
    }

    private static func number(_ input: ByteInput) throws(CodecError) -> Int {
        guard let number = Int(try word(input)), number > 0 else { throw .corrupt(detail: "no number") }
        return number
    }
}

private final class PPMEncoder: PhotoEncoder {
    private let output: ByteOutput

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        self.output = output
        let size = settings.geometry, kind = settings.layout.hasColour ? "P6" : "P5"
        try output.writeAll(Array("\(kind)\n\(size.width) \(size.height)\n255\n".utf8))
    }

    func write(_ strip: Strip) throws(CodecError) {
        let plane = strip.planes[0], byteCount = strip.width * strip.layout.bytesPerPixel
        for row in 0..<strip.rowCount {
            try output.writeAll([UInt8](UnsafeRawBufferPointer(start: plane.row(row), count: byteCount)))
        }
    }

    func finish() {}

}
