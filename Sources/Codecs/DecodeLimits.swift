import TintypeImaging
import TintypeMetadata

/// Limits for a photo's cost, and what is decoded: whether damage is tolerated, and what is taken of RAW photos. All limits
/// are checked before memory is allocated.
public struct DecodeLimits: Hashable, Sendable {
    /// The most pixels: width x height.
    public var maxPixels = 1_000_000_000
    /// The most bytes of memory for a photo. Nil makes it proportional to its pixels, see `memoryLimit`.
    ///
    /// A photo that can be streamed needs little: a few rows, which are large if it is very wide. Others are
    /// held as a whole: the coefficients of a progressive JPEG, the rows of an interlaced PNG, a WebP, a HEIC.
    public var memoryByteCount: Int?
    /// The most scans of a JPEG over the whole image. A scan of some blocks counts by their share. The limit
    /// keeps the work proportional to the pixels: an empty scan has few bytes, but takes time for each block.
    /// Encoders make about ten scans, which count as five or six.
    public var maxScans = 64
    /// The most bytes before the first pixel, and of all metadata kept from a PNG: EXIF, profiles, text.
    public var maxMetadataByteCount = 64 << 20
    /// The most bytes of a PNG's inflated metadata in total. The limit applies to reading it, and again to
    /// its conversion for a JPEG. A JPEG cannot hold a larger profile.
    public var maxInflatedByteCount = 16 << 20

    /// Whether a damaged photo is decoded as far as possible. Lost pixels become grey, black or transparent.
    public var toleratesDamage = false
    /// What is taken of RAW photos.
    public var raw = RAWReading.preview
    /// What decodes JPEGs, and encodes them again.
    package var jpegCodec = JPEGCodec.best

    /// The default limits.
    public init() {}

    /// The default limits, except for these two.
    ///
    /// - Parameters:
    ///   - maxPixels: the most pixels, width x height.
    ///   - memoryByteCount: the most bytes of memory for a photo; nil makes it proportional to its pixels.
    public init(maxPixels: Int, memoryByteCount: Int? = nil) {
        self.maxPixels = maxPixels
        self.memoryByteCount = memoryByteCount
    }

    /// The most bytes of memory for a photo.
    ///
    /// Without `memoryByteCount`, this is 64 MiB plus five times the size of its pixels. That is enough for
    /// anything held as a whole, but the largest files of an AVIF: that needs 15 samples a pixel, decoded to three, and its file.
    /// What libjxl needs for a JPEG XL comes beside.
    package func memoryLimit(for geometry: PhotoGeometry, decodedTo layout: PixelLayout) -> Int {
        if let memoryByteCount { return memoryByteCount }
        let (bytes, overflow) = geometry.pixelCount.multipliedReportingOverflow(by: 5 * layout.bytesPerPixel)
        return overflow ? .max : 64 << 20 + bytes
    }

    package func check(width: Int, height: Int) throws(CodecError) {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count <= maxPixels else {
            throw .tooManyPixels(width: width, height: height, limit: maxPixels)
        }
    }

    func check(memory byteCount: Int, because reason: String) throws(CodecError) {
        guard let limit = memoryByteCount, byteCount > limit else { return }
        throw .needsTooMuchMemory(reason: reason, byteCount: byteCount, limit: limit)
    }
}
