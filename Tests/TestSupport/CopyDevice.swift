import Foundation
import TintypeCompute
import TintypeImaging
import TintypeLocking

/// A device that copies photos, and injects the faults of a test.
package final class CopyDevice: Device {
    package let info: DeviceInfo
    private let beforeEachPhoto: @Sendable (_ isCancelled: () -> Bool) throws -> Void
    private let selfTestError: DeviceError?
    private let renderMemory: RenderMemory?
    private let atWork = Locked((now: 0, most: 0, photos: 0))

    package init(
        _ identifier: String = "copy", kind: DeviceInfo.Kind = .gpu,
        failingSelfTest selfTestError: DeviceError? = nil, memory renderMemory: RenderMemory? = nil,
        beforeEachPhoto: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Void = { _ in }
    ) {
        info = DeviceInfo(identifier: identifier, kind: kind, name: "Test", driver: "", memoryByteCount: 0)
        self.selfTestError = selfTestError
        self.renderMemory = renderMemory
        self.beforeEachPhoto = beforeEachPhoto
    }

    /// Photos that were on the device, and how many of them at once at most.
    package var photoCount: Int { atWork.withLock { $0.photos } }
    package var mostAtOnce: Int { atWork.withLock { $0.most } }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        atWork.withLock { $0 = (now: $0.now + 1, most: max($0.most, $0.now + 1), photos: $0.photos + 1) }
        defer { atWork.withLock { $0.now -= 1 } }
        try beforeEachPhoto(isCancelled)
        precondition(plan.input == plan.output, "this device converts nothing")
        var row = 0
        while row < plan.geometry.height {
            if isCancelled() { throw CancellationError() }
            let strip = try Strip(layout: plan.input, width: plan.geometry.width, rowCapacity: 16)
            try source.read(into: strip)
            try sink.write(strip)
            row = strip.endRow
        }
    }

    package func memory(for plan: RenderPlan) -> RenderMemory {
        renderMemory ?? SIMDDevice().memory(for: plan)
    }

    package func selfTest(_ plan: RenderPlan) throws {
        if let selfTestError { throw selfTestError }
    }
}
