import Foundation
import TestSupport
import Testing
import Tintype

@testable import Photos

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

    /// A crop, a border and a turn move them; a filter and a resize of the whole photo do not.
    @Test func placesInThePhotoEndWhereTheyMove() throws {
        let xmp = """
            http://ns.adobe.com/xap/1.0/\0<a \
            xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><m:Regions>a face</m:Regions></a>
            """
        let exif = Array("Exif\0\0".utf8) + EXIF(orientation: .right).bytes
        let bytes = try photo([(0xE1, exif), (0xE1, Array(xmp.utf8))])
        func hasPlaces(_ recipe: Recipe) throws -> Bool {
            let (output, notes) = try process(bytes, recipe)
            #expect(notes == [])
            return String(decoding: output, as: UTF8.self).contains("a face")
        }
        let nothing = FilterChain([])
        #expect(try hasPlaces(Recipe(Self.sepia)) && hasPlaces(Recipe(nothing, quality: .value(80))))
        #expect(try hasPlaces(Recipe(nothing, halvesSize: true)))
        #expect(try !hasPlaces(Recipe(nothing, turnsUpright: true)))
        for (filters, keeps) in [
            (["resize:long=20"], true), (["resize:long=3"], true),
            (["resize:width=20,height=7,fit=stretch"], true), (["resize:width=20,height=7,fit=fill"], false),
            (["crop:width=20"], false), (["resize:long=20", "crop:width=7"], false),
            (["border:size=2"], false),
        ] {
            #expect(try hasPlaces(Recipe(FilterChain(parsing: filters))) == keeps, "\(filters)")
        }
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
