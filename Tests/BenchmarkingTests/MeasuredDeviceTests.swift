import Testing
import TintypeCompute
import TintypeFilters
import TintypeImaging

@testable import TintypeBenchmarking

/// Devices of a kind that the benchmark does not know.
struct MeasuredDeviceTests {
    @Test func aDeviceThatMeasuresItsWorkIsAskedForIt() throws {
        let device = OtherDevice(measures: true), photo = try BenchmarkPhoto(megapixels: 0.1)
        let pass = PhotoPass(jpeg: photo.jpeg, chain: FilterChain([Sepia()]), device: device)
        let times = try pass.run(into: MemoryFile(), profiles: true, isCancelled: { false })
        #expect([times.upload, times.kernel, times.download] == [0.1, 0.2, 0.3])
        #expect(try pass.residentSeconds(isCancelled: { false }) == 0.4)
        // A copy reads and writes every byte.
        #expect(try CopyBandwidth.measure(device, byteCount: 1000, count: 3) == 4000)
        let speeds = try #require(try TransferSpeeds.measure(device, byteCount: 1_000_000_000, count: 3))
        #expect(speeds.pinned == .init(upload: 2, download: 4))
    }

    @Test func aDeviceThatDoesNotMeasureItsWorkIsTimedFromOutside() throws {
        let device = OtherDevice(measures: false), photo = try BenchmarkPhoto(megapixels: 0.1)
        let pass = PhotoPass(jpeg: photo.jpeg, chain: FilterChain([Sepia()]), device: device)
        let times = try pass.run(into: MemoryFile(), profiles: true, isCancelled: { false })
        #expect(abs(times.decode + times.kernel + times.encode - times.total) < 1e-9)
        #expect(try pass.residentSeconds(isCancelled: { false }) == nil)
        #expect(try CopyBandwidth.measure(device, byteCount: 1000, count: 3) == nil)
        #expect(try TransferSpeeds.measure(device, byteCount: 1000, count: 3) == nil)
    }
}

/// Renders as the CPU does, and measures what is easily told apart.
private final class OtherDevice: MeasurableDevice {
    let info = DeviceInfo(
        identifier: "1.0", kind: .accelerator, name: "Other", driver: "", memoryByteCount: 1 << 30)
    private let simd = SIMDDevice()
    private let measures: Bool

    init(measures: Bool) { self.measures = measures }

    var abilities: DeviceAbilities { DeviceAbilities(measuring: measures ? self : nil) }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try simd.render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, stripRows: Int?,
        profiles: Bool, isCancelled: () -> Bool
    ) throws -> DeviceTimings? {
        try render(plan, from: source, to: sink, isCancelled: isCancelled)
        var timings = DeviceTimings()
        (timings.upload, timings.kernels, timings.download) = (100_000_000, 200_000_000, 300_000_000)
        return profiles ? timings : nil
    }

    func secondsOfKernels(_ plan: RenderPlan, isCancelled: () -> Bool) -> Double? { 0.4 }

    func secondsOfCopies(byteCount: Int, count: Int) -> [Double] { Array(repeating: 0.5, count: count) }

    func transferTimes(byteCount: Int, count: Int, in hostMemory: TransferMemory) -> TransferTimes? {
        var times = TransferTimes()
        times.upload = Array(repeating: 0.5, count: count)
        times.download = Array(repeating: 0.25, count: count)
        return times
    }

    func selfTest(_ plan: RenderPlan) {}
}
