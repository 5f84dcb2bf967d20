/// Still images of ISO/IEC 23008-12, one for each codec inside. HEICs are only read.
package struct HEIFFormat: FormatDescription {
    package let identifier, name, nameWithArticle: String
    package let fileExtensions: [String]
    package let mediaType: String
    package let firstBytes: [BytePattern]
    package let isWritten, isShownByBrowsers: Bool
    /// Samples a pixel that libheif, its decoder and Tintype hold together at most, as measured.
    package let heldSamples: Int

    package static let mostHeldSamples = 15

    /// - Parameter brands: what such files call themselves first.
    private init(
        _ name: String, withArticle nameWithArticle: String, fileExtensions: [String], brands: [String],
        isWritten: Bool, isShownByBrowsers: Bool, heldSamples: Int
    ) {
        identifier = fileExtensions[0]
        self.name = name
        self.nameWithArticle = nameWithArticle
        self.fileExtensions = fileExtensions
        mediaType = "image/\(identifier)"
        self.isWritten = isWritten
        self.isShownByBrowsers = isShownByBrowsers
        self.heldSamples = heldSamples
        firstBytes = brands.map { BytePattern("????ftyp\($0)") }
    }

    fileprivate static let heic = Self(
        "HEIC", withArticle: "a HEIC", fileExtensions: ["heic", "heif", "hif"],
        brands: ["heic", "heix", "heim", "heis", "mif1", "mif2"], isWritten: false, isShownByBrowsers: false,
        heldSamples: 10)
    fileprivate static let avif = Self(
        "AVIF", withArticle: "an AVIF", fileExtensions: ["avif"], brands: ["avif"], isWritten: true,
        isShownByBrowsers: true, heldSamples: mostHeldSamples)
}

extension PhotoFormat {
    /// HEVC in a HEIF file (ISO/IEC 23008-12). It is read, and never written.
    public static let heic = PhotoFormat(HEIFFormat.heic)
    /// AV1 in a HEIF file.
    public static let avif = PhotoFormat(HEIFFormat.avif)
}
