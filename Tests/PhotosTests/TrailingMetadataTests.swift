import TestSupport
import Testing
import Tintype

@testable import TintypePhotos

/// PNGs with the orientation after the pixels, as ImageMagick writes it.
struct TrailingMetadataTests {
    /// A whole eXIf chunk: one directory with the tag 0x0112 of value 6.
    private static let turnedRight: [UInt8] =
        [0, 0, 0, 26] + Array("eXIfMM\0*\0\0\0\u{8}\0\u{1}".utf8) + [
            0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
        ]
        + [0, 0, 0, 0, 0xD6, 0x67, 0x4B, 0x69]

    private static let tiltShift = FilterChain([TiltShift(radius: .pixels(3), band: 0.2)])

    static let recipes = [
        Recipe(tiltShift), Recipe(tiltShift, format: .jpeg), Recipe(tiltShift, halvesSize: true),
        Recipe(tiltShift, stripsMetadata: true),
        Recipe(tiltShift, format: .jpeg, halvesSize: true, stripsMetadata: true),
    ]

    private func processed(_ bytes: [UInt8], _ recipe: Recipe) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.png")
        let image = try EncodedImage(path: path)
        let result = try PhotoPipeline(recipe).process(image, on: SIMDDevice(), isCancelled: { false })
        return try result.image.bytes()
    }

    /// The signature and IHDR have 33 bytes, IEND has 12.
    @Test(arguments: recipes)
    func theFilterFollowsAndTheOutputKeepsIt(recipe: Recipe) throws {
        let upright = try TestPhoto.png(width: 48, height: 40, seed: 3)
        let before = Array(upright[..<33]) + Self.turnedRight + Array(upright[33...])
        let behind = Array(upright.dropLast(12)) + Self.turnedRight + Array(upright.suffix(12))
        let result = try processed(behind, recipe)
        #expect(try result == processed(before, recipe))
        let geometry = try PhotoReader(bytes: result, limits: DecodeLimits()).geometry
        #expect(geometry.orientation == .right)
        guard recipe.outputFormat(for: .png) == .png else { return }
        #expect(try TestPhoto.samples(of: result) != TestPhoto.samples(of: processed(upright, recipe)))
    }
}
