import TestSupport
import Testing
import Tintype
import TintypeMetadata

@testable import TintypePhotos

/// Outputs that are converted to sRGB: pixels, profile and notes.
struct SRGBOutputTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let nothing = FilterChain([])

    /// A JPEG with a profile, and EXIF whose colour space is "uncalibrated", as phones write it.
    private func photo(_ profile: ICCProfile?) throws -> [UInt8] {
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, 1, 0xA0, 0x01, 0, 3, 0, 0, 0, 1, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]
        return try photo(profile, exif)
    }

    /// A JPEG without a profile, whose EXIF says Adobe RGB: DCF's "option file".
    private func optionFile() throws -> [UInt8] {
        let exif: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
            + [0, 2, 0xA0, 0x01, 0, 3, 0, 0, 0, 1, 0xFF, 0xFF, 0, 0]
            + [0xA0, 0x05, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56, 0, 0, 0, 0]
            + [0, 1, 0, 1, 0, 2, 0, 0, 0, 4] + Array("R03\0".utf8) + [0, 0, 0, 0]
        return try photo(nil, exif)
    }

    private func photo(_ profile: ICCProfile?, _ exif: [UInt8]) throws -> [UInt8] {
        var parts = segment(0xE1, Array("Exif\0\0".utf8) + exif)
        if let profile { parts += segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile.bytes) }
        var bytes = try TestPhoto.jpeg(width: 40, height: 57, seed: 3)
        bytes.insert(contentsOf: parts, at: 2)
        return bytes
    }

    private func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)] + bytes
    }

    private static let p3 = ColourEncoding(curve: .sRGB, primaries: .displayP3)
        .profile(hasColour: true, description: "Display P3")

    private func process(_ bytes: [UInt8], _ recipe: Recipe) throws -> (bytes: [UInt8], notes: [PhotoNote]) {
        let path = try folder.write(bytes, to: "photo")
        let output = try PhotoPipeline(recipe).process(EncodedImage(path: path), on: SIMDDevice())
        return (try output.image.bytes(), output.notes)
    }

    private func metadata(_ bytes: [UInt8]) throws -> PhotoMetadata {
        try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata
    }

    /// libjxl takes its values for sRGB.
    @Test func anOptionFileInAJPEGXLKeepsItsMeaning() throws {
        let wrapped = try process(optionFile(), Recipe([], format: .jxl))
        #expect(wrapped.notes.isEmpty)
        #expect(try metadata(wrapped.bytes).icc == .adobeRGB)
        let png = try process(wrapped.bytes, Recipe([], format: .png))
        #expect(try metadata(png.bytes).icc == .adobeRGB)
        #expect(try process(wrapped.bytes, Recipe([], format: .jpeg)).bytes == optionFile())
    }

    @Test(arguments: [PhotoFormat.jpeg, .png], [true, false])
    func aConvertedPhotoHasOtherPixelsAndOtherMetadata(format: PhotoFormat, strips: Bool) throws {
        var recipe = Recipe(Self.nothing, format: format, quality: .value(95), stripsMetadata: strips)
        let photo = try photo(Self.p3)
        let before = try process(photo, recipe).bytes
        recipe.convertsToSRGB = true
        let (after, notes) = try process(photo, recipe)
        #expect(notes.isEmpty)
        #expect(try EncodedImage(bytes: before).pixels() != EncodedImage(bytes: after).pixels())
        let metadata = try metadata(after)
        #expect(metadata.icc == .sRGB)
        #expect(metadata.items.count == (strips ? 1 : 2))
        // "Uncalibrated" would now be false; 1 is sRGB (Exif 2.32, 4.6.5).
        let value = metadata.exif.map { Array($0.bytes[36..<38]) }
        #expect(value == (strips ? nil : [0, 1]))
    }

    @Test func aPhotoInSRGBOrWithoutAProfileKeepsItsBytes() throws {
        for profile in [nil, ICCProfile.sRGB] {
            let photo = try photo(profile)
            for chain in [Self.nothing, FilterChain([Sepia()])] {
                let kept = try process(photo, Recipe(chain)).bytes
                #expect(try process(photo, Recipe(chain, convertsToSRGB: true)).bytes == kept)
            }
        }
    }

    /// Of which few programs know, and which --strip would remove.
    @Test func adobeRGBThatOnlyEXIFSaysGetsAProfile() throws {
        let photo = try optionFile(), sepia = FilterChain([Sepia()])
        #expect(try process(photo, Recipe(Self.nothing)).bytes == photo, "a copy has no other metadata")
        for recipe in [
            Recipe(Self.nothing, stripsMetadata: true), Recipe(sepia), Recipe(sepia, stripsMetadata: true),
            Recipe(Self.nothing, format: .png),
        ] {
            let (bytes, notes) = try process(photo, recipe)
            #expect(try metadata(bytes).icc == .adobeRGB && notes == [])
            #expect(try (metadata(bytes).exif == nil) == recipe.stripsMetadata)
        }
        let toSRGB = Recipe(Self.nothing, convertsToSRGB: true)
        let converted = try process(photo, toSRGB).bytes
        #expect(try metadata(converted).icc == .sRGB && metadata(converted).exif?.saysAdobeRGB == false)
        let same = try process(self.photo(.adobeRGB), toSRGB).bytes
        #expect(try EncodedImage(bytes: converted).pixels() == EncodedImage(bytes: same).pixels())
        #expect(try EncodedImage(bytes: converted).pixels() != EncodedImage(bytes: photo).pixels())
    }

    @Test func aGreyOutputOfAConvertedPhotoHasAGreyProfile() throws {
        let noir = Recipe(FilterChain([Noir()]), convertsToSRGB: true)
        let photo = try photo(Self.p3)
        #expect(try metadata(process(photo, noir).bytes).icc == .sRGBGrey)
    }

    @Test func anUnusableProfileStaysWithANote() throws {
        let header = ICCProfile(bytes: Array(try #require(Self.p3?.bytes).prefix(128)))
        let photo = try photo(header)
        for chain in [Self.nothing, FilterChain([Sepia()])] {
            let (bytes, notes) = try process(photo, Recipe(chain, convertsToSRGB: true))
            #expect(bytes == (try process(photo, Recipe(chain)).bytes))
            #expect(try metadata(bytes).icc == header)
            #expect(notes.count == 1 && notes[0].description.contains("not converted to sRGB"))
        }
    }

    /// They need other decoded samples, so the photo is decoded once for each kind.
    @Test func outputsWithAndWithoutConversionAreThoseThatAreMadeAlone() throws {
        let sepia = FilterChain([Sepia()])
        let recipes = [
            Recipe(sepia), Recipe(sepia, convertsToSRGB: true), Recipe(Self.nothing, convertsToSRGB: true),
            Recipe(sepia, format: .png), Recipe(sepia, format: .png, convertsToSRGB: true),
            Recipe(sepia, halvesSize: true, convertsToSRGB: true),
        ]
        let photo = try photo(Self.p3)
        let path = try folder.write(photo, to: "several")
        let outputs = recipes.indices.map {
            PhotoOutput(.file(path: folder.path("out/\($0)")), recipe: $0, overwrites: false)
        }
        let results = PhotoRun(
            PhotoPipeline(recipes[0]), try EncodedImage(path: path), outputs, of: recipes, on: SIMDDevice(),
            isCancelled: { false }
        ).results()
        for (index, recipe) in recipes.enumerated() {
            _ = try results[index].get()
            // Halves are averaged from the shared decode.
            if recipe.halvesSize { continue }
            #expect(try folder.read("out/\(index)") == process(photo, recipe).bytes, "\(index)")
        }
    }
}
