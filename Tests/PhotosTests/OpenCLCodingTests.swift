import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeCompute
import TintypeImaging
import TintypeLocking
import TintypeRendering

@testable import TintypeOpenCLRendering
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

    private static let samplings = [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (1, 4), (2, 4)]

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
    }

    // MARK: Lanes

    /// Photos in turn, one at a time. On a device with memory of its own, each kind has a lane, which needs no other memory.
    @Test(arguments: [false, true])
    func lanesAreReadyForKindsOfPhotos(asGPU: Bool) throws {
        let device = try #require(OpenCLRuntime.shared.makeDevices(asGPUs: asGPU).first)
        let kinds = [
            try TestPhoto.jpeg(width: 203, height: 131, seed: 1),
            // Twice the bytes of that.
            try TestPhoto.jpeg(width: 203, height: 131, seed: 1) + [UInt8](repeating: 0, count: 20_000),
            try TestPhoto.jpeg(width: 640, height: 480, seed: 2),
        ]
        let sepia = try photos.recipe("sepia")
        func renderers() throws -> [ObjectIdentifier] {
            for photo in kinds {
                _ = try photos.results(photo, [sepia], on: device, codec: .always)[0].get()
            }
            return device.freeLanes.withLock { $0.compactMap(\.keptRenderer).map { ObjectIdentifier($0) } }
        }
        let first = try renderers()
        // A lane for more bytes does for a photo of fewer, so the second photo's lane is not the first one's.
        #expect(asGPU ? first.count == 3 : first.count < 3)
        let last = try renderers()
        if asGPU { #expect(Set(last) == Set(first)) }
    }

    @Test func workForMoreBytesServesOtherPhotosOfItsKind() throws {
        let header = try TestPhoto.jpeg(width: 203, height: 131, seed: 1)
        func work(_ byteCount: Int?, divisor: Int = 1) throws -> CodingWork {
            let plan = RenderPlan(
                FilterChain([Sepia()]), for: PhotoGeometry(width: 203, height: 131),
                input: .interleaved(.rgb, .eight), output: .interleaved(.rgb, .eight))
            let image = CompressedImage(.jpeg, header: header)
            return CodingWork(
                CodingWork.Input(image, reducedBy: divisor, byteCount: byteCount), [.init(plan, to: image)])
        }
        let own = try work(4_000_000).rounded
        #expect(own.input?.byteCount == 4 << 20)
        #expect(try work(4 << 20 + 1).rounded.input?.byteCount == 6 << 20)
        #expect(try own.serves(work(4_000_000)) && own.serves(work(4 << 20)) && own.serves(work(1 << 20)))
        #expect(try !own.serves(work(4 << 20 + 1)) && !own.serves(work(1 << 20 - 1)))
        #expect(try !own.serves(work(4_000_000, divisor: 2)) && !own.serves(work(nil)))
        #expect(try work(nil).serves(work(nil)))
    }

    // MARK: RGB

    /// A JPEG's pixels, decoded here and by the device.
    private func expectEqualPixels(_ bytes: [UInt8], by divisor: Int, _ comment: Comment) throws {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let image = try #require(reader.compressedImage(decodingTo: layout))
        let geometry = reader.geometry.divided(by: divisor)
        let plan = RenderPlan([], for: geometry, input: layout, output: layout)
        let data = reader.makeCompressedSource(layout: layout, by: divisor)
        let made = MemoryPhoto(geometry, layout: layout), expected = MemoryPhoto(geometry, layout: layout)
        try device.render(
            [RenderOutput(plan, to: made.makeSink())], from: .compressed(image, reducedBy: divisor, data),
            isCancelled: { false })
        let here = try PhotoReader(bytes: bytes, limits: DecodeLimits())
            .makeReducedSource(layout: layout, by: divisor)
        try plan.passOn(here, to: expected.makeSink(), isCancelled: { false })
        #expect(made.firstDifference(from: expected) == nil, comment)
    }

    /// Chroma is interpolated or repeated, depending on sampling, width and reduction.
    @Test(arguments: samplings, [1, 2, 4, 8])
    func planesBecomeTheRGBOfTheCPU(sampling: (across: Int, down: Int), divisor: Int) throws {
        let subsampling = try #require(
            ChromaSubsampling(horizontal: sampling.across, vertical: sampling.down))
        // From large to small: PoCL loads kernels anew for larger grids.
        let sizes = [
            (611, 203), (203, 131), (64, 48), (33, 17), (31, 34), (17, 33), (12, 9), (9, 15), (8, 7), (6, 10),
            (5, 4), (4, 5), (3, 2), (2, 3), (1, 8), (1, 1),
        ]
        for (width, height) in sizes {
            try expectEqualPixels(
                TestPhoto.jpeg(.yCbCr(subsampling), width: width, height: height, seed: 4), by: divisor,
                "\(width) x \(height)")
        }
    }

    /// Nearly all pairs of chroma, many beyond the colours of RGB.
    @Test func eachColourIsThatOfTheCPU() throws {
        try expectEqualPixels(TestPhoto.jpeg(.yCbCr(.s444), width: 512, height: 512, seed: 5), by: 1, "")
    }

    @Test(arguments: samplings)
    func photosBecomePNGsOnTheDevice(across: Int, down: Int) throws {
        let sampling = try #require(ChromaSubsampling(horizontal: across, vertical: down))
        let recipes = try [
            "", "sepia", "noir", "tilt-shift:radius=5+crop:width=40", "resize:scale=0.1",
        ].map { filters in try photos.recipe(filters) { $0.format = .png } }
        let halved = try photos.recipe("invert") { ($0.format, $0.halvesSize) = (.png, true) }
        for (width, height) in [(203, 131), (61, 47), (3, 5)] {
            let photo = try TestPhoto.jpeg(.yCbCr(sampling), width: width, height: height, seed: 1)
            for recipe in recipes + [halved] {
                try expectEqual(
                    photo, [recipe], .init(decoded: 1, encoded: 0),
                    "\(width) x \(height), \(recipe.canonicalText)")
            }
        }
    }

    @Test func allPhotosBecomePNGsAsOnTheCPU() throws {
        let recipes = try [photos.recipe("invert"), photos.recipe("noir")].map { recipe in
            var recipe = recipe
            recipe.format = .png
            return recipe
        }
        for photo in try photos.ofManyKinds() where photo.isDecoded {
            // The same decoding serves both.
            try expectEqual(photo.bytes, recipes, .init(decoded: 1, encoded: 0), "\(photo.name)")
        }
        // Its chroma cannot be turned, so the JPEG gets new chroma from RGB.
        let turned = try TestPhoto.jpeg(EXIF(orientation: .left), width: 95, height: 64, seed: 2)
        let upright = try photos.recipe("sepia") { $0.turnsUpright = true }
        try expectEqual(turned, [upright], .init(decoded: 1, encoded: 0), "turned upright")
    }

    @Test func thePlanesThatBecomeRGBCount() throws {
        let photo = try TestPhoto.jpeg(width: 640, height: 480, seed: 1)
        let reader = try PhotoReader(bytes: photo, limits: DecodeLimits())
        func memory(_ layout: PixelLayout) throws -> Int {
            let plan = RenderPlan([], for: reader.geometry, input: layout, output: layout)
            let input = try CodingWork.Input(
                #require(reader.compressedImage(decodingTo: layout)), reducedBy: 1, byteCount: photo.count)
            let offer = try device.offer(for: CodingWork(input, [CodingWork.Output(plan, to: nil)]))
            return try #require(offer).memory.byteCount
        }
        // Of RGB: the photo on the device and on the host, and the planes; of planes: these on the device and on the host.
        let (pixels, planes) = (3 * 640 * 480, 640 * 480 * 3 / 2)
        #expect(
            try memory(.interleaved(.rgb, .eight)) - memory(reader.layout) >= 2 * pixels + planes - 2 * planes
        )
    }

    // MARK: Reduced, several, damaged

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

    @Test(arguments: [PhotoFormat.jpeg, .png])
    func whatIsIrregularTheCPUDecodes(format: PhotoFormat) throws {
        let recipes = [try photos.recipe("sepia") { $0.format = format }]
        for (name, bytes) in try photos.irregular() {
            try expectEqual(bytes, recipes, nil, "\(name)")
            #expect(device.made.decoded == 0, "\(name)")
        }
    }

    /// Of damaged photos, most are found to be, and the others have the samples of the CPU.
    @Test(arguments: [PhotoFormat.jpeg, .png])
    func damagedPhotosGiveWhatTheCPUGives(format: PhotoFormat) throws {
        let recipes = [try photos.recipe("invert") { $0.format = format }]
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
