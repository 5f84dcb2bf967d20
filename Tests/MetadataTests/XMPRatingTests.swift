import TestSupport
import Testing

@testable import TintypeMetadata

struct XMPRatingTests {
    /// A packet with a description that has these attributes and this content.
    private static func packet(_ attributes: String, _ content: String = "") -> String {
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" \(attributes)>\(content)</rdf:Description>
        </rdf:RDF></x:xmpmeta><?xpacket end="w"?>
        """
    }

    private static let xmp = #"xmlns:xmp="http://ns.adobe.com/xap/1.0/""#

    private func value(_ packet: String) -> Int? { XMPRating.value(of: Array(packet.utf8)) }

    private func setting(_ stars: Int, in packet: String) throws -> String {
        let rating = try #require(XMPRating(of: Array(packet.utf8)))
        return String(decoding: rating.setting(stars), as: UTF8.self)
    }

    /// Each with the packet that has 4 instead.
    static let forms: [(before: String, value: Int?, after: String)] = [
        (packet("\(xmp) xmp:Rating=\"2\""), 2, packet("\(xmp) xmp:Rating=\"4\"")),
        (
            packet("\(xmp) xmp:Label='5' xmp:Rating = '-1'"), -1,
            packet("\(xmp) xmp:Label='5' xmp:Rating = '4'")
        ),
        (
            packet(xmp, "\n<xmp:Label>5</xmp:Label><xmp:Rating> 3.0\n</xmp:Rating>"), 3,
            packet(xmp, "\n<xmp:Label>5</xmp:Label><xmp:Rating>4</xmp:Rating>")
        ),
        (packet(xmp, "<xmp:Rating />"), nil, packet(xmp, "<xmp:Rating >4</xmp:Rating>")),
        (packet(xmp, "<xmp:Rating>many</xmp:Rating>"), nil, packet(xmp, "<xmp:Rating>4</xmp:Rating>")),
        // Another prefix, and one that stands for something else.
        (
            packet(#"xmlns:a="http://ns.adobe.com/xap/1.0/" a:Rating="7""#), 5,
            packet(#"xmlns:a="http://ns.adobe.com/xap/1.0/" a:Rating="4""#)
        ),
    ]

    @Test(arguments: forms) func eachFormIsReadAndSet(before: String, value: Int?, after: String) throws {
        #expect(self.value(before) == value)
        #expect(try setting(4, in: before) == after)
        #expect(self.value(after) == 4)
    }

    @Test func aPacketWithoutRatingGetsOne() throws {
        let known = Self.packet("xmlns:a='http://ns.adobe.com/xap/1.0/'", "<a:Label>red</a:Label>")
        #expect(value(known) == nil)
        #expect(
            try setting(3, in: known)
                == known.replacing("Description rdf", with: #"Description a:Rating="3" rdf"#))
        let other = Self.packet(#"xmlns:xmp="http://example.com/" xmp:Rating="1""#)
        #expect(value(other) == nil)
        let set = try setting(3, in: other)
        #expect(
            set
                == other.replacing(
                    "Description rdf",
                    with: #"Description xmlns:xmp_="http://ns.adobe.com/xap/1.0/" xmp_:Rating="3" rdf"#))
        #expect(value(set) == 3)
        #expect(value(String(decoding: XMPRating.packet(with: 5), as: UTF8.self)) == 5)
    }

    @Test func ratingsOfOtherPhotosDoNotCount() throws {
        let ingredient = """
            <a:Ingredients xmlns:a="http://example.com/"><rdf:Bag><rdf:li xmp:Rating="1" rdf:parseType="Resource">\
            <xmp:Rating>1</xmp:Rating></rdf:li></rdf:Bag></a:Ingredients>
            """
        let packet = Self.packet(Self.xmp, ingredient + "<xmp:Rating>4</xmp:Rating>")
        #expect(value(packet) == 4)
        #expect(try setting(0, in: packet) == packet.replacing(">4<", with: ">0<"))
        #expect(value(Self.packet(Self.xmp, ingredient)) == nil)
    }

    @Test func damagedPacketsAreLeftOrGetTheRating() {
        var generator = SeededGenerator(seed: 11)
        let special = [
            "<", ">", "/", "\"", "'", ":", "xmlns:xmp=", "xmp:Rating", "<!--", "]]>", "rdf:", " ", "=",
        ]
        var refused = 0
        for index in 0..<3000 {
            var bytes = Array(Self.forms[index % Self.forms.count].before.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0...8, using: &generator))
                bytes.replaceSubrange(start..<end, with: special.randomElement(using: &generator)!.utf8)
            }
            if let rating = XMPRating(of: bytes) {
                let set = rating.setting(3)
                #expect(XMPRating.value(of: set) == 3, "\(String(decoding: set, as: UTF8.self))")
            } else {
                refused += 1
            }
        }
        // Otherwise the packets test nothing.
        #expect((300..<2700).contains(refused), "\(refused)")
    }

    @Test func whatCannotBeReadIsLeft() {
        let whole = Self.packet("\(Self.xmp) xmp:Rating=\"2\"")
        for packet in [
            "", "no XML", String(whole.dropLast(40)), whole.replacing("</rdf:RDF>", with: ""),
            "<!DOCTYPE x>" + whole,
            Self.packet(Self.xmp, "<xmp:Rating><rdf:value>3</rdf:value></xmp:Rating>"),
            #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/><!-- Rating -->"#,
        ] {
            #expect(XMPRating(of: Array(packet.utf8)) == nil, "\(packet)")
            #expect(value(packet) == nil)
        }
        // In UTF-16.
        #expect(XMPRating(of: whole.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == nil)
    }
}
