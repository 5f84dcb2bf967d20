/// TIFF 6.0. BigTIFF is only read.
package struct TIFFFormat: FormatDescription {
    package let identifier = "tiff"
    package let name = "TIFF"
    package let nameWithArticle = "a TIFF"
    package let fileExtensions = ["tif", "tiff"]
    package let mediaType = "image/tiff"
    package let firstBytes = ["II*\0", "MM\0*", "II+\0", "MM\0+"].map { BytePattern($0) }

    package func isFormat(ofFile beginning: [UInt8]) -> Bool {
        firstBytes.contains { $0.match(beginning) } && !PhotoFormat.raw.kind.isFormat(ofFile: beginning)
    }
}

extension PhotoFormat {
    /// TIFF 6.0, and BigTIFF for reading.
    public static let tiff = PhotoFormat(TIFFFormat())
}
