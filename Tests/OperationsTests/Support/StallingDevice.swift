import Foundation
import Tintype

/// A device that does nothing until it is cancelled.
final class StallingDevice: Device {
    let info = DeviceInfo(
        identifier: "stalling", kind: .gpu, name: "Stalling", driver: "", memoryByteCount: 0)
    private let begin: @Sendable () -> Void

    init(_ begin: @escaping @Sendable () -> Void) { self.begin = begin }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        begin()
        while !isCancelled() { usleep(500) }
        throw CancellationError()
    }

    func selfTest(_ plan: RenderPlan) throws {}
}
