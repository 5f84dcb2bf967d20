/// JPEG XL (ISO/IEC 18181): a bare codestream, or one in boxes.
package struct JXLFormat: FormatDescription {
    package let identifier = "jxl"
    package let name = "JPEG XL"
    package let fileExtensions = ["jxl"]
    package let mediaType = "image/jxl"
    package let firstBytes = [
        BytePattern([0xFF, 0x0A]), BytePattern([0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A]),
    ]
}

extension PhotoFormat {
    /// JPEG XL.
    public static let jxl = PhotoFormat(JXLFormat())
}
