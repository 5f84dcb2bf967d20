import CodedDevice
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCompute
import TintypeIsolatedRendering
import TintypeMetadata

@testable import TintypePhotos

/// Photos on a device that decodes and encodes JPEGs itself: `CodedDevice`, of which no module knows.
struct CodingDeviceTests {
    private let photos: CodingPhotos
    private var folder: TemporaryFolder { photos.folder }

    init() throws { photos = try CodingPhotos() }

    @Test func outputsAreThoseOfTheCPU() throws {
        let recipes: [(recipe: Recipe, isEncoded: Bool)] = [
            (try photos.recipe("sepia"), true),
            (try photos.recipe("tilt-shift:radius=5+crop:width=40"), true),
            (try photos.recipe("resize:scale=0.4") { $0.quality = .value(80) }, true),
            (try photos.recipe("resize:scale=0.1") { $0.quality = .value(100) }, true),
            (try photos.recipe("") { $0.quality = .value(75) }, true), (try photos.recipe("noir"), true),
            (try photos.recipe("invert") { $0.stripsMetadata = true }, true),
            (try photos.recipe("invert") { $0.format = .png }, false),
            (try photos.recipe("invert") { $0.optimizesCodes = true }, false),
            (try photos.recipe("invert") { $0.restartRows = 2 }, true),
            (try photos.recipe("invert") { $0.turnsUpright = true }, true),
            (try photos.recipe("invert") { $0.halvesSize = true }, true),
        ]
        for photo in try photos.ofManyKinds() {
            for (recipe, isEncoded) in recipes {
                var recipe = recipe
                recipe.format = recipe.format ?? .jpeg
                let device = CodedDevice(), checked = CheckedDevice(device, share: 1)
                let comment: Comment = "\(photo.name), \(recipe.canonicalText)"
                let expected = try photos.comparable(photos.results(photo.bytes, [recipe], on: SIMDDevice()))
                #expect(
                    try photos.comparable(photos.results(photo.bytes, [recipe], on: device)) == expected,
                    comment)
                // Such chroma cannot be turned.
                let isTurned = recipe.turnsUpright && photo.name == "turned"
                let made = device.made
                #expect(made.photos == 1, comment)
                #expect(made.encoded == (isEncoded && !isTurned ? 1 : 0), comment)
                #expect(made.decoded == (photo.isDecoded ? 1 : 0), comment)
                #expect(
                    try photos.comparable(photos.results(photo.bytes, [recipe], on: checked)) == expected,
                    comment)
                #expect(checked.passedChecks == 1, comment)
            }
        }
    }

    @Test(arguments: DeviceCodec.allCases, [DeviceInfo.Kind.gpu, .accelerator, .openCLCPU])
    func theRunAndTheKindDecideWhetherADeviceCodes(codec: DeviceCodec, kind: DeviceInfo.Kind) throws {
        let photo = try TestPhoto.jpeg(width: 95, height: 64, seed: 2), sepia = [try photos.recipe("sepia")]
        let device = CodedDevice(kind: kind)
        let codes = codec == .always || codec == .auto && kind != .openCLCPU
        let expected = try photos.comparable(photos.results(photo, sepia, on: SIMDDevice()))
        #expect(try photos.comparable(photos.results(photo, sepia, on: device, codec: codec)) == expected)
        #expect(device.made == .init(photos: 1, decoded: codes ? 1 : 0, encoded: codes ? 1 : 0))
    }

    private func codings(
        _ bytes: [UInt8], _ recipes: [Recipe], on device: any Device, codec: DeviceCodec = .auto
    ) throws -> [CodingReport?] {
        try photos.results(bytes, recipes, on: device, codec: codec).map { try $0.get().coding }
    }

    @Test func outputsTellWhatWasNotCodedByTheDevice() throws {
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 1)
        let turned = try TestPhoto.jpeg(EXIF(orientation: .left), width: 95, height: 64, seed: 2)
        let wide = try TestPhoto.jpeg(profile: .adobeRGB, width: 40, height: 57, seed: 3)
        let png = try TestPhoto.png(width: 61, height: 40, seed: 4), sepia = try photos.recipe("sepia")
        let cases: [([UInt8], Recipe, CodingObstacle?, CodingObstacle?)] = [
            (photo, sepia, nil, nil),
            (photo, try photos.recipe("sepia") { $0.optimizesCodes = true }, nil, .refused),
            (photo, try photos.recipe("sepia") { $0.format = .png }, nil, .format(.png)),
            (png, try photos.recipe("sepia") { $0.format = .jpeg }, .photo("a PNG"), nil),
            (turned, try photos.recipe("sepia") { $0.turnsUpright = true }, nil, .turned),
            (wide, try photos.recipe("sepia") { $0.convertsToSRGB = true }, .convertedColours, nil),
            (photo, try photos.recipe("sepia") { $0.isProgressive = true }, nil, .progressive),
        ]
        for (bytes, recipe, decoding, encoding) in cases {
            let expected = CodingReport(decodingObstacle: decoding, encodingObstacle: encoding)
            #expect(try codings(bytes, [recipe], on: CodedDevice()) == [expected], "\(expected)")
        }
        #expect(try codings(photo, [photos.recipe("")], on: CodedDevice()) == [nil])
        for (codec, obstacle) in [(DeviceCodec.always, CodingObstacle.unable), (.never, .excluded)] {
            let expected = CodingReport(decodingObstacle: obstacle, encodingObstacle: obstacle)
            #expect(try codings(photo, [sepia], on: SIMDDevice(), codec: codec) == [expected])
        }
        let sizes = try [
            photos.recipe("resize:scale=0.1"), photos.recipe("sepia") { $0.quality = .value(80) },
        ]
        let several = CodingReport(decodingObstacle: .severalDecodings, encodingObstacle: nil)
        #expect(try codings(photo, sizes, on: CodedDevice()) == [several, several])
    }

    @Test(arguments: [
        ("progressive", "a JPEG in several scans, such as a progressive one"),
        ("cmyk", "a JPEG in CMYK or RGB, or with unusual sampling"),
        ("arithmetic", "a JPEG with an unusual header, such as that of arithmetic coding"),
    ])
    func photosTellWhyNoDeviceDecodesThem(name: String, kind: String) throws {
        let bytes = try TestPhoto.fixture("\(name).jpg")
        let device = CodedDevice()
        let coding = try codings(bytes, [photos.recipe("sepia")], on: device)[0]
        #expect(coding?.decodingObstacle == .photo(kind) && device.made.decoded == 0)
        #expect("\(CodingObstacle.photo(kind))" == "No device decodes \(kind).")
    }

    /// Zeros after the last scan are a flaw that loses no pixel.
    @Test func irregularDataIsTheReasonWhereTheDeviceGaveUp() throws {
        let sound = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        let bytes = Array(sound.dropLast(2)) + [0, 0, 0, 0] + Array(sound.suffix(2))
        let coding = try codings(bytes, [photos.recipe("sepia")], on: CodedDevice())
        #expect(coding == [CodingReport(decodingObstacle: .irregular, encodingObstacle: nil)])
    }

    @Test func severalOutputsComeFromOneDecoding() throws {
        let recipes = try [
            photos.recipe("sepia"), photos.recipe("invert") { $0.quality = .value(60) },
            photos.recipe("noir") { $0.optimizesCodes = true },
        ]
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 9)
        let expected = try photos.comparable(photos.results(photo, recipes, on: SIMDDevice()))
        let device = CodedDevice()
        #expect(try photos.comparable(photos.results(photo, recipes, on: device)) == expected)
        #expect(device.made == .init(photos: 1, decoded: 1, encoded: 2))
        // Of different sizes: decoded here. A PNG has a decoding of its own.
        let others = try [
            photos.recipe("resize:scale=0.1"), photos.recipe("sepia"),
            photos.recipe("sepia") { $0.format = .png },
        ]
        let expectedOthers = try photos.comparable(photos.results(photo, others, on: SIMDDevice()))
        #expect(try photos.comparable(photos.results(photo, others, on: device)) == expectedOthers)
        #expect(device.made.encoded == 4 && device.made.decoded == 2)
    }

    @Test func whatTheDeviceCannotDecodeTheCPUDoes() throws {
        for (name, bytes) in try photos.irregular() {
            for salvaging in [false, true] {
                let recipes = [try photos.recipe("sepia")]
                let device = CodedDevice()
                let expected = try photos.comparable(
                    photos.results(bytes, recipes, on: SIMDDevice(), salvaging: salvaging))
                let given = try photos.comparable(
                    photos.results(bytes, recipes, on: device, salvaging: salvaging))
                #expect(given == expected, "\(name)")
            }
        }
    }

    @Test func aDeviceThatEncodesOtherBytesIsFound() throws {
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try photos.recipe("sepia")]
        for (fault, format) in [
            (CodedDevice.Fault.otherBytes, PhotoFormat.jpeg), (.otherSamples, .jpeg), (.otherSamples, .png),
        ] {
            let device = CodedDevice { $0 == 3 ? fault : nil }, checked = CheckedDevice(device, share: 1)
            let recipes = [try photos.recipe("invert") { $0.format = format }]
            for _ in 1...2 { _ = try photos.results(photo, recipes, on: checked)[0].get() }
            let error = #expect(throws: DeviceError.self) {
                try photos.results(photo, recipes, on: checked)[0].get()
            }
            #expect(
                error
                    == (format == .jpeg
                        ? .wrongFile(device: device.info.name)
                        : .wrongPixels(device: device.info.name, row: 0)))
            #expect(throws: DeviceError.self) { try photos.results(photo, sepia, on: checked)[0].get() }
            #expect(device.made.photos == 3)
        }
    }

    /// However few are checked, the first photo of each kind is.
    @Test func theFirstPhotoOfAKindIsChecked() throws {
        let device = CodedDevice { $0 == 2 ? .otherBytes : nil }, checked = CheckedDevice(device, share: 0)
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        let png = try TestPhoto.png(width: 61, height: 40, seed: 4)
        let sepia = try photos.recipe("sepia") { $0.format = .jpeg }
        _ = try photos.results(photo, [sepia], on: checked)[0].get()
        #expect(throws: DeviceError.wrongFile(device: device.info.name)) {
            try photos.results(png, [sepia], on: checked)[0].get()
        }
    }

    @Test func thePoolFallsBack() throws {
        let failure = DeviceError.callFailed(call: "code", code: -5, device: "Coded JPEGs")
        let device = CodedDevice { photo in
            if photo == 2 { throw failure }
            return nil
        }
        let pool = DevicePool([device], fallback: SIMDDevice())
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try photos.recipe("sepia")]
        let expected = try photos.comparable(photos.results(photo, sepia, on: SIMDDevice()))
        var failures: [DeviceError] = []
        for _ in 1...3 {
            let given = try pool.withDevices({ device, _ in
                let results = try photos.results(photo, sepia, on: device)
                _ = try results[0].get()
                return results
            }) { failures.append($0) }
            #expect(try photos.comparable(given) == expected)
        }
        #expect(failures == [failure] && pool.retired.isEmpty)
        #expect(device.made == .init(photos: 3, decoded: 2, encoded: 2))
    }

    /// Strips need less.
    @Test(arguments: [PhotoFormat.jpeg, .png])
    func aPhotoThatNeedsTooMuchMemoryAsAWholePassesInStrips(format: PhotoFormat) throws {
        let photo = try TestPhoto.jpeg(width: 803, height: 1631, seed: 6), device = CodedDevice()
        let sepia = [try photos.recipe("sepia") { $0.format = format }]
        let expected = try photos.comparable(photos.results(photo, sepia, on: SIMDDevice()))
        for (megabytes, codes) in [(8, false), (40, true)] {
            let before = device.made.decoded, budget = MemoryBudget(byteCount: megabytes * 1_000_000)
            let results = try photos.results(photo, sepia, on: device, memory: budget)
            #expect(try photos.comparable(results) == expected)
            #expect(device.made.decoded - before == (codes ? 1 : 0))
            let report = try results[0].get().coding
            #expect(report?.decodingObstacle == (codes ? nil : .memory))
            if !codes { #expect(report?.encodingObstacle == .memory) }
        }
        let little = MemoryBudget(byteCount: 100_000)
        #expect(throws: (any Error).self) {
            try photos.results(photo, sepia, on: device, memory: little)[0].get()
        }
    }

    /// In a process of its own, because backends are the process's.
    @Test func aRegisteredBackendIsFoundByName() async {
        await #expect(processExitsWith: .success) {
            let device = CodedDevice()
            DeviceBackends.register(CodedBackend(device))
            try #require(DeviceSelection.all().devices.contains { $0 === device })
            let roster = try DeviceRoster(["coded"], for: FilterChain([Sepia()]), drivers: .thisProcess)
            let photo = try EncodedImage(bytes: TestPhoto.jpeg(width: 203, height: 131, seed: 6))
            let made = try roster.pool.withDevices { device, _ in
                try PhotoPipeline(Recipe(FilterChain([Sepia()]))).process(photo, on: device).image.bytes()
            }
            let expected = try PhotoPipeline(Recipe(FilterChain([Sepia()])))
                .process(photo, on: SIMDDevice()).image.bytes()
            try #require(made == expected && device.made.encoded == 1)
        }
    }

    // MARK: In a process of its own

    private func hosted(_ arguments: String...) throws -> any Device {
        let path = BuiltProducts.path("coded-driver")
        let process = DriverProcess([path] + arguments, testing: .baseline)
        return try process.devices(timeLimit: nil)[0]
    }

    @Test func aDriverProcessTakesAndGivesCompressedPhotos() throws {
        let device = try hosted()
        #expect(device.info.identifier == "coded" && device.abilities.coding != nil)
        let recipes = try [
            photos.recipe("sepia"), photos.recipe("tilt-shift:radius=5"),
            photos.recipe("noir") { $0.optimizesCodes = true },
            photos.recipe("") { $0.quality = .value(75) }, photos.recipe("noir") { $0.restartRows = 1 },
            photos.recipe("sepia") { $0.format = .png },
            photos.recipe("") {
                $0.quality = .value(60)
                $0.optimizesCodes = true
            },
        ]
        for photo in try photos.ofManyKinds() {
            for recipes in [recipes] + recipes.map({ [$0] }) {
                let outputs = recipes.map { recipe -> Recipe in
                    var recipe = recipe
                    recipe.format = recipe.format ?? .jpeg
                    return recipe
                }
                let expected = try photos.comparable(photos.results(photo.bytes, outputs, on: SIMDDevice()))
                #expect(
                    try photos.comparable(photos.results(photo.bytes, outputs, on: device)) == expected,
                    "\(photo.name)")
                let checked = CheckedDevice(device, share: 1)
                #expect(
                    try photos.comparable(photos.results(photo.bytes, outputs, on: checked)) == expected,
                    "\(photo.name)")
                #expect(checked.passedChecks > 0, "\(photo.name)")
            }
        }
        let cut = Array(try TestPhoto.jpeg(width: 203, height: 131, seed: 6).dropLast(1000))
        let expected = try photos.comparable(photos.results(cut, recipes, on: SIMDDevice()))
        #expect(try photos.comparable(photos.results(cut, recipes, on: device)) == expected)
    }

    @Test func anOutputThatCannotBeWrittenLeavesTheOthersOfTheProcess() throws {
        let device = try hosted()
        let recipes = try [photos.recipe("sepia"), photos.recipe("invert"), photos.recipe("noir")]
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        let path = try folder.write(photo, to: "in/photo")
        try folder.write([1], to: "out/1")
        let outputs = recipes.indices.map {
            PhotoOutput(.file(path: folder.path("out/\($0)")), recipe: $0, overwrites: false)
        }
        let results = PhotoRun(
            PhotoPipeline(recipes[0]), try EncodedImage(path: path), outputs, of: recipes, on: device,
            isCancelled: { false }
        ).results()
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        #expect(folder.files() == ["in/photo", "out/0", "out/1", "out/2"])
    }

    @Test func aProcessThatEndsIsStartedAgain() throws {
        let marker = try folder.write([1], to: "marker")
        let device = try hosted(marker)
        let pool = DevicePool([device], fallback: nil)
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try photos.recipe("sepia")]
        let expected = try photos.comparable(photos.results(photo, sepia, on: SIMDDevice()))
        var failures: [DeviceError] = []
        let given = try pool.withDevices({ device, _ in
            let results = try photos.results(photo, sepia, on: device)
            _ = try results[0].get()
            return results
        }) { failures.append($0) }
        #expect(try photos.comparable(given) == expected)
        guard case .driverEnded(_, _, isRestarted: true)? = failures.first, failures.count == 1 else {
            Issue.record("\(failures)")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: marker))
    }
}
