/// WebP: RFC 9649.
package struct WebPFormat: FormatDescription {
    package let identifier = "webp"
    package let name = "WebP"
    package let fileExtensions = ["webp"]
    package let mediaType = "image/webp"
    package let isShownByBrowsers = true
    package let firstBytes = [BytePattern("RIFF????WEBP")]
}

extension PhotoFormat {
    /// WebP: RFC 9649.
    public static let webp = PhotoFormat(WebPFormat())
}
