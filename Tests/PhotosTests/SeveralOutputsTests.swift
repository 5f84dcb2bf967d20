import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypePhotos

/// Several outputs of one photo, from one decode.
struct SeveralOutputsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func recipes(_ texts: [String]) throws -> [Recipe] {
        try texts.map { Recipe(try FilterChain(parsing: [$0]), quality: .value(90)) }
    }

    /// Makes the outputs of `only`, or of all recipes, in `output`.
    private func make(
        _ bytes: [UInt8], _ recipes: [Recipe], only: [Int]? = nil, in output: String = "out",
        on device: any Device = SIMDDevice(), memory: MemoryBudget? = nil, workers: PhotoWorkers? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> [Result<PhotoPipeline.Output, any Error>] {
        let path = try folder.write(bytes, to: "in/photo")
        let outputs = (only ?? Array(recipes.indices)).map { recipe in
            PhotoOutput(.file(path: folder.path("\(output)/\(recipe)")), recipe: recipe, overwrites: false)
        }
        return PhotoRun(
            PhotoPipeline(recipes[0], memory: memory), try EncodedImage(path: path), outputs, of: recipes,
            on: device, workers: workers, isCancelled: isCancelled
        ).results()
    }

    private func makeAlone(_ bytes: [UInt8], _ recipe: Recipe) throws -> [UInt8] {
        let path = try folder.write(bytes, to: "in/photo")
        return try PhotoPipeline(recipe).process(EncodedImage(path: path), on: SIMDDevice()).image.bytes()
    }

    /// The chains need all of the photo's pixels; the last two need a decoding, and a copy, of their own.
    @Test func outputsAreThoseThatAreMadeAlone() throws {
        var recipes = try recipes([
            "sepia", "tilt-shift:radius=5", "resize:scale=0.4+sharpen", "crop:width=40",
        ])
        recipes.append(Recipe(FilterChain([Sepia()]), format: .png))
        recipes.append(Recipe(FilterChain([]), stripsMetadata: true))
        for photo in [
            try TestPhoto.jpeg(width: 301, height: 1203, seed: 4),
            try TestPhoto.png(width: 301, height: 403, seed: 4),
        ] {
            let results = try make(photo, recipes, in: "out-\(photo.count)")
            for (index, recipe) in recipes.enumerated() {
                #expect(try results[index].get().byteCount > 0)
                #expect(
                    try folder.read("out-\(photo.count)/\(index)") == makeAlone(photo, recipe), "\(index)")
            }
        }
    }

    /// One group reads the decoded strips itself, three share them; a JPEG of this size is decoded in segments.
    @Test(arguments: [["sepia"], ["sepia", "tilt-shift:radius=5", "resize:scale=0.4"]])
    func idleWorkersDecodeAheadAndChangeNoByte(chains: [String]) throws {
        let photo = try TestPhoto.jpeg(width: 2403, height: 1701, seed: 8), recipes = try recipes(chains)
        let workers = PhotoWorkers(4)
        let slot = workers.takeSlot(), freeCount = workers.freeThreadCount
        let fewest = Locked(freeCount)
        _ = try make(photo, recipes, in: "alone").map { try $0.get() }
        _ = try make(photo, recipes, in: "helped", workers: workers) {
            fewest.withLock { $0 = min($0, workers.freeThreadCount) }
            return false
        }.map { try $0.get() }
        for index in recipes.indices {
            #expect(try folder.read("helped/\(index)") == folder.read("alone/\(index)"), "\(index)")
        }
        #expect(fewest.withLock { $0 } < freeCount, "no worker has helped")
        #expect(workers.freeThreadCount == freeCount, "a worker was not given back")
        slot.giveBack()
    }

    /// One idle worker is left to a PNG's pieces. Further ones decode ahead as well.
    @Test(arguments: [(2, ["sepia"]), (4, ["sepia", "noir"])])
    func idleWorkersEncodePNGs(count: Int, chains: [String]) throws {
        let photo = try TestPhoto.jpeg(width: 2403, height: 1701, seed: 8)
        var recipes = try recipes(chains)
        for index in recipes.indices { recipes[index].format = .png }
        let workers = PhotoWorkers(count)
        let slot = workers.takeSlot(), freeCount = workers.freeThreadCount
        let fewest = Locked(freeCount), isDone = Locked(false)
        let watcher = DispatchGroup()
        DispatchQueue(label: "watcher").async(group: watcher) {
            while !isDone.withLock({ $0 }) {
                fewest.withLock { $0 = min($0, workers.freeThreadCount) }
                usleep(100)
            }
        }
        _ = try make(photo, recipes, in: "helped", workers: workers).map { try $0.get() }
        isDone.withLock { $0 = true }
        watcher.wait()
        _ = try make(photo, recipes, in: "alone").map { try $0.get() }
        for index in recipes.indices {
            #expect(try folder.read("helped/\(index)") == folder.read("alone/\(index)"), "\(index)")
        }
        #expect(fewest.withLock { $0 } < freeCount, "no worker has helped")
        #expect(workers.freeThreadCount == freeCount, "a worker was not given back")
        slot.giveBack()
    }

    /// A resizing has tables of a photo's rows; a tone needs none.
    @Test func anOutputThatNeedsTooMuchFailsAlone() throws {
        let photo = try TestPhoto.jpeg(width: 2, height: 60_000, seed: 4)
        let recipes = try recipes(["resize:scale=0.5", "sepia", "resize:scale=0.4"])
        var pipeline = PhotoPipeline(recipes[0])
        pipeline.limits.memoryByteCount = 8_000_000
        let path = try folder.write(photo, to: "in/photo")
        let outputs = recipes.indices.map {
            PhotoOutput(.file(path: folder.path("out/\($0)")), recipe: $0, overwrites: false)
        }
        let results = PhotoRun(
            pipeline, try EncodedImage(path: path), outputs, of: recipes, on: SIMDDevice(),
            isCancelled: { false }
        ).results()
        #expect(results.map { (try? $0.get()) != nil } == [false, true, false])
        #expect(try folder.read("out/1") == makeAlone(photo, recipes[1]))
    }

    /// A JPEG of some noise on grey: its samples stay within 0...255.
    private func softPhoto(width: Int, height: Int) throws -> [UInt8] {
        var random = SeededGenerator(seed: 5)
        let geometry = PhotoGeometry(width: width, height: height)
        let samples = (0..<3 * width * height).map { _ in UInt8.random(in: 110...140, using: &random) }
        let pixels = Pixels(samples, geometry, layout: .yCbCr(.s444))
        return try EncodedImage(pixels, as: .jpeg).bytes()
    }

    /// The first output of each list is the largest: those that follow are made of its resized pixels.
    @Test(arguments: [
        ["resize:scale=0.3", "resize:scale=0.12", "resize:scale=0.02"],
        [
            "resize:width=300+crop:width=40", "resize:width=140+sepia",
            "resize:width=60,height=60,fit=fill+invert",
        ],
        ["invert", "resize:scale=0.02"], ["resize:scale=0.3,kernel=box", "resize:scale=0.1"],
        ["crop:width=300", "resize:scale=0.4", "resize:scale=0.3"],
    ])
    func anOutputDoesNotDependOnWhichOthersAreMadeWithIt(texts: [String]) throws {
        let photo = try softPhoto(width: 643, height: 403)
        var recipes = try recipes(texts)
        for index in recipes.indices { recipes[index].quality = .value(100) }
        _ = try make(photo, recipes, in: "all")
        for index in recipes.indices {
            _ = try make(photo, recipes, only: [index], in: "one")
            #expect(try folder.read("one/\(index)") == folder.read("all/\(index)"))
            let alone = try EncodedImage(bytes: makeAlone(photo, recipes[index])).pixels()
            let shared = try EncodedImage(bytes: folder.read("all/\(index)")).pixels()
            #expect(alone.geometry == shared.geometry)
            let most = zip(alone.bytes, shared.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(index == 0 ? most == 0 : most <= 3, "\(index): \(most)")
        }
    }

    @Test func anOutputThatCannotBeWrittenLeavesTheOthers() throws {
        let photo = try TestPhoto.jpeg(width: 99, height: 403, seed: 6)
        try folder.write([1], to: "out/1")
        let results = try make(photo, try recipes(["sepia", "noir", "invert"]))
        #expect(throws: PhotoError.outputExists(path: folder.path("out/1"))) { try results[1].get() }
        for index in [0, 2] { #expect(try results[index].get().byteCount > 0) }
        #expect(try folder.read("out/1") == [1])
        #expect(folder.files() == ["in/photo", "out/0", "out/1", "out/2"])
    }

    /// A device that fails every photo of one size after its first rows.
    private final class PartlyFailingDevice: Device {
        let simd = SIMDDevice()
        let failingWidth: Int
        var info: DeviceInfo { simd.info }

        init(failingWidth: Int) { self.failingWidth = failingWidth }

        func render(
            _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
        ) throws {
            guard plan.outputGeometry.width == failingWidth else {
                return try simd.render(plan, from: source, to: sink, isCancelled: isCancelled)
            }
            try source.read(into: Strip(layout: plan.input, width: plan.geometry.width, rowCapacity: 16))
            throw DeviceError.movedMemory(device: "test")
        }

        func selfTest(_ plan: RenderPlan) throws {}
    }

    @Test func aDeviceThatFailsOneOutputMakesTheOthers() throws {
        let photo = try TestPhoto.jpeg(width: 401, height: 2003, seed: 7)
        let recipes = try recipes(["resize:width=200", "resize:width=100", "sepia"])
        for failing in [200, 100, 401] {
            let results = try make(
                photo, recipes, in: "out\(failing)", on: PartlyFailingDevice(failingWidth: failing))
            let widths = [200, 100, 401]
            for (width, result) in zip(widths, results) {
                if width == failing {
                    #expect(throws: DeviceError.self) { try result.get() }
                } else {
                    #expect(try result.get().byteCount > 0)
                }
            }
            #expect(folder.files().count { $0.hasPrefix("out\(failing)/") } == 2)
        }
    }

    @Test(arguments: [100, 5000]) func aDamagedPhotoLeavesNoOutput(byteCount: Int) throws {
        let photo = try TestPhoto.jpeg(width: 99, height: 403, seed: 8)
        let results = try make(Array(photo.prefix(byteCount)), try recipes(["sepia", "resize:scale=0.1"]))
        for result in results { #expect(throws: CodecError.self) { try result.get() } }
        #expect(folder.files() == ["in/photo"])
    }

    @Test(arguments: [1, 2, 5, 9]) func cancellingAtAnyPointLeavesNoOutput(asks: Int) throws {
        let photo = try TestPhoto.jpeg(width: 699, height: 1603, seed: 8)
        let asked = Counter()
        let results = try make(
            photo, try recipes(["sepia", "noir"]), isCancelled: { asked.next() >= asks })
        for result in results { #expect(throws: CancellationError.self) { try result.get() } }
        #expect(folder.files() == ["in/photo"])
    }

    private final class Counter: Sendable {
        private let value = Locked(0)
        func next() -> Int {
            value.withLock {
                $0 += 1; return $0
            }
        }
    }

    /// Three outputs at once exceed the budget, each alone does not.
    @Test func aPhotoThatIsTooLargeForAllOutputsGetsThemOneByOne() throws {
        let photo = try TestPhoto.jpeg(width: 6000, height: 100, seed: 9)
        let recipes = try recipes(["blur:radius=20", "blur:radius=21", "blur:radius=22", "blur:radius=23"])
        let alone = try make(photo, recipes, in: "whole")
        #expect(try alone.allSatisfy { try $0.get().byteCount > 0 })
        let budget = MemoryBudget(byteCount: 16 << 20)
        for result in try make(photo, recipes, in: "little", memory: budget) {
            #expect(throws: Never.self) { try result.get() }
        }
        for index in recipes.indices {
            #expect(try folder.read("little/\(index)") == folder.read("whole/\(index)"))
        }
    }

    /// Counts what is asked of it, once for all outputs of a recipe.
    private struct CountedFilter: Filter {
        static let name = "counted"
        static let summary = "nothing"
        static let group = FilterGroup.looks
        static let parameters: [Parameter<CountedFilter>] = []
        var counter = Counter()

        static func == (left: CountedFilter, right: CountedFilter) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
        init() {}

        func stages(for photo: PhotoGeometry) -> [Stage] {
            _ = counter.next()
            return []
        }
    }

    /// Renders as the CPU does, and counts the readings of a photo: its outputs begin alike, so each makes a group.
    private final class CountingDevice: BranchingDevice {
        let simd = SIMDDevice()
        let readings = Counter()
        var info: DeviceInfo { simd.info }
        var abilities: DeviceAbilities { DeviceAbilities(branching: self) }

        func memory(for plan: RenderPlan) -> RenderMemory { simd.memory(for: plan) }
        func selfTest(_ plan: RenderPlan) throws {}

        func render(
            _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
        ) throws {
            _ = readings.next()
            try simd.render(plan, from: source, to: sink, isCancelled: isCancelled)
        }

        func render(
            _ outputs: [RenderOutput], from source: any StripSource, isCancelled: () -> Bool
        ) throws {
            _ = readings.next()
            try simd.render(outputs, from: source, isCancelled: isCancelled)
        }
    }

    /// Drafts are made once for each output, and the photo is read once for each set of outputs that fits into memory.
    @Test func outputsThatDoNotFitAreMadeInFewReadings() throws {
        let photo = try TestPhoto.jpeg(width: 6000, height: 40, seed: 9)
        let counted = CountedFilter()
        let recipes = (0..<40).map { index -> Recipe in
            var blur = Blur()
            blur.radius = .pixels(20 + Float(index) / 10)
            var resize = Resize()
            resize.width = 5000
            return Recipe(FilterChain([counted, resize, blur]), quality: .value(90))
        }
        let device = CountingDevice()
        let results = try make(photo, recipes, on: device, memory: MemoryBudget(byteCount: 64 << 20))
        for result in results { #expect(throws: Never.self) { try result.get() } }
        #expect(counted.counter.next() <= 2 * recipes.count + 1)
        let readings = device.readings.next() - 1
        #expect(readings > 1 && readings <= 10, "\(readings) readings")
    }

    /// After an output that fits nowhere, the others are not made one by one.
    @Test func anOutputThatIsTooLargeAloneSlowsNoOther() throws {
        let photo = try TestPhoto.jpeg(width: 3000, height: 40, seed: 9)
        let recipes = (0..<40).map { index -> Recipe in
            var blur = Blur()
            blur.radius = .pixels(index == 0 ? 20 : 1)
            var resize = Resize()
            resize.width = index == 0 ? 60_000 : 2000
            resize.enlarge = .yes
            return Recipe(FilterChain([resize, blur]), quality: .value(90))
        }
        let device = CountingDevice()
        let results = try make(photo, recipes, on: device, memory: MemoryBudget(byteCount: 16 << 20))
        #expect(results.map { (try? $0.get()) != nil } == recipes.indices.map { $0 > 0 })
        #expect(device.readings.next() - 1 <= 20)
    }
}
