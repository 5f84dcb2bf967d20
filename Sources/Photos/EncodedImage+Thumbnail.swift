import TintypeCodecs
import TintypeFilters
import TintypeResources

extension EncodedImage {
    /// A small copy of the photo, for a grid of many.
    ///
    /// It is a JPEG; a photo with transparent pixels gives a PNG of 8 bits, so that its background shows. Of the
    /// metadata, only the colour profile and the orientation remain; the pixels are not turned. A JPEG is
    /// decoded with libjpeg's scaled decoding, which takes a fraction of the time; memory for a photo that can
    /// be streamed does not depend on its height.
    ///
    /// - Parameters:
    ///   - longSide: width or height, whichever is larger, is at least this many pixels and less than twice as
    ///     many. A smaller photo keeps its size. Less than 1 counts as 1.
    ///   - quality: JPEG quality, 1...100.
    ///   - limits: a photo beyond them fails.
    ///   - memory: a budget that photos at work share; nil sets no limit.
    /// - Throws: `PhotoError`.
    public func thumbnail(
        longSide: Int = 320, quality: Int = 80, limits: DecodeLimits = DecodeLimits(),
        memory: MemoryBudget? = nil
    ) throws(PhotoError) -> EncodedImage {
        let proxy = try PhotoProxy(of: self, longSide: longSide, limits: limits, memory: memory)
        do {
            let picture = try proxy.filtered(by: FilterChain([]), quality: quality)
            return try EncodedImage(bytes: picture.bytes)
        } catch {
            throw PhotoError(error, path: "a thumbnail")
        }
    }
}
