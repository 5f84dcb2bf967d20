/// PNG: ISO/IEC 15948.
package struct PNGFormat: FormatDescription {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package let identifier = "png"
    package let name = "PNG"
    package let fileExtensions = ["png"]
    package let mediaType = "image/png"
    package let isShownByBrowsers = true
    package let firstBytes = [BytePattern(signature)]
}

extension PhotoFormat {
    /// PNG: ISO/IEC 15948.
    public static let png = PhotoFormat(PNGFormat())
}

/// How much time a PNG's compression takes. Pixels are the same.
public enum PNGLevel: String, CaseIterable, Hashable, Sendable {
    /// Repeated strings are looked for, where they make a photo smaller.
    case small
    /// Only values and runs of one value are coded: for many photos the same bytes, for others larger ones in a fifth of the time.
    case fast
}
