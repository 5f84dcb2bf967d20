import TestSupport
import Testing
import Tintype
import TintypeCompute
import TintypeImaging
import TintypeLocking
import TintypeOpenCLRendering
import TintypeRendering

@testable import TintypePhotos

/// Photos that an OpenCL device decodes and encodes: PoCL here, with the kernels of a GPU.
struct OpenCLCodingTests {
    private let photos: CodingPhotos
    private let device: CountingDevice

    init() throws {
        photos = try CodingPhotos()
        device = CountingDevice(
            try #require(OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd"))
    }

    private static let samplings = [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (1, 4)]

    /// - Parameter made: what the device decodes and encodes; nil checks nothing.
    private func expectEqual(
        _ photo: [UInt8], _ recipes: [Recipe], _ made: CountingDevice.Counts?, _ comment: Comment
    ) throws {
        let expected = try photos.comparable(photos.results(photo, recipes, on: SIMDDevice()))
        device.reset()
        #expect(
            try photos.comparable(photos.results(photo, recipes, on: device, codec: .always)) == expected,
            comment)
        if let made { #expect(device.made == made, comment) }
    }

    @Test(arguments: samplings)
    func everySamplingGivesTheBytesOfTheCPU(across: Int, down: Int) throws {
        let sampling = try #require(ChromaSubsampling(horizontal: across, vertical: down))
        let recipes = try [
            photos.recipe("sepia"), photos.recipe("") { $0.quality = .value(75) },
            photos.recipe("tilt-shift:radius=5+crop:width=40") { $0.quality = .value(100) },
            photos.recipe("noir") { $0.optimizesCodes = true },
        ]
        for (width, height) in [(1, 1), (17, 33), (203, 131), (640, 97)] {
            let photo = try TestPhoto.jpeg(.yCbCr(sampling), width: width, height: height, seed: 1)
            for recipe in recipes {
                try expectEqual(
                    photo, [recipe], .init(decoded: 1, encoded: 1),
                    "\(width) x \(height), \(recipe.canonicalText)")
            }
        }
    }

    @Test func decodingAndEncodingAreIndependent() throws {
        let recipe = try photos.recipe("invert") { $0.format = .jpeg }
        for photo in try photos.ofManyKinds() {
            try expectEqual(
                photo.bytes, [recipe], .init(decoded: photo.isDecoded ? 1 : 0, encoded: 1), "\(photo.name)")
        }
        let png = try photos.recipe("invert") { $0.format = .png }
        try expectEqual(CodingPhotos.grey(), [png], .init(decoded: 1, encoded: 0), "grey to PNG")
    }

    @Test(arguments: [0.5, 0.25, 0.125, 0.1])
    func reducedPhotosAreThoseOfTheCPU(scale: Double) throws {
        for layout in [PixelLayout.yCbCr(.s420), .yCbCr(.s444), .interleaved(.grey, .eight)] {
            let photo = try TestPhoto.jpeg(layout, width: 803, height: 411, seed: 2)
            try expectEqual(
                photo, [photos.recipe("resize:scale=\(scale)+sepia")], nil, "\(layout)")
        }
        let halved = try photos.recipe("") { $0.halvesSize = true }
        try expectEqual(
            TestPhoto.jpeg(width: 803, height: 411, seed: 2), [halved], .init(decoded: 1, encoded: 1), "half")
    }

    @Test func severalOutputsComeFromOneDecoding() throws {
        let recipes = try [
            photos.recipe("sepia"), photos.recipe("invert") { $0.quality = .value(60) },
            photos.recipe("noir") { $0.optimizesCodes = true }, photos.recipe("bloom"),
        ]
        try expectEqual(
            TestPhoto.jpeg(width: 203, height: 131, seed: 9), recipes, .init(decoded: 1, encoded: 4), "")
    }

    @Test func whatIsIrregularTheCPUDecodes() throws {
        let recipes = [try photos.recipe("sepia")]
        for (name, bytes) in try photos.irregular() {
            try expectEqual(bytes, recipes, nil, "\(name)")
            #expect(device.made.decoded == 0, "\(name)")
        }
    }

    /// Of damaged photos, most are found to be, and the others have the samples of the CPU.
    @Test func damagedPhotosGiveWhatTheCPUGives() throws {
        let recipes = [try photos.recipe("invert")]
        let sound = try TestPhoto.jpeg(width: 120, height: 90, seed: 6)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            var damaged = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 630..<damaged.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try expectEqual(damaged, recipes, nil, "")
        }
    }

    @Test func moreBytesThanExpectedAreRead() throws {
        // Smooth to noisy: the output is many times as large as the photo.
        let recipe = try photos.recipe("grain:amount=1") { $0.quality = .value(100) }
        let flat = try EncodedImage(
            Pixels(
                [UInt8](repeating: 128, count: 500 * 400), PhotoGeometry(width: 500, height: 400),
                layout: .interleaved(.grey, .eight)), as: .jpeg
        ).bytes()
        // The lane's memory is for one photo, however many follow.
        for _ in 1...3 { try expectEqual(flat, [recipe], .init(decoded: 1, encoded: 1), "") }
    }
}

/// Counts what a device decodes and encodes itself.
final class CountingDevice: CodingDevice {
    private let device: any Device
    private let counts = Locked(Counts())

    struct Counts: Equatable, Sendable { var decoded = 0, encoded = 0 }

    init(_ device: any Device) { self.device = device }

    var made: Counts { counts.withLock(\.self) }
    func reset() { counts.withLock { $0 = Counts() } }

    var info: DeviceInfo { device.info }
    var abilities: DeviceAbilities { DeviceAbilities(coding: self) }
    func selfTest(_ plan: RenderPlan) throws { try device.selfTest(plan) }
    func memory(for plan: RenderPlan) -> RenderMemory { device.memory(for: plan) }
    func offer(for work: CodingWork) throws -> CodingOffer? {
        try device.abilities.coding?.offer(for: work)
    }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    func render(_ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool) throws {
        try device.abilities.coding?.render(outputs, from: input, isCancelled: isCancelled)
        counts.withLock { counts in
            if input.format != nil { counts.decoded += 1 }
            counts.encoded += outputs.filter { $0.target.format != nil && $0.failure == nil }.count
        }
    }
}
