import Glibc
import TintypeImaging
import TintypeRendering
import TintypeStages

/// This machine's CPU, with kernels compiled for one instruction-set level.
///
/// A render runs on the calling thread.
public final class SIMDDevice: BranchingDevice, MeasurableDevice {
    package let level: SIMDLevel
    public let info: DeviceInfo
    public var abilities: DeviceAbilities { DeviceAbilities(branching: self, measuring: self) }
    /// Height of the strips in pixels, before rounding up to whole blocks; nil chooses by width.
    let stripRows: Int?

    /// - Parameters:
    ///   - level: by default the best level of this machine.
    ///   - stripRows: height of the strips in pixels; every height gives the same bytes.
    package init(level: SIMDLevel = .best, stripRows: Int? = nil) {
        self.level = level
        self.stripRows = stripRows
        info = DeviceInfo(
            identifier: level == .best ? "cpu" : "cpu.\(level.name)", kind: .simd, name: "SIMD \(level.name)",
            driver: "", memoryByteCount: SystemMemory.byteCount)
    }

    public func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try render([RenderOutput(plan, to: sink)], from: source, isCancelled: isCancelled)
    }

    package func render(
        _ outputs: [RenderOutput], from source: any StripSource, isCancelled: () -> Bool
    ) throws {
        let plan = outputs[0].plan, rows = stripRows ?? plan.usualStripRows
        let input = try Strip(layout: plan.input, width: plan.geometry.width, rowCapacity: rows)
        let renderer = try SIMDRenderer(outputs, input: input, level: level, stripRows: rows)
        try plan.readStrips(from: source, into: input, isCancelled: isCancelled) {
            try renderer.consume($0)
        }
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, stripRows: Int?,
        profiles: Bool, isCancelled: () -> Bool
    ) throws -> DeviceTimings? {
        let device = stripRows.map { SIMDDevice(level: level, stripRows: $0) } ?? self
        try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
        return nil
    }

    /// On one thread, as kernels run.
    package func secondsOfCopies(byteCount: Int, count: Int) -> [Double] {
        let source = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        let target = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        // The system allocates pages when they are first written.
        memset(source, 1, byteCount)
        memset(target, 2, byteCount)
        return (0..<count).map { _ in
            ContinuousClock().measure { _ = memcpy(target, source, byteCount) } / .seconds(1)
        }
    }

    public func selfTest(_ plan: RenderPlan) throws {
        try SelfTest.baseline.run(plan, deviceName: info.name) { plan, source, sink in
            try render(plan, from: source, to: sink, isCancelled: { false })
        }
    }
}
