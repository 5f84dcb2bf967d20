import Imaging
import Metadata

/// What a photo may cost, and whether it may be damaged, before it is refused. All limits are checked before
/// memory is taken.
public struct DecodeLimits: Hashable, Sendable {
    /// Most pixels: width x height.
    public var maxPixels = 1_000_000_000
    /// Most bytes of memory that a photo may need. Nil: in proportion to its pixels, see `memoryLimit`.
    ///
    /// Photos that can be streamed need little. Others are held as a whole: the coefficients of a progressive JPEG,
    /// the rows of an interlaced PNG. So are a few rows, which are large where a photo is very wide.
    public var memoryByteCount: Int?
    /// Most scans of a JPEG over the whole image; one over a part of its blocks counts for that part. So the work
    /// stays in proportion to the pixels: an empty scan costs few bytes of a file, and time for each block all the
    /// same. Encoders make about ten scans, which count for five or six.
    public var maxScans = 64
    /// Most bytes before the first pixel, and, of a PNG, of all that is kept of its metadata: EXIF, profiles,
    /// text.
    public var maxMetadataByteCount = 64 << 20
    /// Most bytes that a PNG's compressed metadata is inflated to, all of it together: once when it is read,
    /// and once for a JPEG. A JPEG has no place for a larger profile.
    public var maxInflatedByteCount = 16 << 20

    /// Whether a damaged photo is read as far as it can be: what is lost becomes grey, black or transparent.
    public var toleratesDamage = false

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
