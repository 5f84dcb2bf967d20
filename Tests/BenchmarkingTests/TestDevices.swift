import TintypeCompute
import TintypeImaging

/// The CPU with altered results.
final class AlteringDevice: Device {
    let info: DeviceInfo
    private let alter: @Sendable (Strip) throws -> Void

    /// - Parameter alter: may change the result, which is one strip, or its number of rows.
    init(_ identifier: String, alter: @escaping @Sendable (Strip) throws -> Void = { _ in }) {
        info = DeviceInfo(identifier: identifier, kind: .gpu, name: "Test", driver: "1", memoryByteCount: 0)
        self.alter = alter
    }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try SIMDDevice().render(plan, from: source, to: result.makeSink(), isCancelled: isCancelled)
        try alter(result.strip)
        try sink.write(result.strip)
    }

    func selfTest(_ plan: RenderPlan) throws {}
}
