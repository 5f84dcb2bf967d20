import Imaging

/// What a photo may cost before it is refused. All limits are checked before memory is taken.
public struct DecodeLimits: Hashable, Sendable {
    /// Most pixels: width x height.
    public var maxPixels = 1_000_000_000
    /// Most bytes of memory that a photo may need. Nil: in proportion to its pixels, see `memoryLimit`.
    ///
    /// Photos that can be streamed need little. Others are held as a whole: the coefficients of a progressive JPEG,
    /// the rows of an interlaced PNG. So are a few rows, which are large where a photo is very wide.
    public var memoryByteCount: Int?
    /// Most scans of a JPEG. Encoders make about ten; a file of thousands of empty ones takes hours to
    /// decode.
    public var maxScans = 500
    /// Most bytes before the first pixel, and, of a PNG, of all that is kept of its metadata: EXIF, profiles,
    /// text.
    public var maxMetadataByteCount = 64 << 20
    /// Most bytes that a PNG's compressed metadata is inflated to, all of it together: once when it is read,
    /// and once for a JPEG. A JPEG has no place for a larger profile.
    public var maxInflatedByteCount = 16 << 20

    public init() {}

    public init(maxPixels: Int, memoryByteCount: Int? = nil) {
        self.maxPixels = maxPixels
        self.memoryByteCount = memoryByteCount
    }

    /// The most bytes that a photo may need.
    ///
    /// Without `memoryByteCount` these are 64 MiB, and three times what its pixels take. Nothing that must be held as
    /// a whole is larger: the coefficients of a CMYK JPEG take eight bytes a pixel, and it is decoded to three.
    package func memoryLimit(for geometry: PhotoGeometry, decodedTo layout: PixelLayout) -> Int {
        if let memoryByteCount { return memoryByteCount }
        let (bytes, overflow) = geometry.pixelCount.multipliedReportingOverflow(by: 3 * layout.bytesPerPixel)
        return overflow ? .max : 64 << 20 + bytes
    }

    func check(width: Int, height: Int) throws(CodecError) {
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
