import CJPEG
import Imaging

/// Memory that codecs need for a photo: upper estimates from its header.
///
/// They follow from the allocations of libpng 1.6, zlib 1.2 and libjpeg-turbo 2.1. `MemoryEstimateTests`
/// compares them with the tool's measured memory.
enum CodecMemory {
    /// Buffers of constant size, rounded up. A PNG: zlib's 268 KiB to deflate and 44 KiB to inflate, an IDAT chunk
    /// of 128 KiB. A JPEG: 256 KiB of its file, the core's 270 KiB of tables and bytes and 530 KiB of coefficients
    /// to decode, and 250 KiB to encode.
    static let buffersByteCount = 3 << 19
    /// A conversion to sRGB: 2 MiB of colours that are known already, or three curves of 65,536 values, and twice that while
    /// they are read; and LittleCMS's tables of the profile.
    static let conversionByteCount = 6 << 20
    /// What the core needs for each of several threads: segments' coefficients, and bytes ahead.
    static let threadByteCount = 3 << 20
    /// Copies of the bytes before the pixels: as read, as segments, and as written.
    static let metadataCopies = 3
}

extension PNGDecoder {
    /// libpng keeps the current and the previous row, in whole groups of eight pixels.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        2 * (bytesPerRow + bytesPerRow / width * 8 + 64) + (isInterlaced ? bytesPerRow * height : 0)
    }

    var reasonToHoldAll: String? { isInterlaced ? "an interlaced PNG" : nil }
}

extension JPEGDecoder {
    /// Coefficients, if there are several scans. For planes, the data of a row of MCUs, at most twice its
    /// samples, in a buffer and while that grows. If libjpeg converts the pixels, rows of blocks of each
    /// component with their neighbours, and the rows that these are upsampled to.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        let coefficients = header.has_multiple_scans ? header.coefficientByteCount : 0
        if case .yCbCr = layout {
            let row = StripShape(layout: layout, width: width, rowCapacity: 1).byteCount
            let threads = threadCount > 1 ? threadCount * CodecMemory.threadByteCount : 0
            return coefficients + 3 * row + threads
        }
        let components = Int(header.component_count)
        let tallest = header.componentList.map { Int($0.vertical_factor) }.max() ?? 1
        return coefficients + components * width.roundedUp(toMultipleOf: 32) * (8 + 4) * tallest
    }

    var reasonToHoldAll: String? { header.has_multiple_scans ? "a progressive JPEG" : nil }
}

extension PhotoWriter {
    /// The most bytes that a JPEG with Huffman codes of its own needs beside: the core's decoder, and data of the
    /// scratch file.
    package static let optimizingByteCount = 2 << 20

    /// The most bytes for writing, without the strips. A PNG needs the current and the previous row, and two
    /// to try filters on; a JPEG at most a row of blocks.
    package static func memoryByteCount(_ format: PhotoFormat, _ layout: PixelLayout, width: Int) -> Int {
        switch (format, layout) {
        case (.png, .interleaved(let channels, let depth)):
            4 * (width * channels.rawValue * depth.byteCount + 64)
        default: StripShape(layout: layout, width: width, rowCapacity: 1).byteCount
        }
    }
}
