import TestSupport
import Testing
import TintypeImaging

@testable import TintypeMetadata

/// Places in a photo of 400 x 200 pixels. The numbers expected are made by hand.
struct PlacesTests {
    private func moved(_ item: PhotoMetadata.Item, _ change: FrameChange) -> (
        PhotoMetadata.Item?, Set<PlaceInPhoto>
    ) {
        let (metadata, lost) = PhotoMetadata(items: [item]).moved(by: change)
        return (metadata.items.first, lost)
    }

    private func moved(_ text: String, _ change: FrameChange) -> (text: String, lost: Set<PlaceInPhoto>) {
        let (item, lost) = moved(.xmp(Array(text.utf8)), change)
        guard case .xmp(let bytes) = item else { return ("", lost) }
        return (String(decoding: bytes, as: UTF8.self), lost)
    }

    // MARK: Metadata Working Group

    private static func regions(
        _ areas: [String], width: Int = 400, height: Int = 200
    ) -> String {
        let items = areas.map {
            #"<r:li r:parseType="Resource"><m:Name>\#($0.count)</m:Name><m:Area \#($0) a:unit="normalized"/></r:li>"#
        }
        return #"""
            <r:D xmlns:r="rdf" xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:x="other"
            xmlns:a="http://ns.adobe.com/xmp/sType/Area#" keep="1"><m:Regions r:parseType="Resource">
            <m:AppliedToDimensions d:w="\#(width)" d:h="\#(height)" d:unit="pixel"/>
            <m:RegionList><r:Bag>\#(items.joined())</r:Bag></m:RegionList></m:Regions></r:D>
            """#
    }

    private static func area(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        #"a:x="\#(x)" a:y="\#(y)" a:w="\#(width)" a:h="\#(height)""#
    }

    @Test func regionsMoveWithACrop() {
        let face = Self.area(0.75, 0.5, 0.25, 0.5), half = Self.area(0.5, 0.5, 0.5, 1),
            outside = Self.area(0.25, 0.5, 0.25, 0.5)
        let result = moved(Self.regions([face, outside, half]), Frames.half)
        var expected = Self.regions([face, half], width: 200)
        expected.replace(face, with: #"a:x="0.5" a:y="0.5" a:w="0.5" a:h="0.5""#)
        expected.replace(half, with: #"a:x="0.25" a:y="0.5" a:w="0.5" a:h="1""#)
        #expect(result.text == expected && result.lost == [.region])
        let none = moved(Self.regions([outside]), Frames.half)
        #expect(
            none.lost == [.region] && !none.text.contains("m:Regions") && none.text.contains(#"keep="1""#))
    }

    @Test func regionsMoveWithATurn() {
        let face = Self.area(0.75, 0.25, 0.25, 0.5)
        let result = moved(Self.regions([face]), Frames.turned)
        var expected = Self.regions([face], width: 200, height: 400)
        expected.replace(face, with: #"a:x="0.75" a:y="0.75" a:w="0.5" a:h="0.25""#)
        #expect(result.text == expected && result.lost == [])
    }

    @Test func anotherSizeChangesOnlyTheSizeThatRegionsAreFor() {
        let face = Self.area(0.75, 0.25, 0.25, 0.5)
        let result = moved(Self.regions([face]), Frames.smaller)
        #expect(result.text == Self.regions([face], width: 100, height: 50) && result.lost == [])
    }

    /// Readers ignore them. With the output's size, they would take them for right.
    @Test func regionsOfAnotherAspectRatioDoNotBecomeValid() {
        let text = Self.regions([Self.area(0.75, 0.25, 0.25, 0.5)], width: 300)
        #expect(moved(text, Frames.smaller).text == text)
        let cropped = moved(text, Frames.half)
        #expect(cropped.lost == [.region] && !cropped.text.contains("m:Regions"))
        let sameRatio = moved(
            Self.regions([Self.area(0.75, 0.25, 0.25, 0.5)], width: 4001, height: 2000), Frames.half)
        #expect(sameRatio.lost == [] && sameRatio.text.contains(#"d:w="200""#))
    }

    @Test(arguments: [
        #"a:x="0.75" a:y="0.5" a:d="0.1""#, #"a:x="0.75" a:y="a" a:w="0.1" a:h="0.1""#,
        #"a:x="0.75" a:y="nan" a:w="0.1" a:h="0.1""#, #"a:x="1e300" a:y="0" a:w="1e300" a:h="0.1""#,
        #"a:y="0.5" a:w="0.1" a:h="0.1""#,
    ])
    func whatCannotBeMovedIsLeftOut(area: String) {
        let text = Self.regions([area, Self.area(0.75, 0.5, 0.25, 0.5)])
        let result = moved(text, Frames.half)
        #expect(result.lost == [.region] && !result.text.contains(area) && result.text.contains("m:Area"))
        #expect(moved(text, Frames.smaller).text.contains(area))
    }

    @Test func aPointMovesToo() {
        let result = moved(Self.regions([#"a:x="0.75" a:y="0.5""#]), Frames.half)
        #expect(result.text.contains(#"a:x="0.5" a:y="0.5""#) && result.lost == [])
    }

    /// RDF's longer form: fields are elements, and structures are in elements of their own.
    @Test func fieldsMayBeElements() {
        let text = #"""
            <m:Regions xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><r:Description>
            <m:RegionList><r:Seq><r:li><r:Description><m:Area><r:Description><x:x> 0.75 </x:x><x:y>0.5</x:y>
            <x:w>0.25</x:w><x:h>0.5</x:h></r:Description></m:Area></r:Description></r:li></r:Seq></m:RegionList>
            </r:Description></m:Regions>
            """#
        let result = moved(text, Frames.half)
        #expect(
            result.text
                == text.replacing(" 0.75 ", with: "0.5").replacing(">0.25<", with: ">0.5<"))
        #expect(result.lost == [])
    }

    @Test func tooManyRegionsAreLeftOut() {
        let many = [String](repeating: Self.area(0.75, 0.5, 0.25, 0.5), count: 8000)
        let result = moved(Self.regions(many), Frames.half)
        #expect(result.lost == [.region] && !result.text.contains("m:Regions"))
    }

    // MARK: Microsoft and IPTC

    @Test func peopleMove() {
        func people(_ rectangle: String) -> String {
            #"""
            <M:RegionInfo xmlns:M="http://ns.microsoft.com/photo/1.2/" r:parseType="Resource"><I:Regions><r:Bag>\#
            <r:li R:Rectangle="\#(rectangle)" R:PersonDisplayName="Ann"/><r:li R:PersonDisplayName="Bob"/></r:Bag>\#
            </I:Regions></M:RegionInfo>
            """#
        }
        let text = people("0.625,0.25, 0.25, 0.5")
        #expect(moved(text, Frames.half) == (people("0.25, 0.25, 0.5, 0.5"), []))
        #expect(moved(text, Frames.turned) == (people("0.25, 0.625, 0.5, 0.25"), []))
        #expect(moved(text, Frames.smaller) == (text, []))
        let gone = moved(people("0.1, 0.1, 0.1, 0.1"), Frames.half)
        #expect(gone.lost == [.region] && !gone.text.contains("Ann") && gone.text.contains("Bob"))
    }

    private static func iptc(_ boundary: String) -> String {
        #"""
        <I:ImageRegion xmlns:I="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><r:Bag><r:li r:parseType="Resource">\#
        <I:Name>a name</I:Name><I:RegionBoundary r:parseType="Resource">\#(boundary)</I:RegionBoundary></r:li></r:Bag>\#
        </I:ImageRegion>
        """#
    }

    private static func rectangle(_ unit: String, _ numbers: [String]) -> String {
        let fields = zip(["X", "Y", "W", "H"], numbers).map { "<I:rb\($0)>\($1)</I:rb\($0)>" }
        return iptc("<I:rbShape>rectangle</I:rbShape><I:rbUnit>\(unit)</I:rbUnit>\(fields.joined())")
    }

    @Test func rectanglesOfIPTCMove() {
        let shares = Self.rectangle("relative", ["0.75", "0.25", "0.125", "0.5"])
        #expect(
            moved(shares, Frames.half) == (Self.rectangle("relative", ["0.5", "0.25", "0.25", "0.5"]), []))
        #expect(moved(shares, Frames.smaller) == (shares, []))
        let pixels = Self.rectangle("pixel", ["300", "50", "50", "100"])
        #expect(moved(pixels, Frames.half) == (Self.rectangle("pixel", ["100", "50", "50", "100"]), []))
        #expect(moved(pixels, Frames.smaller) == (Self.rectangle("pixel", ["75", "13", "13", "25"]), []))
        #expect(moved(pixels, Frames.turned) == (Self.rectangle("pixel", ["50", "300", "100", "50"]), []))
    }

    @Test func circlesAndPolygonsOfIPTCMove() {
        func circle(_ x: String, _ radius: String) -> String {
            Self.iptc(
                "<I:rbShape>circle</I:rbShape><I:rbUnit>relative</I:rbUnit><I:rbX>\(x)</I:rbX><I:rbY>0.5</I:rbY>"
                    + "<I:rbRx>\(radius)</I:rbRx>")
        }
        #expect(moved(circle("0.75", "0.1"), Frames.half) == (circle("0.5", "0.2"), []))
        // 160 of 400 pixels are 160 of 200 once the photo is turned.
        #expect(moved(circle("0.5", "0.4"), Frames.turned) == (circle("0.5", "0.8"), []))
        #expect(moved(circle("0.2", "0.1"), Frames.half).lost == [.region])
        func polygon(_ corners: [(String, String)]) -> String {
            let items = corners.map { #"<r:li I:rbX="\#($0)" I:rbY="\#($1)"/>"# }
            return Self.iptc(
                "<I:rbShape>polygon</I:rbShape><I:rbUnit>relative</I:rbUnit><I:rbVertices><r:Seq>"
                    + items.joined() + "</r:Seq></I:rbVertices>")
        }
        let inside = [("0.75", "0"), ("1", "0.5"), ("0.625", "1")]
        #expect(
            moved(polygon(inside), Frames.half) == (polygon([("0.5", "0"), ("1", "0.5"), ("0.25", "1")]), []))
        #expect(moved(polygon(inside + [("0.4", "0")]), Frames.half).lost == [.region])
    }

    // MARK: Other places

    @Test(arguments: [
        ("http://ns.google.com/photos/1.0/depthmap/", PlaceInPhoto.depth),
        ("http://ns.google.com/photos/1.0/focus/", .depth),
        ("http://ns.google.com/photos/1.0/panorama/", .panorama),
        ("http://ns.acdsee.com/regions/", .region),
    ])
    func otherPlacesEndWhereTheyMove(namespace: String, place: PlaceInPhoto) {
        let start = #"<a xmlns:p="\#(namespace)""#
        for change in [Frames.half, Frames.turned] {
            #expect(moved("\(start) p:Data='1'/>", change) == ("\(start)/>", [place]))
        }
        #expect(moved("\(start) p:Data='1'/>", Frames.smaller) == ("\(start) p:Data='1'/>", []))
    }

    @Test func extendedXMPWithPlacesIsLeftOut() {
        func metadata(_ text: String) -> PhotoMetadata {
            let header =
                Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 40)
            return PhotoMetadata(items: [.jpegSegment(marker: 0xE1, header + Array(text.utf8))])
        }
        for text in ["GDepth:Data", "MPRI:RegionInfo", "x='http://ns.google.com/photos/1.0/depthmap/'"] {
            #expect(metadata(text).moved(by: Frames.half).metadata.items == [])
            #expect(metadata(text).moved(by: Frames.smaller).metadata == metadata(text))
        }
        #expect(metadata("RegionBoundary").moved(by: Frames.smaller).metadata.items == [])
        #expect(
            metadata("photoshop:History").moved(by: Frames.half).metadata == metadata("photoshop:History"))
    }

    // MARK: EXIF

    /// The subject's area and location in the photo, and its size.
    private static func subject(_ place: [Int], size: (Int, Int), isBigEndian: Bool) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x8769, 4, 26)
        words.long(0)
        words.short(3)
        words.entry(0x9214, 3, count: place.count, at: 68)
        words.entry(0xA002, 3, size.0)
        words.entry(0xA003, 3, size.1)
        words.long(0)
        for value in place { words.short(value) }
        return words.bytes
    }

    @Test(arguments: [true, false])
    func theSubjectMoves(isBigEndian: Bool) {
        func expect(
            _ place: [Int], _ change: FrameChange, _ moved: [Int],
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let from = Self.subject(place, size: (400, 200), isBigEndian: isBigEndian)
            let size = (change.output.width, change.output.height)
            let to = Self.subject(moved, size: size, isBigEndian: isBigEndian)
            #expect(self.moved(.exif(from), change) == (.exif(to), []), sourceLocation: sourceLocation)
        }
        expect([300, 100, 40], Frames.half, [100, 100, 40])
        expect([300, 100, 40, 60], Frames.half, [100, 100, 40, 60])
        expect([300, 100, 40, 60], Frames.turned, [100, 300, 60, 40])
        expect([300, 100, 40, 60], Frames.smaller, [75, 25, 10, 15])
        // Half of it is in the output.
        expect([200, 100, 40, 60], Frames.half, [10, 100, 20, 60])
    }

    @Test func aSubjectOutsideOrOfAnotherSizeIsLeftOut() throws {
        for (place, size) in [([100, 100, 40, 60], (400, 200)), ([300, 100, 40, 60], (800, 400))] {
            let exif = try #require(EXIF(bytes: Self.subject(place, size: size, isBigEndian: true)))
            let (item, lost) = moved(.exif(exif.bytes), Frames.half)
            #expect(
                item == .exif(exif.withoutSubjectPlace().withPixelSize(width: 200, height: 200).bytes))
            #expect(lost == [.subject])
        }
    }

    private static func resolution(_ x: Int, _ y: Int) -> [UInt8] {
        var words = TIFFWords(isBigEndian: false)
        words.long(8)
        words.short(2)
        words.entry(0x011A, 5, count: 1, at: 38)
        words.entry(0x011B, 5, count: 1, at: 46)
        words.long(0)
        for value in [x, 1, y, 1] { words.long(value) }
        return words.bytes
    }

    @Test func densitiesChangePlacesWithColumnsAndRows() {
        let xmp = { (x: Int, y: Int) in
            #"<a xmlns:t="http://ns.adobe.com/tiff/1.0/" t:XResolution="\#(x)/1"><t:YResolution>\#(y)/1</t:YResolution></a>"#
        }
        let density = PixelDensity(x: 300, y: 150, unit: .perInch)
        let metadata = PhotoMetadata(
            items: [
                .exif(Self.resolution(300, 150)), .xmp(Array(xmp(300, 150).utf8)),
                PhotoshopBlock.segment(
                    PhotoshopBlock.bytes(1005, [1, 0, 0, 0, 0, 1, 0, 1, 2, 0, 0, 0, 0, 2, 0, 2])),
            ], density: density)
        #expect(metadata.moved(by: Frames.half).metadata == metadata)
        let turned = metadata.moved(by: Frames.turned).metadata
        #expect(turned.density == PixelDensity(x: 150, y: 300, unit: .perInch))
        #expect(
            turned.items == [
                .exif(Self.resolution(150, 300)), .xmp(Array(xmp(150, 300).utf8)),
                PhotoshopBlock.segment(
                    PhotoshopBlock.bytes(1005, [2, 0, 0, 0, 0, 2, 0, 2, 1, 0, 0, 0, 0, 1, 0, 1])),
            ])
    }
}
