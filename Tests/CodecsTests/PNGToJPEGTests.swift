import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Conversion of a PNG's metadata for a JPEG.
struct PNGToJPEGTests {
    @Test func textGivesANoteAndCommentsAreKept() throws {
        let result = try PNGFile([
            PNGChunk("tEXt", "Comment\0hello"), PNGChunk("tEXt", "Author\0me"),
            PNGChunk(keyword: "Title", deflating: Array("t".utf8)),
        ]).converted()
        #expect(result.metadata.items == [.comment(Array("hello".utf8))])
        #expect(result.notes == [.textLeftOut(keywords: ["Author", "Title"])])
        #expect(
            result.notes[0].description
                == "Text was left out because a JPEG has no place for it (Author, Title); a PNG keeps it.")
    }

    /// Keywords come from the file, and notes print them on a terminal.
    @Test func notesListKeywordsOnceWithoutControlCharacters() throws {
        let chunks = ["Author\0me", "\u{1B}[2J\n\0a", "Author\0you"].map { PNGChunk("tEXt", $0) }
        #expect(try PNGFile(chunks).converted().notes == [.textLeftOut(keywords: ["Author", "?[2J?"])])
    }

    @Test func iptcBecomesASegment() throws {
        let iptc: [UInt8] = [0x1C, 2, 5, 0, 3] + Array("cat".utf8)
        let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 8] + iptc
        for content in [iptc, resource] {
            let text = PNGMetadataTests.rawProfile("iptc", content)
            let result = try PNGFile(behind: [PNGChunk(keyword: "Raw profile type iptc", deflating: text)])
                .converted()
            let expected = Array("Photoshop 3.0\0".utf8) + resource
            #expect(result.metadata.items == [.jpegSegment(marker: 0xED, expected)] && result.notes == [])
        }
    }

    @Test func largeEXIFGivesANote() throws {
        let exif = EXIF(orientation: .left).bytes + [UInt8](repeating: 0, count: 70_000)
        let result = try PNGFile([PNGChunk(name: "eXIf", bytes: exif)]).converted()
        #expect(result.metadata.items == [.exif(EXIF(orientation: .left).bytes)], "the pixels need it")
        #expect(result.notes == [.tooLargeForJPEG(names: ["EXIF"])])
        let upright = EXIF(orientation: .up).bytes + [UInt8](repeating: 0, count: 70_000)
        #expect(try PNGFile([PNGChunk(name: "eXIf", bytes: upright)]).converted().metadata.items == [])
    }

    @Test func largeEXIFFitsWithoutItsThumbnail() throws {
        func exif(tags: (Int, Int)?, thumbnail: [UInt8]) -> [UInt8] {
            TIFFWords.cameraWithMakerNote(isBigEndian: true, tags: tags, thumbnail: thumbnail, tail: [])
        }
        let large = exif(tags: (0x0201, 0x0202), thumbnail: [UInt8](repeating: 0xAB, count: 70_000))
        let result = try PNGFile([PNGChunk(name: "eXIf", bytes: large)]).converted()
        #expect(result.metadata.items == [.exif(exif(tags: nil, thumbnail: []))] && result.notes == [])
    }

    /// The parts are joined as XMP Specification Part 3 says, 1.1.3.1.
    @Test func largeXMPIsExtended() throws {
        let packet = [UInt8](repeating: 0x61, count: 150_000)
        let result = try PNGFile([PNGChunk(deflatingXMP: packet)]).converted()
        #expect(result.notes == [])
        // printf 'a%.0s' $(seq 150000) | md5sum
        let digest = "3FF39D998BC4E1732D895CB5E0E7793F"
        let segments = try JPEGSegments.segments(for: result.metadata)
        let standIn = String(decoding: segments[0].bytes, as: UTF8.self)
        #expect(standIn.hasPrefix("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta "))
        #expect(standIn.contains("xmpNote:HasExtendedXMP=\"\(digest)\""))
        var joined: [UInt8] = []
        for segment in segments.dropFirst() {
            let head = Array("http://ns.adobe.com/xmp/extension/\0\(digest)".utf8)
            #expect(segment.marker == 0xE1 && segment.bytes.starts(with: head))
            let numbers = segment.bytes.dropFirst(head.count).prefix(8)
            #expect(numbers.prefix(4).elementsEqual(UInt32(packet.count).bigEndianBytes))
            #expect(numbers.suffix(4).elementsEqual(UInt32(joined.count).bigEndianBytes))
            joined += segment.bytes.dropFirst(head.count + 8)
        }
        #expect(joined == packet)
    }

    // MARK: Colours

    /// A tag's content, by its entry in the profile's table.
    private func tag(_ name: String, of profile: ICCProfile) throws -> ArraySlice<UInt8> {
        let bytes = profile.bytes
        func word(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let entry = try #require(
            (0..<word(128)).map { 132 + 12 * $0 }.first { bytes[$0..<$0 + 4].elementsEqual(name.utf8) })
        #expect(word(0) == bytes.count && word(entry + 4) + word(entry + 8) <= bytes.count)
        return bytes[word(entry + 4)..<word(entry + 4) + word(entry + 8)]
    }

    /// The numbers behind `offset` bytes: 16 bits before the point, 16 behind it.
    private func numbers(_ tag: ArraySlice<UInt8>, from offset: Int) -> [Double] {
        let bytes = Array(tag.dropFirst(offset))
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            Double(Int32(bitPattern: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })) / 65536
        }
    }

    @Test func linearNumbersGetALinearProfile() throws {
        let result = try PNGFile([PNGChunk(gamma: 100_000)]).converted()
        let profile = try #require(result.metadata.icc)
        #expect(profile.colourSpace == .rgb && !profile.isSRGB && result.notes == [])
        #expect(profile.profileDescription == "As the PNG's gAMA said")
        for name in ["rTRC", "gTRC", "bTRC"] {
            let curve = try tag(name, of: profile)
            #expect(curve.prefix(12).elementsEqual(Array("para\0\0\0\0\0\0\0\0".utf8)))
            #expect(numbers(curve, from: 12) == [1])
        }
        // sRGB's primaries adapted to D50, as in sRGB2014.icc of the International Color Consortium.
        let columns = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7139]]
        for (name, expected) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
            let column = try numbers(tag(name, of: profile), from: 8)
            #expect(zip(column, expected).allSatisfy { abs($0 - $1) < 0.0006 }, "\(name): \(column)")
        }
    }

    @Test func displayP3GetsItsProfile() throws {
        let result = try PNGFile([PNGChunk(name: "cICP", bytes: [12, 13, 0, 1])]).converted()
        let profile = try #require(result.metadata.icc)
        // As in Apple's Display P3 profile.
        let columns = [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]
        for (name, expected) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
            let column = try numbers(tag(name, of: profile), from: 8)
            #expect(zip(column, expected).allSatisfy { abs($0 - $1) < 0.0006 }, "\(name): \(column)")
        }
        let curve = try numbers(tag("gTRC", of: profile), from: 12)
        let expected = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        #expect(zip(curve, expected).allSatisfy { abs($0 - $1) < 1.0 / 65536 })
    }

    /// libpng writes these for sRGB: a JPEG without a profile says the same.
    @Test(arguments: [
        [PNGChunk(gamma: 45455)], [PNGChunk("sRGB", "\0"), PNGChunk(gamma: 100_000)],
        [PNGChunk(name: "cICP", bytes: [1, 13, 0, 1])], [],
        [
            PNGChunk(gamma: 45455),
            PNGChunk(
                name: "cHRM",
                bytes: [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap {
                    UInt32($0).bigEndianBytes
                }),
        ],
    ])
    func sRGBNeedsNoProfile(chunks: [PNGChunk]) throws {
        let result = try PNGFile(chunks).converted()
        #expect(result.metadata.items == [] && result.notes == [])
    }

    @Test func greyNumbersGetAGreyProfile() throws {
        let metadata = try PNGFile([PNGChunk(gamma: 100_000)]).reader().metadata
        let (converted, _) = metadata.converted(
            from: .png, to: .jpeg, hasColour: false, limits: DecodeLimits())
        let profile = try #require(converted.icc)
        #expect(profile.colourSpace == .grey)
        #expect(try numbers(tag("kTRC", of: profile), from: 12) == [1])
    }

    /// PQ and HLG; and a profile beside them is meant for those that do not know cICP.
    @Test func whatAJPEGCannotHoldGivesANote() throws {
        for curve: UInt8 in [16, 18] {
            let codes = PNGChunk(name: "cICP", bytes: [9, curve, 0, 1])
            let result = try PNGFile([codes]).converted()
            #expect(result.metadata.icc == nil && result.notes == [.colourMeaningLost])
            let both = try PNGFile([codes, PNGChunk(deflatingProfile: [1, 2])]).converted()
            #expect(both.metadata.icc?.bytes == [1, 2] && both.notes == [])
        }
    }

    @Test func nonsenseIsNoColour() throws {
        let points = PNGChunk(name: "cHRM", bytes: [UInt8](repeating: 0, count: 32))
        for chunk in [PNGChunk(gamma: 0), PNGChunk("gAMA", "x"), points, PNGChunk("cHRM", "x")] {
            #expect(try PNGFile([chunk]).converted().metadata.icc == nil)
        }
    }
}
