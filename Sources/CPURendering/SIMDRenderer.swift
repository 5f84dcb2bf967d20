import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// Runs one or several plans over one photo's strips, top to bottom.
final class SIMDRenderer {
    private let outputs: [RenderOutput]
    private let loaded: LoadedRows
    /// The consumer of the loaded rows: the first pass, or the output.
    private let first: any RowConsumer

    /// - Parameters:
    ///   - outputs: plans that begin with the same stages share these.
    ///   - input: the strip that `consume` will be called with.
    ///   - firstRow: the first row of the results, above 0 only for plans of point stages alone.
    /// - Throws: `OutOfMemory`, `DeviceError.invalidStage`.
    init(
        _ outputs: [RenderOutput], input: Strip, level: SIMDLevel, stripRows: Int, firstRow: Int = 0
    ) throws {
        self.outputs = outputs
        let branches = outputs.map { PlanBranch(output: $0, groups: StageGroups($0.plan)) }
        let kinds = branches.kinds(at: 0), geometry = outputs[0].plan.geometry
        loaded = LoadedRows(
            input, points: try PointPass(kinds.sharedPoints(at: 0), photo: geometry, level: level),
            level: level)
        let builder = PassBuilder(
            hasAlpha: outputs[0].plan.input.hasAlpha, level: level, stripRows: stripRows,
            firstRow: firstRow, loaded: kinds.count == 1 ? loaded : nil)
        first = try builder.consumer(of: kinds, at: 0)
    }

    /// Filters a strip and passes the rows that are complete to the sinks.
    func consume(_ strip: Strip) throws {
        if outputs.count == 1, outputs[0].plan.isIdentity { return try outputs[0].sink.write(strip) }
        loaded.strip = strip
        try first.consume(strip.firstRow..<strip.endRow, from: loaded, sink: outputs[0].sink)
    }
}

/// An output with the passes of its plan.
private struct PlanBranch {
    let output: RenderOutput
    let groups: StageGroups
}

extension [PlanBranch] {
    /// The branches by their next point stages and pass. A branch without a further pass is alone.
    fileprivate func kinds(at index: Int) -> [[PlanBranch]] {
        var kinds: [[PlanBranch]] = []
        for branch in self {
            let own = branch.groups
            let kind = kinds.firstIndex { kind in
                let other = kind[0].groups
                return index < own.passes.count && index < other.passes.count
                    && own.points[index] == other.points[index] && own.passes[index] == other.passes[index]
            }
            if let kind { kinds[kind].append(branch) } else { kinds.append([branch]) }
        }
        return kinds
    }
}

extension [[PlanBranch]] {
    /// The point stages before a pass, if all kinds have the same pass there; else each kind runs its own.
    fileprivate func sharedPoints(at index: Int) -> [PointStage] {
        count == 1 ? self[0][0].groups.points[index] : []
    }
}

/// Makes the passes of plans, from the last one to the first.
private struct PassBuilder {
    let hasAlpha: Bool
    let level: SIMDLevel
    let stripRows: Int
    let firstRow: Int
    /// The rows that the first pass reads as samples; nil if they are not loaded for one pass alone.
    let loaded: LoadedRows?

    /// The consumer of the rows before pass `index`, after `sharedPoints`.
    func consumer(of kinds: [[PlanBranch]], at index: Int) throws -> any RowConsumer {
        if kinds.count == 1 { return try consumer(of: kinds[0], at: index) }
        return BranchingRows(
            try kinds.map { kind in
                BranchingRows.Branch(
                    points: try points([kind], at: index), next: try consumer(of: kind, at: index),
                    outputs: kind.map(\.output))
            })
    }

    private func points(_ kinds: [[PlanBranch]], at index: Int) throws(DeviceError) -> PointPass {
        try PointPass(
            kinds.sharedPoints(at: index), photo: kinds[0][0].groups.geometries[index], level: level)
    }

    /// Pass `index` of branches that all have it; or the output of a branch without further passes.
    private func consumer(of branches: [PlanBranch], at index: Int) throws -> any RowConsumer {
        let groups = branches[0].groups
        guard index < groups.passes.count else {
            return try OutputStrips(
                branches[0].output.plan, level: level, stripRows: stripRows, firstRow: firstRow)
        }
        let photo = groups.geometries[index]
        let kinds = branches.kinds(at: index + 1)
        let next = try consumer(of: kinds, at: index + 1), points = try points(kinds, at: index + 1)
        switch groups.passes[index] {
        case .resample(let resampling) where resampling.onlyMoves:
            return try MovePass(resampling, photo: photo, hasAlpha: hasAlpha, points: points, next: next)
        case .resample(let resampling):
            return try ResamplePass(
                resampling, hasAlpha: hasAlpha, level: level, points: points, next: next)
        case .window(let function, let radius):
            return try WindowPass(
                function, radius: radius, photo: photo, hasAlpha: hasAlpha, level: level, points: points,
                next: next)
        case .blur(let blur):
            return try BlurPass(
                blur, photo: photo, hasAlpha: hasAlpha, level: level, points: points, next: next
            ) { (capacity) throws(OutOfMemory) in
                if index == 0, let loaded { return try SharpSamples(loaded, capacity: capacity) }
                return try SharpFloats(width: photo.width, capacity: capacity, hasAlpha: hasAlpha)
            }
        }
    }
}
