import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypePhotos

/// A JPEG's metadata in the output, and the notes on it.
struct OutputMetadataTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG with these segments before its own.
    private func photo(_ segments: [(marker: UInt8, bytes: [UInt8])], tail: String = "") throws -> [UInt8] {
        var parts: [UInt8] = []
        for (marker, bytes) in segments {
            let length = bytes.count + 2
            parts += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
            parts += bytes
        }
        var bytes = try TestPhoto.jpeg(width: 40, height: 24, seed: 1)
        bytes.insert(contentsOf: parts, at: 2)
        return bytes + Array(tail.utf8)
    }

    private func process(_ bytes: [UInt8], _ recipe: Recipe) throws -> (bytes: [UInt8], notes: [PhotoNote]) {
        let path = try folder.write(bytes, to: "photo.jpg")
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(path)])
        let job = PhotoJob(
            photo: try #require(collector.photos.first), output: .file(path: folder.path("out/photo")))
        let pipeline = PhotoPipeline(recipe, overwrites: true)
        let notes = try pipeline.process(job, on: SIMDDevice(), isCancelled: { false }).notes
        return (try folder.read("out/photo"), notes)
    }

    private func metadata(_ bytes: [UInt8]) throws -> PhotoMetadata {
        try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata
    }

    /// The segments of an Ultra HDR photo.
    private static let gainMap: [(marker: UInt8, bytes: [UInt8])] = [
        (
            0xE1,
            Array("http://ns.adobe.com/xap/1.0/\0".utf8)
                + Array(
                    #"<a xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" h:Version="1.0" b="kept"/>"#.utf8)
        ),
        (0xE2, Array("MPF\0II*\0".utf8)),
    ]
    private static let sepia = FilterChain([Sepia()])

    @Test(arguments: [
        Recipe(sepia), Recipe(FilterChain([]), quality: .value(80)),
        Recipe(FilterChain([]), halvesSize: true),
        Recipe(FilterChain([]), format: .png), Recipe(FilterChain([]), stripsMetadata: true),
    ])
    func picturesAfterThePhotoAreRemovedWithTheirMetadata(recipe: Recipe) throws {
        let bytes = try photo(Self.gainMap, tail: "a gain map")
        let (output, notes) = try process(bytes, recipe)
        #expect(notes == [.furtherPicturesLeftOut([.gainMap])])
        let text = String(decoding: output, as: UTF8.self)
        #expect(!text.contains("hdr-gain-map") && !text.contains("MPF") && !text.contains("a gain map"))
        #expect(text.contains(#"<a b="kept"/>"#) == !recipe.stripsMetadata)
        #expect(
            notes.first?.description
                == "The HDR gain map after the photo was left out; the output is the photo alone.")
    }

    @Test func aPhotoThatDoesNotChangeKeepsThem() throws {
        let bytes = try photo(Self.gainMap, tail: "a gain map")
        let (output, notes) = try process(bytes, Recipe(FilterChain([Sepia(intensity: 0)])))
        #expect(output == bytes && notes == [])
    }

    @Test func severalPicturesAreNamedInOneNote() {
        let note = PhotoNote.furtherPicturesLeftOut([.picture, .video, .gainMap])
        #expect(
            "\(note)"
                == "The HDR gain map, motion video and further pictures after the photo were left out; "
                + "the output is the photo alone.")
    }

    /// If a photo with an sRGB profile turns grey, it gets a grey profile. With another profile it stays in
    /// colour, and without a profile it gets none.
    @Test func greyKeepsTheMeaningOfItsNumbers() throws {
        let noir = Recipe(FilterChain([Noir()]))
        let plain = try process(try photo([]), noir)
        #expect(try metadata(plain.bytes).icc == nil && plain.notes == [])
        for (name, expected) in [("sRGB IEC61966-2.1", ICCProfile.sRGBGrey), ("Adobe RGB (1998)", nil)] {
            let rgb = Self.profile("RGB ", name)
            let (output, notes) = try process(try photo([Self.segment(profile: rgb)]), noir)
            let reader = try PhotoReader(bytes: output, limits: DecodeLimits())
            #expect(reader.metadata.icc?.bytes == (expected?.bytes ?? rgb) && notes == [])
            #expect(reader.layout.hasColour == (expected == nil))
        }
    }

    @Test func linearPhotosAreNotTakenForSRGB() throws {
        let linear = ColourEncoding(curve: .power(1), primaries: .sRGB).profile(
            hasColour: true, description: "Linear sRGB")
        let profile = try #require(linear)
        let output = try process(
            try photo([Self.segment(profile: profile.bytes)]), Recipe(FilterChain([Noir()])))
        let reader = try PhotoReader(bytes: output.bytes, limits: DecodeLimits())
        #expect(reader.metadata.icc == profile && reader.layout.hasColour)
    }

    /// A header, one tag, and the description in version 2's form.
    private static func profile(_ space: String, _ description: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(16..<20, with: space.utf8)
        bytes += [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, 0]
        return bytes + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(description.utf8.count)]
            + description.utf8
    }

    private static func segment(profile: [UInt8], count: UInt8 = 1) -> (marker: UInt8, bytes: [UInt8]) {
        (0xE2, Array("ICC_PROFILE\0".utf8) + [1, count] + profile)
    }

    @Test func unusableMetadataGivesNotes() throws {
        let sepia = Recipe(Self.sepia)
        let halfAProfile = try photo([Self.segment(profile: Self.profile("RGB ", "sRGB"), count: 2)])
        #expect(try process(halfAProfile, sepia).notes == [.profileDamaged])
        let grey = try photo([Self.segment(profile: Self.profile("GRAY", "Dot Gain 20%"))])
        #expect(try process(grey, sepia).notes == [.profileLeftOut])
        let extended = "http://ns.adobe.com/xmp/extension/\0" + String(repeating: "A", count: 40)
        let photo = try photo([(0xE1, Array(extended.utf8)), (0xFE, Array("kept".utf8))])
        let toPNG = try process(photo, Recipe(Self.sepia, format: .png))
        #expect(toPNG.notes == [.extendedXMPLeftOut])
        #expect(try process(photo, sepia).notes == [])
        #expect(try process(photo, Recipe(Self.sepia, format: .png, stripsMetadata: true)).notes == [])
    }

    @Test func transparencyThatAJPEGLosesGivesANote() throws {
        let clear = try TestPhoto.transparentPNG(width: 8, height: 8, seed: 1)
        let opaque = try TestPhoto.png(width: 8, height: 8, seed: 1)
        for recipe in [Recipe(FilterChain([]), format: .jpeg), Recipe(Self.sepia, format: .jpeg)] {
            let notes = try process(clear, recipe).notes
            #expect(notes == [.transparencyLost])
            #expect(
                notes.first?.description
                    == "What was transparent is white: a JPEG has no transparency; a PNG keeps it.")
            #expect(try process(opaque, recipe).notes == [])
        }
        #expect(try process(clear, Recipe(Self.sepia)).notes == [])
    }

    @Test func contentCredentialsOfTheOldPixelsAreRemoved() throws {
        let box = Array("JP".utf8) + [0, 1, 0, 0, 0, 1, 0, 0, 0, 8] + Array("jumb".utf8)
        let bytes = try photo([(0xEB, box)])
        let (output, notes) = try process(bytes, Recipe(Self.sepia))
        #expect(try notes == [.boxesLeftOut] && !metadata(output).hasBoxes)
        let smaller = try process(bytes, Recipe(FilterChain([]), quality: .value(80)))
        #expect(try smaller.notes == [.boxesLeftOut] && !metadata(smaller.bytes).hasBoxes)
        #expect(try process(bytes, Recipe(Self.sepia, stripsMetadata: true)).notes == [])
        let copy = try process(bytes, Recipe(FilterChain([])))
        #expect(copy.notes == [] && copy.bytes == bytes)
        let toPNG = try process(bytes, Recipe(Self.sepia, format: .png))
        #expect(toPNG.notes == [.segmentsLeftOut(names: ["APP11"])])
    }

    /// A face in the columns 25 to 35 and rows 6 to 18 of the photo as it is stored, which is shown turned clockwise.
    private static let face = #"x="0.75" y="0.5" w="0.25" h="0.5""#

    private static func regions(_ area: String, width: Int = 40, height: Int = 24) -> [UInt8] {
        Array(
            #"""
            http://ns.adobe.com/xap/1.0/\#0<a xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><m:Regions>\#
            <m:AppliedToDimensions w="\#(width)" h="\#(height)" unit="pixel"/><m:RegionList><Bag><li><m:Area \#(area)/>\#
            </li></Bag></m:RegionList></m:Regions></a>
            """#.utf8)
    }

    private func photoWithFace() throws -> [UInt8] {
        let exif = Array("Exif\0\0".utf8) + EXIF(orientation: .right).bytes
        return try photo([(0xE1, exif), (0xE1, Self.regions(Self.face))])
    }

    @Test func regionsFollowThePhoto() throws {
        let turned = #"x="0.5" y="0.75" w="0.5" h="0.25""#
        let framed = #"x="0.727273" y="0.5" w="0.227273" h="0.428571""#
        let cases: [(filters: [String], turns: Bool, area: String?, width: Int, height: Int)] = [
            (["sepia"], false, Self.face, 40, 24), (["resize:long=20"], false, Self.face, 20, 12),
            (["resize:long=3"], false, Self.face, 3, 2),
            (["resize:width=20,height=7,fit=stretch"], false, Self.face, 7, 20), ([], true, turned, 24, 40),
            (["resize:long=20"], true, turned, 12, 20),
            (["crop:width=20"], false, #"x="0.75" y="0.5" w="0.25" h="0.6""#, 40, 20),
            (["crop:width=20"], true, #"x="0.5" y="0.75" w="0.6" h="0.25""#, 20, 40),
            (["border:size=2"], false, framed, 44, 28),
            (["border:size=2", "resize:scale=0.5"], false, framed, 22, 14),
            // The whole size again, with a frame above and another part.
            (
                ["crop:height=20,y=1", "border:size=0,aspect=3:5"], false,
                #"x="0.5" y="0.5" w="0.25" h="0.5""#, 40, 24
            ),
            (["crop:height=20,y=0"], false, nil, 20, 24),
            (["resize:width=20,height=7,fit=fill"], false, nil, 7, 20),
        ]
        let photo = try photoWithFace()
        for (filters, turns, area, width, height) in cases {
            let recipe = Recipe(try FilterChain(parsing: filters), quality: .value(80), turnsUpright: turns)
            let (output, notes) = try process(photo, recipe)
            let label = "\(filters) \(turns)"
            #expect(notes == (area == nil ? [.placesLeftOut([.region])] : []), "\(label)")
            let packet = try metadata(output).items.compactMap {
                if case .xmp(let bytes) = $0 { bytes } else { nil }
            }
            let expected = area.map { Self.regions($0, width: width, height: height).dropFirst(29) }
            let text = String(decoding: packet.first ?? [], as: UTF8.self)
            if let expected {
                #expect(text == String(decoding: expected, as: UTF8.self), "\(label)")
            } else {
                #expect(!text.contains("Area"), "\(label)")
            }
        }
    }

    /// One output begins with the resizing of the other.
    @Test func regionsFollowOutputsThatShareADecoding() throws {
        let path = try folder.write(try photoWithFace(), to: "photo")
        let recipes = try [["resize:long=20"], ["resize:long=10", "crop:height=5,y=1"]].map {
            Recipe(try FilterChain(parsing: $0))
        }
        let outputs = recipes.indices.map {
            PhotoOutput(.file(path: folder.path("shared/\($0)")), recipe: $0, overwrites: true)
        }
        let results = PhotoRun(
            PhotoPipeline(recipes[0]), EncodedImage(path: path, format: .jpeg), outputs, of: recipes,
            on: SIMDDevice(), isCancelled: { false }
        ).results()
        for (index, area) in [Self.face, #"x="0.5" y="0.5" w="0.5" h="0.5""#].enumerated() {
            _ = try results[index].get()
            let text = String(decoding: try folder.read("shared/\(index)"), as: UTF8.self)
            #expect(text.contains("<m:Area \(area)/>"), "\(text.prefix(900))")
        }
    }

    @Test func aLinkToContentCredentialsIsRemoved() throws {
        let link = #"<a xmlns:d="http://purl.org/dc/terms/" d:provenance="https://host/1" b="kept"/>"#
        let bytes = try photo([(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(link)".utf8))])
        let (output, notes) = try process(bytes, Recipe(Self.sepia))
        let text = String(decoding: output, as: UTF8.self)
        #expect(notes == [.credentialsLinkLeftOut])
        #expect(text.contains(#"<a xmlns:d="http://purl.org/dc/terms/" b="kept"/>"#))
        let copy = try process(bytes, Recipe(FilterChain([])))
        #expect(copy.notes == [] && copy.bytes == bytes)
    }

    @Test func aSegmentWithAPreviewIsRemovedIfPixelsChange() throws {
        let preview = try TestPhoto.jpeg(width: 16, height: 16, seed: 2)
        let bytes = try photo([(0xE2, preview), (0xE2, Array("kept".utf8))])
        let (output, notes) = try process(bytes, Recipe(Self.sepia))
        #expect(notes == [.segmentsWithImagesLeftOut(names: ["APP2"])])
        #expect(try metadata(output).items == [.jpegSegment(marker: 0xE2, Array("kept".utf8))])
        let smaller = try process(bytes, Recipe(FilterChain([]), quality: .value(80)))
        #expect(try smaller.notes == [] && metadata(smaller.bytes).items.count == 2)
    }

    /// EXIF with a preview that no directory lists, only the maker note.
    @Test func aPreviewInTheMakerNoteGivesANoteIfPixelsChange() throws {
        let exif = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
        let bytes = try photo([(0xE1, exif + [0xFF, 0xD8, 0xFF, 0xFE, 0, 2, 0xFF, 0xD9])])
        #expect(try process(bytes, Recipe(Self.sepia)).notes == [.previewInMakerNote])
        #expect(try process(bytes, Recipe(Self.sepia, stripsMetadata: true)).notes == [])
        #expect(try process(bytes, Recipe(FilterChain([]), quality: .value(80))).notes == [])
    }

    @Test func aPNGsRawProfileHasNoThumbnailOfOldPixels() throws {
        let geometry = PhotoGeometry(width: 40, height: 24), layout = PixelLayout.interleaved(.rgb, .eight)
        // Resource 1036, without a name and data.
        let profile = "Raw profile type 8bim\0\n8bim\n      12\n3842494d040c000000000000\n"
        let path = try folder.write([], to: "photo.png")
        let file = try #require(FileHandle(forWritingAtPath: path))
        let writer = try PhotoWriter(
            fileDescriptor: file.fileDescriptor,
            settings: PhotoWriterSettings(
                format: .png, geometry: geometry, layout: layout,
                metadata: PhotoMetadata(items: [.pngChunk(name: "tEXt", Array(profile.utf8))])))
        try writer.write(MemoryPhoto(noise: geometry, layout: layout, seed: 1).strip)
        try writer.finish()
        for (chain, isKept) in [(FilterChain([]), true), (Self.sepia, false)] {
            let output = try PhotoPipeline(Recipe(chain)).process(EncodedImage(path: path), on: SIMDDevice())
            #expect(try metadata(output.image.bytes()).items.isEmpty == !isKept)
        }
    }

    @Test func metadataAfterTheImagesBeginningGivesANote() throws {
        var bytes = try photo([])
        bytes.insert(contentsOf: [0xFF, 0xFE, 0, 6] + Array("late".utf8), at: bytes.count - 2)
        #expect(try process(bytes, Recipe(Self.sepia)).notes == [.lateMetadataLeftOut])
        #expect(try process(bytes, Recipe(Self.sepia, stripsMetadata: true)).notes == [])
        let copy = try process(bytes, Recipe(FilterChain([])))
        #expect(copy.notes == [] && copy.bytes == bytes)
    }
}
