import TintypeImaging

/// How chroma gets the size of luma where a photo's planes become RGB, as libjpeg-turbo does it by default: with "fancy" upsampling,
/// which it never merges with the conversion (jdmaster.c, jdsample.c).
struct JPEGUpsampling {
    /// Samples of a block of chroma, across and down. In a reduced photo, chroma is reduced less than luma, as far as both axes allow:
    /// then less is to be upsampled.
    let chromaBlockSize: Int
    /// Pixels that still share a sample.
    let subsampling: ChromaSubsampling
    /// Whether samples are interpolated along a row, or repeated.
    let smoothsAcross: Bool
    /// The same along a column.
    let smoothsDown: Bool

    /// - Parameters:
    ///   - subsampling: the photo's.
    ///   - blockSize: that of luma.
    ///   - width: that of the photo as it is decoded.
    init?(_ subsampling: ChromaSubsampling, blockSize: Int, width: Int) {
        var size = blockSize, (across, down) = (subsampling.horizontal, subsampling.vertical)
        while size < 8, across % 2 == 0, down % 2 == 0 {
            size *= 2
            across /= 2
            down /= 2
        }
        guard let rest = ChromaSubsampling(horizontal: across, vertical: down) else { return nil }
        chromaBlockSize = size
        self.subsampling = rest
        // Narrow planes, and those of single samples, are not interpolated.
        let isSmooth = blockSize > 1, isNarrow = width.dividedRoundingUp(by: across) <= 2
        smoothsAcross = isSmooth && !isNarrow && across == 2 && down <= 2
        smoothsDown = isSmooth && down == 2 && (across == 1 || smoothsAcross)
    }
}
