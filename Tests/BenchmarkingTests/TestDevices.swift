import Compute
import Imaging

/// The CPU with altered results.
final class AlteringDevice: Device {
    let info: DeviceInfo
    private let alter: @Sendable (Strip) throws -> Bool

    /// - Parameter alter: may change a strip of the result; false drops the strip.
    init(_ identifier: String, alter: @escaping @Sendable (Strip) throws -> Bool) {
        info = DeviceInfo(identifier: identifier, kind: .gpu, name: "Test", driver: "1", memoryByteCount: 0)
        self.alter = alter
    }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try SIMDDevice().render(
            plan, from: source, to: AlteringSink(sink, alter), isCancelled: isCancelled)
    }

    func selfTest(_ plan: RenderPlan) throws {}

    private final class AlteringSink: StripSink {
        private let sink: any StripSink
        private let alter: (Strip) throws -> Bool
        var layout: PixelLayout { sink.layout }

        init(_ sink: any StripSink, _ alter: @escaping (Strip) throws -> Bool) {
            self.sink = sink
            self.alter = alter
        }

        func write(_ strip: Strip) throws { if try alter(strip) { try sink.write(strip) } }
    }
}
