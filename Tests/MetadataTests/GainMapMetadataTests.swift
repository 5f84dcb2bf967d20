import TestSupport
import Testing

@testable import TintypeMetadata

struct GainMapMetadataTests {
    private func xmp(_ attributes: String, _ elements: String = "") -> PhotoMetadata {
        let packet = #"""
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\#
            <r:Description xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" \#(attributes)>\#(elements)</r:Description></r:RDF>
            """#
        return PhotoMetadata(items: [.xmp(Array(packet.utf8))])
    }

    private func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private func segment(_ flags: UInt8, _ values: [Int]) -> PhotoMetadata {
        let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
        return PhotoMetadata(items: [
            .jpegSegment(marker: 0xE2, name + [0, 0, 0, 0, flags] + words(values))
        ])
    }

    /// Ultra HDR 1.0: the value of a ratio of 0 stops is ((0 - min) / (max - min)) ^ gamma.
    @Test func theNeutralValueIsThatOfEqualBrightness() throws {
        let plain = try #require(GainMapMetadata(xmp(#"h:GainMapMax="2""#)))
        #expect(plain.neutral == [0] && plain.hasEqualChannels && plain.standard == .logarithmic)
        let shifted = try #require(
            GainMapMetadata(xmp(#"h:GainMapMin="-1" h:GainMapMax="3" h:Gamma="0.5""#)))
        #expect(shifted.neutral == [0.5])
        // All is brighter, or darker.
        #expect(GainMapMetadata(xmp(#"h:GainMapMin="1" h:GainMapMax="3""#))?.neutral == [0])
        #expect(GainMapMetadata(xmp(#"h:GainMapMin="-3" h:GainMapMax="-1""#))?.neutral == [1])
        #expect(GainMapMetadata(xmp(#"h:GainMapMin="1" h:GainMapMax="1""#))?.neutral == [0])
    }

    @Test func channelsMayDiffer() throws {
        func list(_ name: String, _ values: [String]) -> String {
            "<h:\(name)><r:Seq>" + values.map { "<r:li>\($0)</r:li>" }.joined() + "</r:Seq></h:\(name)>"
        }
        let different = try #require(
            GainMapMetadata(
                xmp(
                    #"h:Gamma="1""#,
                    list("GainMapMin", ["-1", "0", "-3"]) + list("GainMapMax", ["1", "1", " 1 "]))))
        #expect(different.neutral == [0.5, 0, 0.75] && !different.hasEqualChannels)
        let equal = try #require(GainMapMetadata(xmp("", list("GainMapMax", ["1", "1", "1"]))))
        #expect(equal.neutral == [0, 0, 0] && equal.hasEqualChannels)
        #expect(GainMapMetadata(xmp("", "<h:GainMapMax>1.5</h:GainMapMax>"))?.neutral == [0])
    }

    /// ISO 21496-1, annex C.2.
    @Test func segmentsHaveFractions() throws {
        let channel = [-1, 2, 3, 2, 1, 1, 1, 64, 1, 64]
        let single = try #require(GainMapMetadata(segment(0, [0, 1, 3, 2] + channel)))
        #expect(single.neutral == [0.25] && single.standard == .logarithmic)
        let common = try #require(GainMapMetadata(segment(0x08, [64, 0, 96, -32, 96, 64, 1, 1])))
        #expect(common.neutral == [0.25])
        let three = try #require(
            GainMapMetadata(
                segment(0x80, [0, 1, 3, 2] + channel + channel + [0, 2, 3, 2, 1, 1, 1, 64, 1, 64])))
        #expect(three.neutral == [0.25, 0.25, 0] && !three.hasEqualChannels)
    }

    /// A HEIC's item and the XMP that is made of it have the same numbers.
    @Test func toneMappingsBecomeXMP() throws {
        let channel = [-1, 2, 3, 2, 1, 1, 1, 64, 1, 64], other = [-1, 8, 5, 4, 9, 10, 1, 32, 1, 128]
        for (flags, channels) in [
            (UInt8(0x40), channel), (0xC0, channel + other + other), (0x80, channel + channel + other),
        ] {
            let numbers = words([0, 1, 3, 2] + channels)
            let mapping = try #require(ToneMapping(item: [0, 0, 0, 0, 0, flags] + numbers, isGrey: false))
            #expect(mapping.metadata.items.count == 2)
            let ratios = try mapping.metadata.items.map { item in
                switch item {
                case .xmp(let bytes): try #require(GainMapRatios(xmp: XMPPacket(bytes: bytes)))
                case .jpegSegment(0xE2, let bytes):
                    try #require(GainMapRatios(segment: bytes.dropFirst(JPEGSegments.gainMapPrefix.count)))
                default: throw CancellationError()
                }
            }
            #expect(ratios[0] == ratios[1] && ratios[0].headrooms == [0, 1.5])
            #expect(mapping.hasOtherPrimaries == (flags == 0x80) && mapping.isBrighter)
        }
        for item in [
            [], [0], [1, 0, 0, 0, 0, 0x40] + words([0, 1, 3, 2] + channel), [0, 0, 0, 0, 0, 0x40, 0],
        ] {
            #expect(ToneMapping(item: item, isGrey: true) == nil)
        }
    }

    @Test func whatIsNoGainMapIsNone() {
        let none = [
            PhotoMetadata(), xmp(#"h:Version="1.0""#), xmp(#"h:GainMapMax="x""#), xmp(#"h:GainMapMax="nan""#),
            xmp(#"h:GainMapMax="1" h:Gamma="0""#), xmp(#"h:GainMapMin="2" h:GainMapMax="1""#),
            xmp("", "<h:GainMapMax><r:Seq><r:li>1</r:li><r:li>1</r:li></r:Seq></h:GainMapMax>"),
            segment(0, [0, 1, 3, 2, -1, 2, 3, 2, 1, 1, 1, 64, 1]), segment(0, [0, 0, 3, 2]),
            segment(0x80, [0, 1, 3, 2, -1, 2, 3, 2, 1, 1, 1, 64, 1, 64]),
            PhotoMetadata(items: [FurtherPictureTests.gainMapVersion]),
            // Of a later version, for readers that know it.
            PhotoMetadata(items: [
                .jpegSegment(
                    marker: 0xE2,
                    Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 1, 0, 1, 0]
                        + words([0, 1, 3, 2, -1, 2, 3, 2, 1, 1, 1, 64, 1, 64]))
            ]),
        ]
        for metadata in none { #expect(GainMapMetadata(metadata) == nil, "\(metadata)") }
    }

    @Test func applesMapsMayNeedTheMakerNote() {
        func apple(_ more: String) -> PhotoMetadata {
            PhotoMetadata(items: [
                .xmp(
                    Array(
                        #"<a xmlns:g="http://ns.apple.com/HDRGainMap/1.0/" g:HDRGainMapVersion="131072"\#(more)/>"#
                            .utf8))
            ])
        }
        #expect(GainMapMetadata(apple(""))?.standard == .apple(needsMakerNote: true))
        #expect(
            GainMapMetadata(apple(#" g:HDRGainMapHeadroom="3""#))?.standard == .apple(needsMakerNote: false))
        #expect(GainMapMetadata(apple(""))?.neutral == [0])
    }

    /// A packet of the map's alone: people and places are not in it, and other prefixes become the usual ones.
    @Test func theMapsOwnMetadataAreThoseOfItsValues() throws {
        let list = "<h:GainMapMin><r:Seq><r:li>-1</r:li><r:li>0</r:li><r:li>0</r:li></r:Seq></h:GainMapMin>"
        var metadata = xmp(
            #"h:GainMapMax="2" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="somebody""#, list)
        let meaning = try #require(GainMapMetadata(metadata))
        metadata.items += [
            .exif(EXIF(orientation: .left).bytes), .comment([1]), FurtherPictureTests.gainMapVersion,
        ]
        let own = metadata.ofGainMap
        #expect(own.items.count == 2 && GainMapMetadata(own) == meaning)
        #expect(!String(decoding: own.xmp ?? [], as: UTF8.self).contains("somebody"))
        #expect(GainMapMetadata(own.ofGainMap) == meaning)
        let other = PhotoMetadata(items: [
            .xmp(Array(#"<a xmlns:dc="http://purl.org/dc/elements/1.1/" dc:b="c"/>"#.utf8))
        ])
        #expect(other.ofGainMap.items == [])
        // Apple's type alone tells a map, too.
        let type =
            #"<a xmlns:p="http://ns.apple.com/pixeldatainfo/1.0/" p:b="urn:com:apple:photo:2020:aux:hdrgainmap"/>"#
        let typed = PhotoMetadata(items: [.xmp(Array(type.utf8))])
        #expect(GainMapMetadata(typed.ofGainMap)?.standard == .apple(needsMakerNote: true))
    }

    @Test func filesAreKnownByTheirFirstBytes() throws {
        for form in GainMapPhoto.Form.allCases {
            #expect(GainMapMetadata.mayBeIn(GainMapPhoto.map([0xFF, 0xD8, 0xFF, 0xD9], form)))
        }
        #expect(!GainMapMetadata.mayBeIn([0xFF, 0xD8, 0xFF, 0xD9]))
    }

    @Test(arguments: [true, false], [true, false])
    func whatIsToldCanBeRead(isInXMP: Bool, isInSegment: Bool) throws {
        let mention = GainMapMention(isInXMP: isInXMP, isInSegment: isInSegment)
        let packet = #"""
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\#
            <rdf:Description rdf:about="uuid:1" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="kept"/>\#
            </rdf:RDF></x:xmpmeta>
            """#
        for items in [[], [PhotoMetadata.Item.xmp(Array(packet.utf8)), .comment([1])]] {
            let own = PhotoMetadata(items: items)
            let metadata = try #require(own.telling(of: mention, byteCount: 12345))
            #expect(metadata.gainMapMention == mention)
            // Without XMP and segment, the index alone tells of a picture.
            #expect(metadata.furtherPictures == (isInXMP || isInSegment ? [.gainMap] : [.picture]))
            let without = metadata.withoutFurtherPictures().items
            #expect(without.contains(.comment([1])) == !items.isEmpty)
            let text = String(decoding: metadata.xmp ?? [], as: UTF8.self)
            #expect(text.contains(#"Item:Length="12345""#) == isInXMP)
            #expect(text.contains(#"dc:format="kept""#) == !items.isEmpty)
            #expect(text.contains(#"rdf:about="uuid:1" xmlns:rdf"#) == (isInXMP && !items.isEmpty))
        }
    }

    @Test func xmpThatCannotBeExtendedCannotTell() {
        let mention = GainMapMention(isInXMP: true, isInSegment: false)
        let start = #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
        for packet in [
            start, "<a/>", start + "<rdf:Description><a></b></rdf:Description></rdf:RDF>",
            start + String(repeating: " ", count: 65_000) + "</rdf:RDF>",
        ] {
            let metadata = PhotoMetadata(items: [.xmp(Array(packet.utf8))])
            #expect(metadata.telling(of: mention, byteCount: 1) == nil)
        }
    }

    @Test func theIndexHasPlacesAndSizes() throws {
        let segment = MultiPictureIndex.segment(
            photoByteCount: 5_000_000, pictureByteCount: 70_000, offset: 4_999_000)
        let index = try #require(MultiPictureIndex(segment: segment))
        #expect(index.pictures == [.init(type: 0, byteCount: 70_000, offset: 4_999_000)])
        #expect(!index.pictures[0].isPreview)
        #expect(MultiPictureIndex.Picture(type: 0x01_0001, byteCount: 1, offset: 1).isPreview)
        let other = MultiPictureIndex.segment(photoByteCount: 1, pictureByteCount: 1, offset: 1)
        #expect(segment.count == other.count)
    }
}
