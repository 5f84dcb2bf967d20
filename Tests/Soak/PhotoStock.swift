import Foundation
import TestSupport
import Tintype
import TintypeFilters

@testable import TintypePhotos

/// Small photos, sound and damaged, with what the recipe must make of each.
struct PhotoStock: Sendable {
    struct Photo: Sendable {
        let name: String
        let bytes: [UInt8]
        /// Nil: the photo must fail.
        let expected: [UInt8]?
    }

    let photos: [Photo]
    let recipe = Recipe(FilterChain([TiltShift(), Sepia()]))

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var files: [(name: String, bytes: [UInt8])] = []
        for index in 0..<32 {
            let width = Int.random(in: 9...140, using: &random)
            let height = Int.random(in: 9...110, using: &random)
            let isPNG = index % 4 == 3
            let bytes = try (isPNG ? TestPhoto.png : TestPhoto.jpeg)(width, height, random.next())
            files.append(("sound-\(index).\(isPNG ? "png" : "jpg")", bytes))
        }
        // Two that exceed `EncodedImage.memoryLimit`, so that they take files.
        for index in 0..<2 {
            files.append(
                ("large-\(index).jpg", try TestPhoto.jpeg(width: 500, height: 420, seed: random.next())))
        }
        let flaws =
            MalformedPhoto.flaws(ofJPEG: files[0].bytes).map { ("jpg", $0) }
            + MalformedPhoto.flaws(ofPNG: files[3].bytes).map { ("png", $0) }
        for (index, (ending, flaw)) in flaws.shuffled(using: &random).prefix(32).enumerated() {
            files.append(("flawed-\(index).\(ending)", flaw.bytes))
        }
        let pipeline = PhotoPipeline(recipe, limits: Self.limits)
        let cpu = try DeviceSelection(["cpu"]).devices[0]
        photos = files.map { file in
            let made = try? pipeline.process(EncodedImage(bytes: file.bytes), on: cpu).image.bytes()
            return Photo(name: file.name, bytes: file.bytes, expected: made)
        }
    }

    /// Some flaws claim many pixels.
    static var limits: DecodeLimits {
        var limits = DecodeLimits()
        limits.maxPixels = 1_000_000
        return limits
    }
}
