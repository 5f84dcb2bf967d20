import TestSupport
import Testing

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Previews where nobody expects them.
struct EmbeddedImageTests {
    private static let preview: [UInt8] = {
        let tables = RawJPEG.segment(0xDB, [UInt8](repeating: 1, count: 65)),
            frame = RawJPEG.segment(0xC0, [8])
        let scan = RawJPEG.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xD9]
        return [0xFF, 0xD8] + tables + frame + scan
    }()
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)

    private func segment(_ marker: UInt8, _ bytes: [UInt8]) -> PhotoMetadata.Item {
        .jpegSegment(marker: marker, bytes)
    }

    @Test(arguments: [
        preview, Array("QVGA\0".utf8) + preview, [UInt8](repeating: 0xFF, count: 900) + preview, png,
    ])
    func segmentsWithAnImageAreRemoved(bytes: [UInt8]) {
        for marker in [0xE1, 0xE2, 0xE3, 0xEF] as [UInt8] {
            let metadata = PhotoMetadata(items: [segment(marker, bytes), segment(marker, Array("kept".utf8))])
            #expect(metadata.segmentsWithImages == ["APP\(marker & 15)"])
            #expect(metadata.forFilteredPixels().items == [segment(marker, Array("kept".utf8))])
        }
        #expect(PhotoMetadata(items: [.comment(bytes)]).segmentsWithImages == ["COM"])
    }

    /// Some cameras count APPn up, others repeat it.
    @Test(arguments: [[0xE3, 0xE4, 0xE5], [0xE2, 0xE2, 0xE2]] as [[UInt8]])
    func anImageInSeveralSegmentsIsRemovedAsAWhole(markers: [UInt8]) {
        let start = Array(Self.preview.dropLast(2))
        let large = start + [UInt8](repeating: 7, count: 100_000) + [0xFF, 0xD9]
        let parts = [large[..<65000], large[65000..<100_050], large[100_050...]].map(Array.init)
        let kept = segment(markers[2], Array("kept".utf8))
        let metadata = PhotoMetadata(items: zip(markers, parts).map(segment) + [kept])
        #expect(metadata.forFilteredPixels().items == [kept])
    }

    @Test func otherMetadataIsNoImage() throws {
        var items: [PhotoMetadata.Item] = [
            .icc(ICCProfile(bytes: Self.preview)), segment(0xE1, Array("FLIR\0".utf8) + Self.preview),
            segment(0xE5, [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0]), segment(0xE5, [0xFF, 0xD8]),
        ]
        for count in 0..<(Self.preview.count - 30) {
            items.append(segment(0xE6, Array(Self.preview[..<min(count, 70)])))
        }
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20 {
            items.append(segment(0xE7, (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &random) }))
        }
        let metadata = PhotoMetadata(items: items)
        #expect(metadata.segmentsWithImages == [] && metadata.forFilteredPixels() == metadata)
    }

    @Test func textOfAnImageInXMPIsRemoved() {
        let jpeg = "/9j/" + String(repeating: "4AAQSkZJRgABAQ", count: 10) + "="
        for start in [jpeg, "iVBORw0KGgo" + jpeg.dropFirst(4)] {
            func packet(_ image: String) -> [UInt8] {
                Array(
                    "<a xmlns:o=\"other\" b='\(start.prefix(90))'>\(image)<o:Text>/9j/ short</o:Text></a>"
                        .utf8)
            }
            for image in ["<o:Data>\(start)</o:Data>", "<o:Data>\n\(start)</o:Data>"] {
                #expect(
                    PhotoMetadata(items: [.xmp(packet(image))]).forFilteredPixels().items == [
                        .xmp(packet(""))
                    ])
            }
        }
        let attribute = Array(#"<a xmlns:o="other" o:Data="\#(jpeg)" b="1"/>"#.utf8)
        #expect(XMPPacket(bytes: attribute).withoutPreviews() == Array(#"<a xmlns:o="other" b="1"/>"#.utf8))
        let depth = #"<a xmlns:d="http://ns.google.com/photos/1.0/depthmap/" d:Data="\#(jpeg)"/>"#
        #expect(XMPPacket(bytes: Array(depth.utf8)).withoutPreviews() == nil, "it is still right")
    }

    @Test func anImageInExtendedXMPIsRemoved() {
        let jpeg = "/9j/" + String(repeating: "4AAQSkZJRgABAQ", count: 10)
        let header = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 40)
        let part = segment(0xE1, header + Array(#"<a o:Data="\#(jpeg)"/>"#.utf8))
        #expect(PhotoMetadata(items: [part]).forFilteredPixels().items == [])
    }

    /// In resources that are no thumbnails, and in IPTC: datasets 2:200 to 2:202. The digest is IPTC's MD5.
    @Test func previewsInPhotoshopsResourcesAreRemoved() {
        let block = PhotoshopBlock.bytes
        func dataset(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0x1C, 2, number, 0, UInt8(bytes.count)] + bytes
        }
        let caption = dataset(120, Array("caption".utf8))
        let long: [UInt8] = [0x1C, 2, 202, 0x80, 4, 0, 0, 0, 3, 1, 2, 3]
        let iptc = caption + dataset(200, [0, 11]) + dataset(201, [0, 1]) + long + caption
        // By Python's hashlib.
        let digests = (old: PhotoshopResources.md5(iptc), new: PhotoshopResources.md5(caption + caption))
        #expect(digests.new.prefix(4) == [0xA9, 0xFB, 0xA2, 0x10])
        let resources = block(1028, "", iptc) + block(1061, "", digests.old) + block(4000, "", Self.preview)
        #expect(
            PhotoshopResources.withoutThumbnails(resources)
                == block(1028, "", caption + caption) + block(1061, "", digests.new))
        let other = block(1028, "", iptc) + block(1061, "", [1, 2, 3])
        #expect(
            PhotoshopResources.withoutThumbnails(other)
                == block(1028, "", caption + caption) + block(1061, "", [1, 2, 3]), "it was wrong before")
    }
}
