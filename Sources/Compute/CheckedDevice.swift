import CPURendering
import Filters
import Imaging
import Locking
import Rendering

/// A device that may begin to give wrong bytes after its test. A share of its pixels is rendered on the CPU as well, and
/// compared.
///
/// Of a photo with point stages alone, some rows at a random place are checked, nearly each time. A blur needs the rows around
/// it, so of other photos, one is checked wholly and many are not.
package final class CheckedDevice: Device {
    /// The device itself.
    package let device: any Device
    /// The share of pixels that is checked, 0 to 1.
    private let share: Double
    private let credits = Locked(Credits())
    private let checks = Locked(0)

    package var info: DeviceInfo { device.info }
    /// The number of checks that have passed.
    package var passedChecks: Int { checks.withLock { $0 } }

    /// Whether all pixels are checked, so that no earlier result can be wrong.
    package var checksAll: Bool { share >= 1 }

    /// By default, the CPU renders a 256th of the pixels. For a tilt-shift, that is a thousandth of what its photo takes to decode
    /// and encode.
    package static let usualShare = 1.0 / 256
    /// The height of a part that is checked.
    private static let partRows = 16...128

    /// Pixels that may be checked. They begin within the cost of a check, so that each photo has the same chance.
    private struct Credits {
        var parts: Double?
        var photos: Double?
    }

    package init(_ device: any Device, share: Double) {
        self.device = device
        self.share = share
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        guard let rows = rowsToCheck(plan) else {
            return try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
        }
        let comparison = RenderComparison(plan, rows: rows)
        try device.render(
            plan, from: comparison.watching(source), to: comparison.watching(sink), isCancelled: isCancelled)
        if let row = comparison.firstDifference {
            throw DeviceError.wrongPixels(device: info.name, row: row, earlierOutputs: [])
        }
        checks.withLock { $0 += 1 }
    }

    /// The device's memory, and the CPU's for a check.
    package func memory(for plan: RenderPlan) -> RenderMemory {
        let memory = device.memory(for: plan)
        guard share > 0 else { return memory }
        return RenderMemory(
            stripRows: memory.stripRows,
            byteCount: memory.byteCount + SIMDDevice().memory(for: plan).byteCount)
    }

    package func selfTest(_ plan: RenderPlan) throws { try device.selfTest(plan) }

    /// The rows of the result to check this time; nil is none.
    private func rowsToCheck(_ plan: RenderPlan) -> Range<Int>? {
        guard share > 0, !plan.isIdentity else { return nil }
        let height = plan.outputGeometry.height, granularity = plan.rowGranularity
        let partRows = max(Self.partRows.lowerBound, Int((share * Double(height)).rounded(.up)))
            .roundedUp(toMultipleOf: granularity)
        let checksPart =
            plan.stages.allSatisfy { if case .point = $0 { true } else { false } }
            && partRows <= min(Self.partRows.upperBound, height)
        let rowCount = checksPart ? partRows : height
        let kind: WritableKeyPath<Credits, Double?> = checksPart ? \.parts : \.photos
        let cost = Double(rowCount * plan.outputGeometry.width)
        let isDue = credits.withLock { credits in
            let saved =
                (credits[keyPath: kind] ?? Double.random(in: 0..<cost))
                + share * Double(plan.outputGeometry.pixelCount)
            // A large photo leaves no credit for a row of small ones.
            credits[keyPath: kind] = saved < cost ? saved : min(saved - cost, cost)
            return saved >= cost
        }
        guard isDue else { return nil }
        let first = Int.random(in: 0...(height - rowCount) / granularity) * granularity
        return first..<min(first + rowCount, height)
    }
}
