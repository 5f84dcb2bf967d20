import TintypeCompute
import TintypeImaging
import TintypeLocking

/// A device that renders as the CPU at first, and then copies photos, which is wrong for most filters.
package final class TurningDevice: Device {
    private let copy: CopyDevice
    private let isRight: @Sendable (_ number: Int) -> Bool
    private let photoCount = Locked(0)
    package var info: DeviceInfo { copy.info }

    /// - Parameter isRight: tells by a photo's number, from 1 on, before the photo is rendered.
    package init(_ identifier: String = "turning", isRight: @escaping @Sendable (_ number: Int) -> Bool) {
        copy = CopyDevice(identifier)
        self.isRight = isRight
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        let number = photoCount.withLock { count in
            count += 1
            return count
        }
        let device: any Device = isRight(number) ? SIMDDevice() : copy
        try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    package func selfTest(_ plan: RenderPlan) throws {}
}
