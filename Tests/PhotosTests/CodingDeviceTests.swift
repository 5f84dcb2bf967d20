import CodedDevice
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCompute
import TintypeIsolatedRendering

@testable import TintypePhotos

/// Photos on a device that decodes and encodes JPEGs itself: `CodedDevice`, of which no module knows.
struct CodingDeviceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes the outputs, in files that the results' images are.
    private func results(
        _ bytes: [UInt8], _ recipes: [Recipe], on device: any Device, salvaging: Bool = false,
        memory: MemoryBudget? = nil
    ) throws -> [Result<PhotoPipeline.Output, any Error>] {
        let name = UUID().uuidString
        let path = try folder.write(bytes, to: "in/photo")
        var pipeline = PhotoPipeline(recipes[0], memory: memory)
        pipeline.salvagesDamaged = salvaging
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
    private func comparable(_ results: [Result<PhotoPipeline.Output, any Error>]) throws -> [String] {
        try results.map { result in
            switch result {
            case .success(let output):
                "\(try output.image.bytes().hashValue) \(output.notes) \(output.pixelCount) \(output.byteCount)"
            case .failure(let error): "\(error)".replacing(/\/[^ ]*\//, with: "")
            }
        }
    }

    private func recipe(_ filters: String, _ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(try filters.isEmpty ? FilterChain([]) : FilterChain(parsing: [filters]))
        change(&recipe)
        return recipe
    }

    private static func grey() throws -> [UInt8] {
        var random = SeededGenerator(seed: 3)
        let geometry = PhotoGeometry(width: 77, height: 45)
        let pixels = Pixels(random.bytes(count: 77 * 45), geometry, layout: .interleaved(.grey, .eight))
        return try EncodedImage(pixels, as: .jpeg).bytes()
    }

    /// For each photo, whether the device decodes it.
    private func photos() throws -> [(name: String, bytes: [UInt8], isDecoded: Bool)] {
        let exif = EXIF(orientation: .left)
        return [
            ("4:2:0", try TestPhoto.jpeg(width: 203, height: 131, seed: 1), true),
            ("turned", try TestPhoto.jpeg(exif, width: 95, height: 64, seed: 2), true),
            ("grey", try Self.grey(), true),
            ("one MCU", try TestPhoto.jpeg(width: 7, height: 5, seed: 3), true),
            ("PNG", try TestPhoto.png(width: 61, height: 40, seed: 4), false),
            ("alpha", try TestPhoto.transparentPNG(width: 30, height: 41, seed: 5), false),
        ]
    }

    @Test func outputsAreThoseOfTheCPU() throws {
        let recipes: [(recipe: Recipe, isEncoded: Bool)] = [
            (try recipe("sepia"), true), (try recipe("tilt-shift:radius=5+crop:width=40"), true),
            (try recipe("resize:scale=0.4") { $0.quality = .value(80) }, true),
            (try recipe("resize:scale=0.1") { $0.quality = .value(100) }, true),
            (try recipe("") { $0.quality = .value(75) }, true), (try recipe("noir"), true),
            (try recipe("invert") { $0.stripsMetadata = true }, true),
            (try recipe("invert") { $0.format = .png }, false),
            (try recipe("invert") { $0.optimizesCodes = true }, false),
            (try recipe("invert") { $0.turnsUpright = true }, true),
            (try recipe("invert") { $0.halvesSize = true }, true),
        ]
        for photo in try photos() {
            for (recipe, isEncoded) in recipes {
                var recipe = recipe
                recipe.format = recipe.format ?? .jpeg
                let device = CodedDevice(), checked = CheckedDevice(device, share: 1)
                let comment: Comment = "\(photo.name), \(recipe.canonicalText)"
                let expected = try comparable(results(photo.bytes, [recipe], on: SIMDDevice()))
                #expect(try comparable(results(photo.bytes, [recipe], on: device)) == expected, comment)
                // Such chroma cannot be turned.
                let isTurned = recipe.turnsUpright && photo.name == "turned"
                let made = device.made
                #expect(made.photos == 1, comment)
                #expect(made.encoded == (isEncoded && !isTurned ? 1 : 0), comment)
                // Samples for a PNG are RGB, which a device does not give.
                let isKept = recipe.format == .jpeg && !isTurned || photo.name == "grey"
                #expect(made.decoded == (photo.isDecoded && isKept ? 1 : 0), comment)
                #expect(try comparable(results(photo.bytes, [recipe], on: checked)) == expected, comment)
                #expect(checked.passedChecks == 1, comment)
            }
        }
    }

    @Test func severalOutputsComeFromOneDecoding() throws {
        let recipes = try [
            recipe("sepia"), recipe("invert") { $0.quality = .value(60) },
            recipe("noir") { $0.optimizesCodes = true },
        ]
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 9)
        let expected = try comparable(results(photo, recipes, on: SIMDDevice()))
        let device = CodedDevice()
        #expect(try comparable(results(photo, recipes, on: device)) == expected)
        #expect(device.made == .init(photos: 1, decoded: 1, encoded: 2))
        // Of different sizes, and in different formats: decoded here.
        let others = try [recipe("resize:scale=0.1"), recipe("sepia"), recipe("sepia") { $0.format = .png }]
        let expectedOthers = try comparable(results(photo, others, on: SIMDDevice()))
        #expect(try comparable(results(photo, others, on: device)) == expectedOthers)
        #expect(device.made.encoded == 4)
    }

    @Test func whatTheDeviceCannotDecodeTheCPUDoes() throws {
        let sound = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        var damaged = sound
        damaged.replaceSubrange(sound.count / 2..<sound.count / 2 + 2, with: [0xFF, 0xC8])
        for (name, bytes) in [
            ("damaged", damaged), ("cut off", Array(sound.dropLast(1000))),
            ("no end", Array(sound.dropLast(2))),
            ("bytes behind", sound + [1, 2, 3]),
            ("late comment", sound.dropLast(2) + [0xFF, 0xFE, 0, 4, 65, 66, 0xFF, 0xD9]),
        ] {
            for salvaging in [false, true] {
                let recipes = [try recipe("sepia")]
                let device = CodedDevice()
                let expected = try comparable(results(bytes, recipes, on: SIMDDevice(), salvaging: salvaging))
                let given = try comparable(results(bytes, recipes, on: device, salvaging: salvaging))
                #expect(given == expected, "\(name)")
            }
        }
    }

    @Test func aDeviceThatEncodesOtherBytesIsFound() throws {
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try recipe("sepia")]
        for (fault, format) in [
            (CodedDevice.Fault.otherBytes, PhotoFormat.jpeg), (.otherSamples, .jpeg), (.otherSamples, .png),
        ] {
            let device = CodedDevice { $0 == 3 ? fault : nil }, checked = CheckedDevice(device, share: 1)
            let grey = format == .png ? try Self.grey() : photo
            let recipes = [try recipe("invert") { $0.format = format }]
            for _ in 1...2 { _ = try results(grey, recipes, on: checked)[0].get() }
            let error = #expect(throws: DeviceError.self) { try results(grey, recipes, on: checked)[0].get() }
            #expect(
                error
                    == (format == .jpeg
                        ? .wrongFile(device: device.info.name)
                        : .wrongPixels(device: device.info.name, row: 0)))
            #expect(throws: DeviceError.self) { try results(photo, sepia, on: checked)[0].get() }
            #expect(device.made.photos == 3)
        }
    }

    /// However few are checked, the first photo of each kind is.
    @Test func theFirstPhotoOfAKindIsChecked() throws {
        let device = CodedDevice { $0 == 2 ? .otherBytes : nil }, checked = CheckedDevice(device, share: 0)
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6)
        let png = try TestPhoto.png(width: 61, height: 40, seed: 4)
        let sepia = try recipe("sepia") { $0.format = .jpeg }
        _ = try results(photo, [sepia], on: checked)[0].get()
        #expect(throws: DeviceError.wrongFile(device: device.info.name)) {
            try results(png, [sepia], on: checked)[0].get()
        }
    }

    @Test func thePoolFallsBack() throws {
        let failure = DeviceError.callFailed(call: "code", code: -5, device: "Coded JPEGs")
        let device = CodedDevice { photo in
            if photo == 2 { throw failure }
            return nil
        }
        let pool = DevicePool([device], fallback: SIMDDevice())
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try recipe("sepia")]
        let expected = try comparable(results(photo, sepia, on: SIMDDevice()))
        var failures: [DeviceError] = []
        for _ in 1...3 {
            let given = try pool.withDevices({ device, _ in
                let results = try results(photo, sepia, on: device)
                _ = try results[0].get()
                return results
            }) { failures.append($0) }
            #expect(try comparable(given) == expected)
        }
        #expect(failures == [failure] && pool.retired.isEmpty)
        #expect(device.made == .init(photos: 3, decoded: 2, encoded: 2))
    }

    @Test func itsMemoryCounts() throws {
        let photo = try TestPhoto.jpeg(width: 803, height: 631, seed: 6), sepia = [try recipe("sepia")]
        let budget = MemoryBudget(byteCount: 4_000_000)
        let result = try results(photo, sepia, on: CodedDevice(), memory: budget)[0]
        let error = #expect(throws: DeviceError.self) { try result.get() }
        guard case .tooLarge? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
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
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("coded-driver").path
        let process = DriverProcess([path] + arguments, testing: .baseline)
        return try process.devices(timeLimit: nil)[0]
    }

    @Test func aDriverProcessTakesAndGivesCompressedPhotos() throws {
        let device = try hosted()
        #expect(device.info.identifier == "coded" && device.abilities.coding != nil)
        let recipes = try [
            recipe("sepia"), recipe("tilt-shift:radius=5"), recipe("noir") { $0.optimizesCodes = true },
            recipe("") { $0.quality = .value(75) },
            recipe("") {
                $0.quality = .value(60)
                $0.optimizesCodes = true
            },
        ]
        for photo in try photos() {
            for recipes in [recipes] + recipes.map({ [$0] }) {
                let jpegs = recipes.map { recipe -> Recipe in
                    var recipe = recipe
                    recipe.format = .jpeg
                    return recipe
                }
                let expected = try comparable(results(photo.bytes, jpegs, on: SIMDDevice()))
                #expect(try comparable(results(photo.bytes, jpegs, on: device)) == expected, "\(photo.name)")
                let checked = CheckedDevice(device, share: 1)
                #expect(try comparable(results(photo.bytes, jpegs, on: checked)) == expected, "\(photo.name)")
                #expect(checked.passedChecks > 0, "\(photo.name)")
            }
        }
        let cut = Array(try TestPhoto.jpeg(width: 203, height: 131, seed: 6).dropLast(1000))
        let expected = try comparable(results(cut, recipes, on: SIMDDevice()))
        #expect(try comparable(results(cut, recipes, on: device)) == expected)
    }

    @Test func anOutputThatCannotBeWrittenLeavesTheOthersOfTheProcess() throws {
        let device = try hosted()
        let recipes = try [recipe("sepia"), recipe("invert"), recipe("noir")]
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
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 6), sepia = [try recipe("sepia")]
        let expected = try comparable(results(photo, sepia, on: SIMDDevice()))
        var failures: [DeviceError] = []
        let given = try pool.withDevices({ device, _ in
            let results = try results(photo, sepia, on: device)
            _ = try results[0].get()
            return results
        }) { failures.append($0) }
        #expect(try comparable(given) == expected)
        guard case .driverEnded(_, _, isRestarted: true)? = failures.first, failures.count == 1 else {
            Issue.record("\(failures)")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: marker))
    }
}
