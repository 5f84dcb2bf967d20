import PPMFormat
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// Metadata for a format of which JPEG and PNG do not know.
struct NeutralMetadataTests {
    private let ppm = PhotoFormat(PPMFormat())

    private func converted(
        _ items: [PhotoMetadata.Item], from format: PhotoFormat
    ) -> (PhotoMetadata, [PhotoNote]) {
        PhotoMetadata(items: items)
            .converted(from: format, to: ppm, hasColour: true, limits: DecodeLimits())
    }

    @Test func whatIsLeftOutOfAPNGIsNamed() {
        let (metadata, notes) = converted(
            [
                .exif(EXIF(orientation: .up).bytes), .xmp([1]), .icc(.adobeRGB),
                .pngChunk(name: "tEXt", Array("Au\u{1B}thor\0me".utf8)), .pngChunk(name: "tIME", [0]),
            ], from: .png)
        #expect(metadata == PhotoMetadata())
        #expect(
            notes == [.metadataLeftOut(names: ["EXIF", "XMP", "colour profile", "Au?thor"], by: ppm)])
    }

    @Test func whatIsLeftOutOfAJPEGIsNamed() {
        let resources = PhotoMetadata.Item.jpegSegment(
            marker: 0xED, PhotoshopResources.segmentPrefix + Array("8BIM".utf8))
        let (metadata, notes) = converted(
            [resources, .comment([65]), .jpegSegment(marker: 0xEC, [1]), .icc(.sRGB)], from: .jpeg)
        #expect(metadata == PhotoMetadata())
        #expect(notes == [.metadataLeftOut(names: ["comment", "APP12", "APP13"], by: ppm)])
    }

    /// Values of high dynamic range, which no profile expresses.
    @Test func aMeaningOfColoursThatIsLostIsNamed() {
        let (_, notes) = converted([.pngChunk(name: "cICP", [9, 16, 0, 1])], from: .png)
        #expect(notes == [.metadataLeftOut(names: ["meaning of the colours"], by: ppm)])
    }

    @Test func everyFormatOfTheListHasACodec() {
        for format in PhotoFormat.all {
            let codec = format.codec
            let layout = codec.layout(for: .interleaved(.rgb, .eight), grey: false, jpegCoding: nil)
            #expect(codec.canWrite(layout) == PhotoFormat.written.contains(format))
        }
    }
}
