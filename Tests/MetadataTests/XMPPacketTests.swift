import TestSupport
import Testing
import TintypeImaging

@testable import TintypeMetadata

struct XMPPacketTests {
    /// A phone's packet for an Ultra HDR photo with a video, by the examples in Google's specifications "Ultra
    /// HDR Image Format v1.1" and "Motion Photo format 1.0"; with statements of other kinds around it.
    static let phone = #"""
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.1.2">
          <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""
                xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
                xmlns:Container="http://ns.google.com/photos/1.0/container/"
                xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
                xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
              hdrgm:Version="1.0" xmp:Rating = '5'
              GCamera:MotionPhoto="1" GCamera:BurstID="a > b" GCamera:MotionPhotoVersion="1"
              GCamera:MotionPhotoPresentationTimestampUs='-1'>
              <xmp:CreatorTool>a camera</xmp:CreatorTool>
              <Container:Directory>
                <rdf:Seq>
                  <rdf:li rdf:parseType="Resource">
                    <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>
                  </rdf:li>
                  <rdf:li rdf:parseType="Resource">
                    <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="66171"/>
                  </rdf:li>
                </rdf:Seq>
              </Container:Directory>
            </rdf:Description>
          </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """#

    static func removing(_ text: String, _ isRemoved: @escaping (XMPPacket.Name) -> Bool) -> String? {
        XMPPacket(bytes: Array(text.utf8)).removing(isRemoved).map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    static func isRemovable(_ name: XMPPacket.Name) -> Bool {
        name.describesFurtherPictures || name.isPreview || name.namesExtendedXMP
    }

    @Test func onlyPropertiesOfFurtherPicturesAreRemoved() throws {
        let expected = #"""
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 5.1.2">
              <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <rdf:Description rdf:about=""
                    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmp:Rating = '5' GCamera:BurstID="a > b">
                  <xmp:CreatorTool>a camera</xmp:CreatorTool>
                </rdf:Description>
              </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """#
        let result = try #require(Self.removing(Self.phone, \.describesFurtherPictures))
        #expect(result == expected)
        #expect(Self.removing(result, \.describesFurtherPictures) == nil, "nothing is left to remove")
    }

    /// The longer form of RDF, and other prefixes than the usual ones.
    @Test func propertiesMayBeElements() throws {
        let text = #"""
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description>
            <c:MicroVideo xmlns:c='http://ns.google.com/photos/1.0/camera/'>1</c:MicroVideo>
            <c:MicroVideo xmlns:c='another'>1</c:MicroVideo>
            <g:OffsetSDR xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/"><r:Seq><r:li>0</r:li></r:Seq></g:OffsetSDR>
            <Thumbnails xmlns="http://ns.adobe.com/xap/1.0/"><r:Alt/></Thumbnails></r:Description></r:RDF>
            """#
        let lines = text.split(separator: "\n")
        let expected = "\(lines[0])\n\(lines[2])\n\(lines[4])"
        #expect(Self.removing(text, \.describesFurtherPictures) == expected)
        let previews = text.replacing(
            "\n<Thumbnails xmlns=\"http://ns.adobe.com/xap/1.0/\"><r:Alt/></Thumbnails>", with: "")
        #expect(Self.removing(text, \.isPreview) == previews)
        let packet = XMPPacket(bytes: Array(text.utf8))
        let pictures = packet.removing(\.describesFurtherPictures)?.properties.compactMap(FurtherPicture.init)
        #expect(pictures.map(Set.init) == [.video, .gainMap])
    }

    /// Names and namespaces in comments, in text, bound to other prefixes, or out of scope.
    @Test(arguments: [
        #"<a xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/"><!-- <h:Version>1</h:Version> --></a>"#,
        #"<a xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/"><![CDATA[<h:Version>1</h:Version>]]></a>"#,
        #"<a note="h:Version=1" xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/"/>"#,
        #"<a><b xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/"/><h:Version/></a>"#,
        #"<a xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/"><b xmlns:h="other" h:Version="1"/></a>"#,
        #"<a xmlns:g="http://ns.google.com/photos/1.0/camera/" g:BurstID="1" Thumbnails="HasExtendedXMP"/>"#,
        "", "no XML: http://ns.google.com/photos/1.0/",
    ])
    func lookalikesOfSuchPropertiesAreKept(text: String) {
        #expect(Self.removing(text, Self.isRemovable) == nil)
    }

    @Test func aCopyOfThePhotoIsAPreview() {
        let namespace = #"xmlns:I="http://ns.google.com/photos/1.0/image/""#
        let text = #"<a \#(namespace) I:Mime="image/jpeg" b="1"/>"#
        #expect(Self.removing(text, \.isPreview) == #"<a \#(namespace) b="1"/>"#)
        #expect(Self.removing(text, \.describesFurtherPictures) == nil)
    }

    /// Properties as attributes, and as elements with others in them.
    @Test func placesAreRemovedAsAWhole() {
        let text = #"""
            <r:Description xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:t="http://ns.adobe.com/tiff/1.0/"
              xmlns:G="http://ns.google.com/photos/1.0/panorama/" xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"
              e:PixelXDimension="4000" e:ISO="100" t:ImageLength="3000" t:Make="Tin" G:ProjectionType="cylindrical">
            <m:Regions r:parseType="Resource"><m:AppliedToDimensions d:w="4000"/>
            <m:RegionList><r:Bag><r:li><r:Description m:Name="Ada"><m:Area a:x="0.5"/></r:Description></r:li></r:Bag>
            </m:RegionList></m:Regions>
            <e:SubjectArea><r:Seq><r:li>2000</r:li></r:Seq></e:SubjectArea>
            <e:Flash/></r:Description>
            """#
        let expected = #"""
            <r:Description xmlns:e="http://ns.adobe.com/exif/1.0/" xmlns:t="http://ns.adobe.com/tiff/1.0/"
              xmlns:G="http://ns.google.com/photos/1.0/panorama/" xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/" e:ISO="100" t:Make="Tin">
            <e:Flash/></r:Description>
            """#
        let metadata = PhotoMetadata(items: [.xmp(Array(text.utf8))])
        let resized = metadata.resized(to: PhotoGeometry(width: 40, height: 30), isWhole: false)
        #expect(resized.items == [.xmp(Array(expected.utf8))])
        #expect(resized.resized(to: PhotoGeometry(width: 20, height: 15), isWhole: false) == resized)
        #expect(metadata.forFilteredPixels() == metadata && metadata.withoutFurtherPictures() == metadata)
    }

    /// Each way to name a place, alone. Shares of the photo stay right where all of it is shown at another size.
    @Test(arguments: [
        ("http://ns.adobe.com/exif/1.0/", "PixelXDimension"),
        ("http://ns.adobe.com/exif/1.0/", "PixelYDimension"),
        ("http://ns.adobe.com/exif/1.0/", "SubjectArea"),
        ("http://ns.adobe.com/exif/1.0/", "SubjectLocation"),
        ("http://ns.adobe.com/tiff/1.0/", "ImageWidth"), ("http://ns.adobe.com/tiff/1.0/", "ImageLength"),
        ("http://www.metadataworkinggroup.com/schemas/regions/", "Regions"),
        ("http://ns.google.com/photos/1.0/panorama/", "FullPanoWidthPixels"),
    ])
    func everyPlaceIsFound(namespace: String, name: String) {
        let start = #"<a xmlns:p="\#(namespace)""#
        let packet = PhotoMetadata(items: [.xmp(Array("\(start) p:\(name)='1'/>".utf8))])
        let size = PhotoGeometry(width: 40, height: 30),
            without = PhotoMetadata.Item.xmp(Array("\(start)/>".utf8))
        #expect(packet.resized(to: size, isWhole: false).items == [without])
        let isShare = namespace.contains("regions") || namespace.contains("panorama")
        #expect(packet.resized(to: size, isWhole: true).items == (isShare ? packet.items : [without]))
    }

    @Test func theColoursAreThoseOfSRGB() {
        let text = #"""
            <a xmlns:p="http://ns.adobe.com/photoshop/1.0/" xmlns:e="http://ns.adobe.com/exif/1.0/"
             xmlns:t="http://ns.adobe.com/tiff/1.0/" p:ICCProfile="Adobe RGB (1998)" p:ColorMode="3"
             t:WhitePoint="1"><e:ColorSpace>65535</e:ColorSpace><e:Gamma>22/10</e:Gamma>
            <t:PrimaryChromaticities><r:Seq/></t:PrimaryChromaticities></a>
            """#
        let expected = #"""
            <a xmlns:p="http://ns.adobe.com/photoshop/1.0/" xmlns:e="http://ns.adobe.com/exif/1.0/"
             xmlns:t="http://ns.adobe.com/tiff/1.0/" p:ICCProfile="sRGB" p:ColorMode="3"><e:ColorSpace>1</e:ColorSpace></a>
            """#
        let converted = PhotoMetadata(items: [.xmp(Array(text.utf8))]).convertedToSRGB()
        #expect(converted.items == [.xmp(Array(expected.utf8)), .icc(.sRGB)])
    }

    @Test func invalidXMLIsUnchanged() {
        var random = SeededGenerator(seed: 8)
        let bytes = Array(Self.phone.utf8)
        for count in 0..<bytes.count - 25 {
            #expect(XMPPacket(bytes: Array(bytes[..<count])).removing(Self.isRemovable) == nil)
        }
        for _ in 0..<2000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = "<>/\"'= :a".utf8.randomElement(
                using: &random)!
            let result = XMPPacket(bytes: damaged).removing(\.describesFurtherPictures)
            #expect(result.map { $0.bytes.count < bytes.count } ?? true)
        }
    }

    /// Each takes many times its bytes in memory.
    @Test func packetsFarBeyondRealOnesAreUnchanged() {
        func packet(_ content: String) -> String {
            #"<a xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6">\#(content)</a>"#
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "<b>", count: depth) + String(repeating: "</b>", count: depth)
        }
        func repeated(_ count: Int, in name: String, _ text: String) -> String {
            "<\(name)" + String(repeating: text, count: count) + "/>"
        }
        let kept = [nested(255), repeated(2048, in: "b", " c=''"), String(repeating: "<b/>", count: 10_000)]
        for content in kept {
            #expect(
                Self.removing(packet(content), \.isOrientation)
                    == #"<a xmlns:t="http://ns.adobe.com/tiff/1.0/">\#(content)</a>"#)
        }
        let prefixes = (0..<10_000).map { "<b xmlns:p\($0)=''/>" }.joined()
        #expect(Self.removing(packet(prefixes), \.isOrientation) != nil, "they are out of scope again")
        let excessive = [
            nested(256), repeated(2049, in: "b", " c=''"),
            String(repeating: "<t:Orientation/>", count: 10_000),
            String(repeating: "<b xmlns='http://ns.google.com/photos/1.0/container/'/>", count: 10_000),
        ]
        for content in excessive {
            let isUnchanged = Self.removing(packet(content), \.isOrientation) == nil
            #expect(isUnchanged, "\(content.prefix(60))")
        }
    }

    @Test func aZeroIsNoVideo() {
        let text =
            #"<a xmlns:c="http://ns.google.com/photos/1.0/camera/" c:MotionPhoto="0" c:MicroVideoOffset="0"/>"#
        let metadata = PhotoMetadata(items: [.xmp(Array(text.utf8))])
        #expect(metadata.furtherPictures == [])
        let phone = PhotoMetadata(items: [.xmp(Array(Self.phone.utf8))])
        #expect(phone.furtherPictures == [.gainMap, .video])
        #expect(phone.withoutFurtherPictures().furtherPictures == [])
    }
}
