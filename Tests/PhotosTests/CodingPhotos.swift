import Foundation
import TestSupport
import Tintype
import TintypeCompute

@testable import TintypePhotos

/// Photos of many kinds, and what is made of them, for tests of devices that code.
struct CodingPhotos {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes the outputs, in files that the results' images are.
    func results(
        _ bytes: [UInt8], _ recipes: [Recipe], on device: any Device, salvaging: Bool = false,
        memory: MemoryBudget? = nil, codec: DeviceCodec = .auto
    ) throws -> [Result<PhotoPipeline.Output, any Error>] {
        let name = UUID().uuidString
        let path = try folder.write(bytes, to: "in/photo")
        var pipeline = PhotoPipeline(recipes[0], memory: memory)
        pipeline.salvagesDamaged = salvaging
        pipeline.deviceCodec = codec
        let outputs = recipes.indices.map {
            PhotoOutput(
                .file(path: folder.path("\(name)/\($0)")), recipe: $0, overwrites: false)
        }.map { $0.announcing { _ in } }
        return PhotoRun(
            pipeline, try EncodedImage(path: path), outputs, of: recipes, on: device,
            isCancelled: { false }
        ).results()
    }

    /// What can be compared of results: bytes, notes and pixels, or the error.
    func comparable(_ results: [Result<PhotoPipeline.Output, any Error>]) throws -> [String] {
        try results.map { result in
            switch result {
            case .success(let output):
                "\(try output.image.bytes().hashValue) \(output.notes) \(output.pixelCount) \(output.byteCount)"
            case .failure(let error): "\(error)".replacing(/\/[^ ]*\//, with: "")
            }
        }
    }

    func recipe(_ filters: String, _ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(try filters.isEmpty ? FilterChain([]) : FilterChain(parsing: [filters]))
        change(&recipe)
        return recipe
    }

    static func grey() throws -> [UInt8] {
        var random = SeededGenerator(seed: 3)
        let geometry = PhotoGeometry(width: 77, height: 45)
        let pixels = Pixels(random.bytes(count: 77 * 45), geometry, layout: .interleaved(.grey, .eight))
        return try EncodedImage(pixels, as: .jpeg).bytes()
    }

    /// For each photo, whether the device decodes it.
    func ofManyKinds() throws -> [(name: String, bytes: [UInt8], isDecoded: Bool)] {
        let exif = EXIF(orientation: .left), sound = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        return [
            ("4:2:0", try TestPhoto.jpeg(width: 203, height: 131, seed: 1), true),
            ("turned", try TestPhoto.jpeg(exif, width: 95, height: 64, seed: 2), true),
            ("grey", try Self.grey(), true),
            ("one MCU", try TestPhoto.jpeg(width: 7, height: 5, seed: 3), true),
            // Cameras append previews, and phones films and gain maps.
            ("bytes after the end", sound + [1, 2, 3], true),
            ("an image after the end", try sound + TestPhoto.jpeg(width: 61, height: 40, seed: 8), true),
            ("PNG", try TestPhoto.png(width: 61, height: 40, seed: 4), false),
            ("alpha", try TestPhoto.transparentPNG(width: 30, height: 41, seed: 5), false),
        ]
    }

    /// Photos that a device must not decode, each with why.
    func irregular() throws -> [(name: String, bytes: [UInt8])] {
        let sound = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        var damaged = sound
        damaged.replaceSubrange(sound.count / 2..<sound.count / 2 + 2, with: [0xFF, 0xC8])
        return [
            ("damaged", damaged), ("cut off", Array(sound.dropLast(1000))),
            ("no end", Array(sound.dropLast(2))),
            ("late comment", sound.dropLast(2) + [0xFF, 0xFE, 0, 4, 65, 66, 0xFF, 0xD9]),
        ]
    }
}
