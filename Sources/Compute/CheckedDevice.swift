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
    private let record = Locked(Record())

    package var info: DeviceInfo { device.info }
    /// The number of checks that have passed.
    package var passedChecks: Int { record.withLock { $0.passedChecks } }

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

    /// What the checks have found.
    private struct Record {
        var passedChecks = 0
        /// The first wrong row that a check has found.
        var wrongRow: Int?
        /// Outputs approved since the last check that has passed began.
        var outputs: [String] = []
        /// The number of outputs approved before these.
        var removedOutputCount = 0

        /// Removes all outputs but those approved after the first `count`.
        mutating func removeOutputs(before count: Int) {
            let removed = min(max(0, count - removedOutputCount), outputs.count)
            outputs.removeFirst(removed)
            removedOutputCount += removed
        }
    }

    package init(_ device: any Device, share: Double) {
        self.device = device
        self.share = share
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        if let row = record.withLock({ $0.wrongRow }) { throw wrongPixels(row: row) }
        guard let rows = rowsToCheck(plan) else {
            return try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
        }
        let outputCount = record.withLock { $0.removedOutputCount + $0.outputs.count }
        let comparison = RenderComparison(plan, rows: rows)
        do {
            try device.render(
                plan, from: comparison.watching(source), to: comparison.watching(sink),
                isCancelled: isCancelled)
        } catch {
            // What the device has given until a disk was full, or the photo damaged, tells all the same.
            if let row = comparison.firstDifferenceSoFar {
                record.withLock { $0.wrongRow = $0.wrongRow ?? row }
            }
            throw error
        }
        try record.withLock { record in
            if let row = comparison.firstDifference {
                record.wrongRow = record.wrongRow ?? row
                throw wrongPixels(row: row)
            }
            record.passedChecks += 1
            // A check says nothing of outputs made meanwhile: the device may have become wrong behind the rows checked.
            if record.wrongRow == nil { record.removeOutputs(before: outputCount) }
        }
    }

    /// Outputs that may be wrong: those made since the last check that passed began. Empty unless the device is wrong.
    package var suspectOutputs: [String] { record.withLock { $0.wrongRow == nil ? [] : $0.outputs } }

    /// Returns `suspectOutputs`, and does not name them again.
    package func takeSuspectOutputs() -> [String] {
        record.withLock { record in
            guard record.wrongRow != nil else { return [] }
            defer { record.outputs = [] }
            return record.outputs
        }
    }

    fileprivate func approve(_ output: String?) throws {
        try record.withLock { record in
            if let row = record.wrongRow { throw wrongPixels(row: row) }
            // Where all pixels are checked, no earlier output can be wrong.
            if let output, share < 1 { record.outputs.append(output) }
        }
    }

    fileprivate func withdraw(_ output: String) {
        record.withLock { record in
            guard let index = record.outputs.lastIndex(of: output) else { return }
            record.outputs.remove(at: index)
            // Those behind it keep their numbers.
            record.removedOutputCount += 1
        }
    }

    private func wrongPixels(row: Int) -> DeviceError { .wrongPixels(device: info.name, row: row) }

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

extension Device {
    /// To be called before an output that this device has rendered gets its name.
    ///
    /// - Parameter output: its name, for `CheckedDevice.suspectOutputs`; nil for an image, which has none.
    /// - Throws: `DeviceError.wrongPixels` if the device has been found to be wrong since.
    package func approve(_ output: String?) throws { try (self as? CheckedDevice)?.approve(output) }

    /// To be called if an output that was approved has not got its name after all.
    package func withdraw(_ output: String) { (self as? CheckedDevice)?.withdraw(output) }
}
