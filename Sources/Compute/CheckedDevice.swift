import TintypeCPURendering
import TintypeImaging
import TintypeLocking
import TintypeRendering

/// A device that may begin to give wrong bytes after its test. A share of its pixels is rendered on the CPU as well, and
/// compared.
///
/// Of photos that the device decodes or encodes itself, one is checked wholly and many are not; the first of each kind always is.
/// Of a photo with point stages alone, some rows at a random place are checked, nearly each time. A blur needs the rows around
/// it, so of other photos, one is checked wholly and many are not.
package final class CheckedDevice: ApprovingDevice, CodingDevice {
    /// The device itself.
    package let device: any Device
    /// The share of pixels that is checked, 0 to 1.
    private let share: Double
    private let turns = Locked(Turns())
    private let record = Locked(Record())

    package var info: DeviceInfo { device.info }
    package var abilities: DeviceAbilities {
        DeviceAbilities(
            compiling: device.abilities.compiling, approving: self, coding: coding == nil ? nil : self)
    }
    /// Checks what the device decodes and encodes itself; nil if it does neither.
    private let coding: CodingChecks?
    /// The number of checks that have passed.
    package var passedChecks: Int { record.withLock { $0.passedChecks } }

    /// By default, the CPU renders a 256th of the pixels. For a tilt-shift, that is a thousandth of what its photo takes to decode
    /// and encode.
    package static let usualShare = 1.0 / 256
    /// The height of a part that is checked.
    private static let partRows = 16...128

    /// When the next check is due. Each render takes a part of a turn, as large as its chance of a check, and each turn has one
    /// check, at a random place. So all photos have the same chance, whatever their sizes and their order.
    private struct Turn {
        private var place = Double.random(in: 0..<1)
        private var passed = 0.0
        private var isChecked = false

        /// - Parameter part: of a turn, at most 1.
        mutating func take(_ part: Double) -> Bool {
            passed += part
            var isDue = false
            if !isChecked, passed > place { (isDue, isChecked) = (true, true) }
            guard passed >= 1 else { return isDue }
            passed -= 1
            place = .random(in: 0..<1)
            isChecked = !isDue && passed > place
            return isDue || isChecked
        }
    }

    private struct Turns {
        var ofParts = Turn()
        var ofPhotos = Turn()
    }

    /// An output that was approved.
    private struct Output {
        let name: String
        let work: WorkKind
        let number: Int
        /// Checks of the same kernels with other values that have passed since.
        var checksOfKernels = 0
    }

    /// So many checks of the same kernels with other values count as one with the same values. Values that are as frequent as all
    /// others together miss so many checks once in 256 times.
    private static let checksOfOtherValues = 8

    /// What the checks have found.
    private struct Record {
        var passedChecks = 0
        /// What the first check that did not pass has found.
        var fault: DeviceError?
        /// Outputs approved since the last check of the same work that has passed began.
        var outputs: [Output] = []
        /// Of all that were approved.
        var outputCount = 0

        /// Trusts outputs after a check of this work that has passed.
        mutating func clear(madeBefore number: Int, _ work: WorkKind) {
            for index in outputs.indices.reversed() where outputs[index].number < number {
                guard outputs[index].work.hasKernels(of: work) else { continue }
                outputs[index].checksOfKernels += 1
                if outputs[index].work == work || outputs[index].checksOfKernels >= checksOfOtherValues {
                    outputs.remove(at: index)
                }
            }
        }
    }

    package init(_ device: any Device, share: Double) {
        self.device = device
        self.share = share
        coding = device.abilities.coding.map(CodingChecks.init)
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try checkTrusted()
        guard let rows = rowsToCheck(plan) else {
            return try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
        }
        let outputCount = record.withLock { $0.outputCount }
        let comparison = RenderComparison(plan, rows: rows)
        do {
            try device.render(
                plan, from: comparison.watching(source), to: comparison.watching(sink),
                isCancelled: isCancelled)
        } catch {
            // What the device has given until a disk was full, or the photo damaged, tells all the same.
            if let row = comparison.firstDifferenceSoFar {
                record.withLock { $0.fault = $0.fault ?? wrongPixels(row: row) }
            }
            throw error
        }
        try conclude(
            comparison.firstDifference.map(wrongPixels), [DeviceWork(plan)], madeBefore: outputCount)
    }

    /// Throws if the device has been found to be wrong.
    func checkTrusted() throws {
        if let fault = record.withLock({ $0.fault }) { throw fault }
    }

    /// Ends a check.
    ///
    /// - Parameters:
    ///   - fault: nil if all that was compared is right.
    ///   - outputCount: the number of outputs when the check began. It says nothing of outputs made meanwhile: the device may
    ///     have become wrong behind the rows checked.
    func conclude(_ fault: DeviceError?, _ works: [DeviceWork], madeBefore outputCount: Int) throws {
        try record.withLock { record in
            if let fault {
                record.fault = record.fault ?? fault
                throw fault
            }
            record.passedChecks += 1
            guard record.fault == nil else { return }
            for work in works { record.clear(madeBefore: outputCount, WorkKind(work)) }
        }
    }

    /// The number of outputs so far, if a photo is to be checked wholly this time.
    ///
    /// - Parameter isNew: whether it must be.
    func outputCountToCheckFrom(isNew: Bool) -> Int? {
        guard isNew || turns.withLock({ $0.ofPhotos.take(share) }) else { return nil }
        return record.withLock { $0.outputCount }
    }

    /// Outputs that may be wrong: those made since the last check of the same work that passed began. Empty unless the device
    /// is wrong.
    package var suspectOutputs: [String] {
        record.withLock { $0.fault == nil ? [] : $0.outputs.map(\.name) }
    }

    /// Returns `suspectOutputs`, and does not name them again.
    package func takeSuspectOutputs() -> [String] {
        record.withLock { record in
            guard record.fault != nil else { return [] }
            defer { record.outputs = [] }
            return record.outputs.map(\.name)
        }
    }

    package func approve(_ output: String?, of work: DeviceWork?) throws {
        if let work, work.isNone { return }
        try record.withLock { record in
            if let fault = record.fault { throw fault }
            // Where all pixels are checked, no earlier output can be wrong.
            guard let output, let work, share < 1 else { return }
            record.outputs.append(Output(name: output, work: WorkKind(work), number: record.outputCount))
            record.outputCount += 1
        }
    }

    package func withdraw(_ output: String) {
        record.withLock { record in
            guard let index = record.outputs.lastIndex(where: { $0.name.exact == output.exact }) else {
                return
            }
            record.outputs.remove(at: index)
        }
    }

    func wrongPixels(row: Int) -> DeviceError { .wrongPixels(device: info.name, row: row) }

    /// The device's memory, and the CPU's for a check.
    package func memory(for plan: RenderPlan) -> RenderMemory {
        let memory = device.memory(for: plan)
        guard share > 0 else { return memory }
        return RenderMemory(
            stripRows: memory.stripRows,
            byteCount: memory.byteCount + SIMDDevice().memory(for: plan).byteCount)
    }

    package func offer(for work: CodingWork) throws -> CodingOffer? { try coding?.offer(for: work) }

    package func render(
        _ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool
    ) throws {
        guard let coding else { preconditionFailure("the device has offered nothing") }
        try coding.render(outputs, from: input, for: self, isCancelled: isCancelled)
    }

    package func selfTest(_ plan: RenderPlan) throws { try device.selfTest(plan) }

    /// The rows of the result to check this time; nil is none.
    private func rowsToCheck(_ plan: RenderPlan) -> Range<Int>? {
        guard share > 0, !plan.isIdentity else { return nil }
        let height = plan.outputGeometry.height, granularity = plan.rowGranularity
        let partRows = max(Self.partRows.lowerBound, Int((share * Double(height)).rounded(.up)))
            .roundedUp(toMultipleOf: granularity)
        let checksPart =
            plan.hasPointStagesAlone
            && partRows <= min(Self.partRows.upperBound, height)
        let rowCount = checksPart ? partRows : height
        let checkedCount = rowCount * plan.outputGeometry.width
        let chance = min(1, share * Double(plan.outputGeometry.pixelCount) / Double(checkedCount))
        let isDue = turns.withLock { turns in
            checksPart ? turns.ofParts.take(chance) : turns.ofPhotos.take(chance)
        }
        guard isDue else { return nil }
        let first = Int.random(in: 0...(height - rowCount) / granularity) * granularity
        return first..<min(first + rowCount, height)
    }
}
