import CJPEG
import Imaging

/// What codecs take of memory while a photo passes through: upper estimates, told by its header.
///
/// They follow from what libpng 1.6, zlib 1.2 and libjpeg-turbo 2.1 allocate; `MemoryEstimateTests` holds them
/// against what the tool is measured to take.
enum CodecMemory {
    /// Buffers whose size is always the same: zlib's 268 KiB to deflate and 44 KiB to inflate, an IDAT chunk of 128
    /// KiB, 192 KiB of the file that is read, 64 KiB of a JPEG that is written; rounded up.
    static let buffersByteCount = 1 << 20
    /// How often the bytes before the pixels are in memory: as read, as segments, and as the output gets them.
    static let metadataCopies = 3
}

extension PNGDecoder {
    /// libpng holds a row and the one before, of whole groups of eight pixels.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        2 * (bytesPerRow + bytesPerRow / width * 8 + 64) + (isInterlaced ? bytesPerRow * height : 0)
    }

    var reasonToHoldAll: String? { isInterlaced ? "an interlaced PNG" : nil }
}

extension JPEGDecoder {
    /// Coefficients where there are several scans. Where libjpeg makes rows of pixels itself: a row of blocks and its
    /// neighbours of each component, and the rows that these are widened to.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        let coefficients = header.hasMultipleScans ? header.coefficientByteCount : 0
        if case .yCbCr = layout { return coefficients }
        let components = Int(header.componentCount)
        let tallest = header.componentList.map { Int($0.verticalFactor) }.max() ?? 1
        return coefficients + components * width.roundedUp(toMultipleOf: 32) * (8 + 4) * tallest
    }

    var reasonToHoldAll: String? { header.hasMultipleScans ? "a progressive JPEG" : nil }
}

extension PhotoWriter {
    /// The most bytes that writing takes, without the strips: a PNG's row, the one before, and two on which filters
    /// are tried; of a JPEG a row of blocks at most.
    package static func memoryByteCount(_ format: PhotoFormat, _ layout: PixelLayout, width: Int) -> Int {
        switch (format, layout) {
        case (.png, .interleaved(let channels, let depth)):
            4 * (width * channels.rawValue * depth.byteCount + 64)
        default: StripShape(layout: layout, width: width, rowCapacity: 1).byteCount
        }
    }
}
