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
