import TintypeImaging

/// Memory that codecs need for a photo: upper estimates from its header.
///
/// They follow from the allocations of libpng 1.6, zlib 1.2, PNGCore and libjpeg-turbo 2.1. `MemoryTests`
/// compares them with the tool's measured memory.
enum CodecMemory {
    /// Buffers of constant size, rounded up. A PNG: 44 KiB to inflate, 700 KiB to deflate. A JPEG: 256 KiB of its file, the
    /// core's 270 KiB of tables and bytes and 530 KiB of coefficients to decode, and 250 KiB to encode.
    static let buffersByteCount = 3 << 19
    /// A conversion to sRGB: 2 MiB of colours that are known already, or three curves of 65,536 values, and twice that while
    /// they are read; and LittleCMS's tables of the profile.
    static let conversionByteCount = 6 << 20
    /// What the core needs for each of several threads: segments' coefficients, and bytes ahead.
    static let threadByteCount = 3 << 20
    /// Copies of the bytes before the pixels: as read, as segments, and as written.
    static let metadataCopies = 3
}

extension PhotoWriter {
    /// The most bytes that a JPEG with Huffman codes of its own needs beside: the core's decoder, and data of the
    /// scratch file.
    package static let optimizingByteCount = 2 << 20

    /// The most bytes for writing, without the strips.
    package static func memoryByteCount(
        _ format: PhotoFormat, _ layout: PixelLayout, _ geometry: PhotoGeometry
    ) -> Int { format.codec.memoryByteCount(encoding: layout, geometry) }
}
