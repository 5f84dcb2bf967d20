import Foundation
import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

struct OpenCLTests {
    private let device: OpenCLDevice

    init() throws {
        device = try #require(OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd")
    }

    @Test func aKernelThatDoesNotBuildIsReportedWithTheCompilersWords() throws {
        let source = ProgramSource(
            name: "wrong.cl", text: "__kernel void wrong() { return undeclared_word; }")
        #expect {
            try device.program(source)
        } throws: { error in
            guard case DeviceError.buildFailed(let kernel, let name, let log) = error else { return false }
            return kernel == "wrong.cl" && name == device.info.name && log.contains("undeclared_word")
        }
    }

    @Test func aProgramComesFromItsCachedBinary() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tintype-\(UUID().uuidString)")
        let cache = try #require(DeviceCache(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = "__kernel void one(__global int *result) { *result = 1; }"
        func program(_ text: String) throws(DeviceError) -> OpenCLProgram {
            try OpenCLProgram(
                ProgramSource(name: "one.cl", text: text), device: device, context: try device.context(),
                cache: cache, cacheKey: "key")
        }
        _ = try program(text)
        #expect(try #require(cache.value(.program, for: "key")).count > 0)
        // The cached binary is used, not the source.
        _ = try program("no OpenCL").kernel("one")
        // A binary that the driver rejects is ignored.
        cache.store([1, 2, 3], .program, for: "key")
        _ = try program(text).kernel("one")
    }

    @Test func tablesOfConstantsAreKeptUpToALimitOfBytes() throws {
        let device = try #require(OpenCLRuntime.shared.makeDevices().first)
        let table: [Float] = [1, 2, 3]
        let kept = try device.constants(table)
        #expect(try device.constants(table) === kept)
        #expect(try device.integerConstants([1, 2, 3]) !== kept)
        // 8 MiB is kept, one value more is not.
        let large = [Float](repeating: 0.5, count: 2 << 20)
        #expect(try device.constants(large) === device.constants(large))
        #expect(try device.constants(large + [0]) !== device.constants(large + [0]))
        // With these, the tables have more than 64 MiB.
        for value in 1..<8 { _ = try device.constants([Float](repeating: Float(value), count: 2 << 20)) }
        #expect(try device.constants(table) !== kept)
    }

    @Test func everyKernelPassesTheSelfTest() throws {
        let geometry = PhotoGeometry(width: 300, height: 200)
        for filter in FilterCatalog.all {
            let layout = PixelLayout.yCbCr(.s420)
            let plan = RenderPlan(FilterChain([filter]), for: geometry, input: layout, output: layout)
            try device.selfTest(plan)
        }
    }

    @Test func aRenderTellsWhatTheDeviceSpentItsTimeOn() throws {
        let photo = MemoryPhoto(noise: PhotoGeometry(width: 640, height: 480), layout: .yCbCr(.s420), seed: 1)
        let plan = RenderPlan(
            FilterChain([Sepia()]), for: photo.geometry, input: photo.layout, output: photo.layout)
        let result = MemoryPhoto(photo.geometry, layout: photo.layout)
        func timings(profiles: Bool) throws -> DeviceTimings? {
            try device.render(
                plan, from: photo.makeSource(), to: result.makeSink(), stripRows: 64, profiles: profiles,
                isCancelled: { false })
        }
        #expect(try #require(try timings(profiles: true)).kernels > 0)
        #expect(try timings(profiles: false) == nil)
    }

    @Test func aQueueProfilesOnlyIfAsked() throws {
        let byteCount = 1 << 24
        let source = try OpenCLBuffer(device, byteCount: byteCount)
        let target = try OpenCLBuffer(device, byteCount: byteCount)
        for profiles in [true, false] {
            let queue = try OpenCLQueue(device, profiles: profiles)
            try queue.copy(from: source, at: 0, to: target, at: 0, byteCount: byteCount)
            try queue.finish()
            let nanoseconds = queue.takeEvents().map(\.nanoseconds)
            #expect(nanoseconds.count == 1 && (nanoseconds[0] > 0) == profiles)
        }
    }

    @Test func aCancelledRenderStops() throws {
        let photo = MemoryPhoto(noise: PhotoGeometry(width: 64, height: 640), layout: .yCbCr(.s420), seed: 1)
        let plan = RenderPlan(
            FilterChain([Sepia()]), for: photo.geometry, input: photo.layout, output: photo.layout)
        var questions = 0
        for device in [device as any Device, SIMDDevice()] {
            let result = MemoryPhoto(photo.geometry, layout: photo.layout)
            #expect(throws: CancellationError.self) {
                try device.render(plan, from: photo.makeSource(), to: result.makeSink()) {
                    questions += 1
                    return true
                }
            }
        }
        #expect(questions == 2)
    }

    @Test func rendersRunSideBySideOnOneDevice() async throws {
        let photo = MemoryPhoto(noise: PhotoGeometry(width: 333, height: 257), layout: .yCbCr(.s420), seed: 4)
        let plan = RenderPlan(
            FilterChain([Sepia()]), for: photo.geometry, input: photo.layout, output: photo.layout)
        let expected = try SIMDDevice().render(plan, photo).samples
        for device in [device] + TestDevices.asGPU {
            let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let photo = MemoryPhoto(
                            noise: PhotoGeometry(width: 333, height: 257), layout: .yCbCr(.s420), seed: 4)
                        let result = MemoryPhoto(photo.geometry, layout: photo.layout)
                        try device.render(
                            plan, from: photo.makeSource(), to: result.makeSink(), stripRows: 32,
                            isCancelled: { false })
                        return result.samples
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 16 && results.allSatisfy { $0 == expected })
        }
    }

    @Test func photosOfChangingSizesShareMemory() throws {
        for device in [device] + TestDevices.asGPU {
            for (width, height, filter) in [
                (500, 300, Sepia() as any Filter), (60, 40, Noir()), (700, 90, TiltShift()),
                (500, 300, Noir()),
            ] {
                let photo = MemoryPhoto(
                    noise: PhotoGeometry(width: width, height: height), layout: .interleaved(.rgb, .eight),
                    seed: 6)
                let plan = RenderPlan(
                    FilterChain([filter]), for: photo.geometry, input: photo.layout, output: photo.layout)
                #expect(
                    try device.render(plan, photo).samples == SIMDDevice().render(plan, photo).samples)
            }
        }
    }

    @Test func memoryThatOneRenderDoesNotTakeGoesWithTheNext() throws {
        var pool = BlockPool<Int>()
        var made: [Int] = []
        func take(_ byteCount: Int) throws -> Int {
            try pool.block(byteCount: byteCount) { (byteCount) throws(DeviceError) in
                made.append(byteCount)
                return made.count
            }
        }
        #expect(try take(100_000) == 1 && take(100_000) == 2 && take(1_000_000) == 3)
        #expect(zip(made, [100_000, 100_000, 1_000_000]).allSatisfy { $0 >= $1 && $0 <= $1 * 9 / 8 })
        pool.beginRender()
        // The two small buffers are reused in any order. The large one is too large for these requests.
        #expect(try Set([take(90_000), take(100_000)]) == [1, 2] && take(90_000) == 4)
        pool.beginRender()
        // The large buffer was released, because no render used it.
        #expect(try take(1_000_000) == 5)
    }
}
