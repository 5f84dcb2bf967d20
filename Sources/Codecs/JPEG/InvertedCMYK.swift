/// CMYK as in JPEGs: 255 is no ink. For photos without a usable profile.
///
/// That is Adobe's convention, and the only one in use: browsers and Pillow read files without Adobe's marker
/// in the same way.
enum InvertedCMYK {
    /// Multiplies each ink with black: c x k / 255, rounded half up, as Pillow does.
    ///
    /// - Parameters:
    ///   - inks: C, M, Y, K of each pixel.
    ///   - rgb: a buffer of 3 bytes a pixel.
    static func convert(_ inks: UnsafeBufferPointer<UInt8>, toRGB rgb: UnsafeMutableRawPointer) {
        let rgb = rgb.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<inks.count / 4 {
            let black = UInt32(inks[4 * pixel + 3])
            for channel in 0..<3 {
                let product = UInt32(inks[4 * pixel + channel]) * black + 128
                rgb[3 * pixel + channel] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
            }
        }
    }
}
