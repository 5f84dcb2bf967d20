/// JPEG: ISO/IEC 10918-1.
package struct JPEGFormat: FormatDescription {
    package let identifier = "jpeg"
    package let name = "JPEG"
    package let fileExtensions = ["jpg", "jpeg", "jpe", "jfif"]
    package let mediaType = "image/jpeg"
    package let isShownByBrowsers = true
    package let firstBytes = [BytePattern([0xFF, 0xD8, 0xFF])]
}

extension PhotoFormat {
    /// JPEG: ISO/IEC 10918-1.
    public static let jpeg = PhotoFormat(JPEGFormat())
}
