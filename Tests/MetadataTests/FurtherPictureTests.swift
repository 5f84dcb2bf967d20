import TestSupport
import Testing

@testable import TintypeMetadata

struct FurtherPictureTests {
    /// An index of a photo and of pictures of these types (CIPA DC-007, table 4): 0x010001 is a large thumbnail,
    /// 0x020002 a stereo view, 0 anything.
    static func index(_ types: [Int], isBigEndian: Bool = true) -> PhotoMetadata.Item {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(2)
        words.entry(0xB001, 4, types.count + 1)
        words.short(0xB002)
        words.short(7)
        words.long(16 * (types.count + 1))
        words.long(38)
        words.long(0)
        for type in [0x2003_0000] + types {
            for value in [type, 1000, 5000, 0] { words.long(value) }
        }
        return .jpegSegment(marker: 0xE2, Array("MPF\0".utf8) + words.bytes)
    }

    static let gainMapVersion = PhotoMetadata.Item.jpegSegment(
        marker: 0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0])

    @Test(arguments: [true, false])
    func theIndexTellsPicturesFromPreviews(isBigEndian: Bool) {
        let types: [(types: [Int], hasPictures: Bool)] = [
            ([], false), ([0x01_0001, 0x01_0002], false), ([0x01_0001, 0x02_0002], true),
            ([0x4000_0000], true),
        ]
        for (types, hasPictures) in types {
            let metadata = PhotoMetadata(items: [Self.index(types, isBigEndian: isBigEndian), .comment([1])])
            #expect(metadata.furtherPictures == (hasPictures ? [.picture] : []))
            #expect(metadata.withoutFurtherPictures().items == [.comment([1])])
        }
    }

    @Test func theGainMapOfTheIndexIsNamedOnce() {
        let xmp = PhotoMetadata.Item.xmp(Array(XMPPacketTests.phone.utf8))
        #expect(PhotoMetadata(items: [xmp, Self.index([0])]).furtherPictures == [.gainMap, .video])
        #expect(PhotoMetadata(items: [Self.gainMapVersion, Self.index([0])]).furtherPictures == [.gainMap])
        #expect(
            PhotoMetadata(items: [Self.gainMapVersion, Self.index([0, 0])]).furtherPictures == [
                .gainMap, .picture,
            ])
        let metadata = PhotoMetadata(items: [xmp, Self.gainMapVersion, Self.index([0]), .comment([1])])
        let alone = metadata.withoutFurtherPictures()
        #expect(alone.items.count == 2 && alone.furtherPictures == [])
    }

    /// Google's Dynamic Depth 1.0: the list of files in other namespaces.
    @Test func theFilesOfDynamicDepthAreFurtherPictures() {
        let start = #"""
            <r:Description xmlns:D="http://ns.google.com/photos/dd/1.0/device/"\#
             xmlns:P="http://ns.google.com/photos/dd/1.0/profile/"
            """#
        let container = #"""
             xmlns:C="http://ns.google.com/photos/dd/1.0/container/" xmlns:I="http://ns.google.com/photos/dd/1.0/item/"
            """#
        let list = #"""
            <D:Container><C:Directory><r:Seq><r:li><C:Item I:DataURI="primary_image"/></r:li><r:li>\#
            <C:Item I:Length="9" I:DataURI="android/depthmap"/></r:li></r:Seq></C:Directory></D:Container>\#
            <D:Profiles><r:Seq/></D:Profiles>
            """#
        let metadata = PhotoMetadata(items: [
            .xmp(Array("\(start)\(container)>\(list)<D:Pose/></r:Description>".utf8))
        ])
        #expect(metadata.furtherPictures == [.picture])
        let expected = "\(start)><D:Pose/></r:Description>"
        #expect(metadata.withoutFurtherPictures().items == [.xmp(Array(expected.utf8))])
    }

    @Test func aDamagedIndexIsLeftOutToo() throws {
        guard case .jpegSegment(_, let bytes) = Self.index([0, 0x01_0001]) else { return }
        var random = SeededGenerator(seed: 5)
        for count in 4...bytes.count {
            var damaged = Array(bytes[..<count])
            damaged[Int.random(in: 0..<count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            damaged.replaceSubrange(0..<4, with: Array("MPF\0".utf8))
            let metadata = PhotoMetadata(items: [.jpegSegment(marker: 0xE2, damaged)])
            _ = metadata.furtherPictures
            #expect(metadata.withoutFurtherPictures().items == [])
        }
    }

    @Test func metadataWithoutFurtherPicturesIsUnchanged() {
        let others: [PhotoMetadata.Item] = [
            .jpegSegment(marker: 0xE2, Array("FPXR\0".utf8)), .jpegSegment(marker: 0xE5, Array("MPF\0".utf8)),
            .exif([1, 2]), .xmp([3, 4]),
        ]
        let metadata = PhotoMetadata(items: others)
        #expect(metadata.withoutFurtherPictures() == metadata)
        #expect(metadata.forFilteredPixels().items == Array(others.dropFirst()), "Flashpix is previews")
    }

    /// ISO 19566-5, annex D: the identifier, the box's number, that of the part, and the box.
    @Test func boxesBelongToTheOldPixels() {
        let box = Array("JP".utf8) + [0, 1, 0, 0, 0, 1, 0, 0, 0, 12] + Array("jumb".utf8) + [0, 0, 0, 0]
        let metadata = PhotoMetadata(items: [
            .jpegSegment(marker: 0xEB, box), .jpegSegment(marker: 0xEB, Array("HDR_RI".utf8)), .comment(box),
        ])
        #expect(metadata.hasBoxes && metadata.withoutFurtherPictures() == metadata)
        #expect(metadata.forFilteredPixels().items == Array(metadata.items.dropFirst()))
        #expect(!metadata.forFilteredPixels().hasBoxes)
    }

    /// The packet has the extension's MD5, so both are kept or removed together.
    @Test func extendedXMPWithPreviewsIsRemovedWithItsReference() {
        func metadata(_ text: String) -> PhotoMetadata {
            let packet = #"<a xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="0123" b="1"/>"#
            let header =
                Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 40)
            // The property's name is split between two segments.
            let halves = [text.prefix(5), text.dropFirst(5)].map { half in
                PhotoMetadata.Item.jpegSegment(marker: 0xE1, header + Array(half.utf8))
            }
            return PhotoMetadata(items: [.xmp(Array(packet.utf8))] + halves)
        }
        let kept = metadata("photoshop:History")
        #expect(kept.hasExtendedXMP && kept.forFilteredPixels() == kept)
        let packet = #"<a xmlns:n="http://ns.adobe.com/xmp/note/" b="1"/>"#
        for text in ["xmp:Thumbnails", "GImage:Data", #"x="http://ns.google.com/photos/1.0/image/""#] {
            #expect(metadata(text).forFilteredPixels().items == [.xmp(Array(packet.utf8))])
        }
        #expect(kept.withoutExtendedXMP().items == [.xmp(Array(packet.utf8))])
    }
}
