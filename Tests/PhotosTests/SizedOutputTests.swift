import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeMetadata

@testable import TintypePhotos

/// Outputs whose files may have so many bytes only.
struct SizedOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let noir = FilterChain([Noir()])

    private func process(_ bytes: [UInt8], _ recipe: Recipe) throws -> [UInt8] {
        let path = try folder.write(bytes, to: "photo")
        return try PhotoPipeline(recipe).process(EncodedImage(path: path), on: SIMDDevice()).image.bytes()
    }

    private func photo() throws -> [UInt8] { try TestPhoto.jpeg(width: 160, height: 120, seed: 4) }

    /// The best quality from 1 to 100 whose file fits.
    private func best(_ recipe: Recipe, limit: Int) throws -> [UInt8]? {
        var recipe = recipe
        recipe.maxByteCount = nil
        let files = try (1...100).map { quality in
            recipe.quality = .value(quality)
            return try process(photo(), recipe)
        }
        return files.last { $0.count <= limit }
    }

    @Test(arguments: [false, true], [false, true])
    func aJPEGHasTheBestQualityThatFits(isProgressive: Bool, optimizes: Bool) throws {
        let recipe = Recipe(Self.noir, optimizesCodes: optimizes, isProgressive: isProgressive)
        let usual = try process(photo(), recipe)
        for limit in [usual.count * 9 / 10, usual.count / 2, usual.count / 4] {
            var sized = recipe
            sized.maxByteCount = limit
            let file = try process(photo(), sized)
            #expect(file.count <= limit)
            #expect(try file == best(recipe, limit: limit))
        }
    }

    @Test(arguments: [PhotoFormat.jpeg, .png, .webp, .jxl, .tiff])
    func whatFitsIsAsWithoutALimit(format: PhotoFormat) throws {
        for chain in [Self.noir, FilterChain([Sepia()])] {
            var recipe = Recipe(chain, format: format)
            let usual = try process(photo(), recipe)
            recipe.maxByteCount = usual.count
            #expect(try process(photo(), recipe) == usual)
        }
    }

    @Test(arguments: [PhotoFormat.webp, .jxl]) func otherFormatsHaveLessQuality(format: PhotoFormat) throws {
        var recipe = Recipe(Self.noir, format: format)
        let usual = try process(photo(), recipe).count
        recipe.maxByteCount = usual / 2
        let file = try process(photo(), recipe)
        #expect(file.count <= usual / 2 && file.count > usual / 4, "\(file.count) of \(usual)")
        // A quality is the best one then.
        recipe.quality = .value(1)
        recipe.maxByteCount = usual
        let worst = try process(photo(), recipe)
        recipe.maxByteCount = nil
        #expect(try process(photo(), recipe) == worst)
    }

    /// That a photo was without loss is no reason to keep it so.
    @Test func aLosslessPhotoMayLoseQuality() throws {
        let photo = try process(photo(), Recipe(Self.noir, format: .webp, isLossless: true))
        var recipe = Recipe(FilterChain([Invert()]))
        let usual = try process(photo, recipe)
        recipe.maxByteCount = usual.count / 2
        let file = try process(photo, recipe)
        #expect(file.count <= usual.count / 2)
        #expect(try !PhotoReader(bytes: file, limits: DecodeLimits()).isLossless)
        recipe.isLossless = true
        #expect(throws: CodecError.largerThanAllowed(limit: usual.count / 2, format: .webp, isLossless: true))
        {
            try process(photo, recipe)
        }
    }

    @Test(arguments: [PhotoFormat.png, .tiff, .jpeg]) func whatNeverFitsIsAnError(format: PhotoFormat) throws
    {
        let recipe = Recipe(Self.noir, format: format, maxByteCount: 300)
        #expect(throws: CodecError.largerThanAllowed(limit: 300, format: format)) {
            try process(photo(), recipe)
        }
    }

    @Test func aPhotoIsCopiedIfItIsSmallEnough() throws {
        let photo = try photo()
        #expect(try process(photo, Recipe([], maxByteCount: photo.count)) == photo)
        let smaller = try process(photo, Recipe([], maxByteCount: photo.count - 1))
        #expect(smaller.count < photo.count)
        // The same is true of a JPEG in a JPEG XL, and back.
        let wrapped = try process(photo, Recipe([], format: .jxl))
        #expect(try process(photo, Recipe([], format: .jxl, maxByteCount: wrapped.count)) == wrapped)
        let encoded = try process(photo, Recipe([], format: .jxl, maxByteCount: wrapped.count - 1))
        #expect(encoded.count < wrapped.count && encoded != wrapped)
        #expect(try process(wrapped, Recipe([], format: .jpeg, maxByteCount: photo.count)) == photo)
        #expect(
            try process(wrapped, Recipe([], format: .jpeg, maxByteCount: photo.count - 1)).count
                < photo.count)
    }

    /// What counts is the output's size.
    @Test func aPhotoIsCopiedIfItIsSmallEnoughWithoutItsMetadata() throws {
        let exif = EXIF(orientation: .up).bytes + [UInt8](repeating: 7, count: 9000)
        let plain = try photo(), content = Array("Exif\0\0".utf8) + exif
        var photo = plain
        photo.insert(
            contentsOf: [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)]
                + content, at: 2)
        let recipe = Recipe([], stripsMetadata: true, maxByteCount: plain.count)
        #expect(try process(photo, recipe) == process(plain, recipe))
        #expect(try process(plain, recipe) == plain)
    }

    /// Losslessness is no wish for a JPEG.
    @Test func aJPEGLosesQualityBesideFilesWithoutLoss() throws {
        var recipe = Recipe(Self.noir, isLossless: true)
        let usual = try process(photo(), recipe).count
        recipe.maxByteCount = usual / 2
        #expect(try process(photo(), recipe).count <= usual / 2)
    }

    @Test(arguments: Orientation.allCases) func aPhotoThatIsTurnedFits(orientation: Orientation) throws {
        let photo = try TestPhoto.jpeg(EXIF(orientation: orientation), width: 160, height: 120, seed: 4)
        let usual = try process(photo, Recipe(Self.noir, turnsUpright: true))
        var recipe = Recipe(Self.noir, turnsUpright: true, maxByteCount: usual.count)
        #expect(try process(photo, recipe) == usual)
        recipe.maxByteCount = usual.count / 2
        let file = try process(photo, recipe)
        #expect(file.count <= usual.count / 2)
        let geometry = try PhotoReader(bytes: file, limits: DecodeLimits()).geometry
        #expect(geometry.orientation == .up && geometry.width == (orientation.swapsAxes ? 120 : 160))
    }

    /// Metadata count, and are kept.
    @Test func metadataAreAPartOfTheFile() throws {
        let exif = EXIF(orientation: .down).bytes + [UInt8](repeating: 7, count: 2000)
        var photo = try photo()
        let content = Array("Exif\0\0".utf8) + exif
        photo.insert(
            contentsOf: [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)]
                + content, at: 2)
        let limit = try process(photo, Recipe(Self.noir)).count * 3 / 4
        let file = try process(photo, Recipe(Self.noir, maxByteCount: limit))
        #expect(file.count <= limit && file.count > 2000)
        #expect(try PhotoReader(bytes: file, limits: DecodeLimits()).metadata.exif?.bytes == exif)
        #expect(throws: CodecError.largerThanAllowed(limit: 2000, format: .jpeg)) {
            try process(photo, Recipe(Self.noir, maxByteCount: 2000))
        }
    }
}
