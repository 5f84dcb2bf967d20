import Filters
import Imaging

/// A part of a plan that becomes one OpenCL program: point stages, at most one blur, point stages.
struct Segment {
    /// What a segment reads or writes: a strip's samples, or planes of floats between two blurs.
    enum Format: Hashable {
        case strip(PixelLayout)
        case floats

        var subsampling: ChromaSubsampling {
            switch self {
            case .strip(let layout): layout.subsampling
            case .floats: .s444
            }
        }
    }

    /// A point stage and where its arguments begin in the segment's own.
    struct Point {
        let stage: PointStage
        let offset: Int
    }

    /// How a work-item takes its pixels.
    enum Blocks: Hashable {
        /// A few, in whole words: for GPUs.
        case words
        /// Many, in loops: for CPUs.
        case loops

        /// The file in `Kernels` that loads and stores them.
        var file: String {
            switch self {
            case .words: "block_words"
            case .loops: "block_loops"
            }
        }

        /// Rows of the photo that a blur makes linear at once. On a CPU, so many that the next pass finds them in the
        /// second-level cache; on a GPU, so many that it is busy and they take some tens of MiB.
        func linearRows(width: Int) -> Int {
            switch self {
            case .words: max(1, (1 << 22) / width).roundedUp(toMultipleOf: 8)
            case .loops: max(1, 65536 / width).roundedUp(toMultipleOf: 8)
            }
        }

        /// Values beside each other that one work-item of a blur's passes takes.
        var blurSpan: Int {
            switch self {
            case .words: 1
            case .loops: 256
            }
        }
    }

    let blocks: Blocks
    let input: Format
    let output: Format
    let before: [Point]
    let blur: MaskedBlur?
    let after: [Point]
    let hasAlpha: Bool
    let flattens: Bool
    /// Arguments of all point stages, one after the other.
    let arguments: [Float]
    /// Rows of its input, above and below, that a row of the segment's output depends on.
    var reach: Int { blur?.reach ?? 0 }

    /// Pixels that one work-item takes; see `Kernels/block.cl`.
    var blockWidth: Int {
        switch blocks {
        case .words: 4 * max(input.subsampling.horizontal, output.subsampling.horizontal)
        // Rows of floats that fit half of a first-level cache, two rows high.
        case .loops: 256
        }
    }
    var blockHeight: Int { max(input.subsampling.vertical, output.subsampling.vertical) }

    /// A plan's segments, in order; one for a plan without a blur.
    static func segments(of plan: RenderPlan, blocks: Blocks) -> [Segment] {
        let groups = StageGroups(plan.stages)
        guard !groups.blurs.isEmpty else {
            return [
                Segment(
                    plan, groups, blocks, before: groups.points[0], blur: nil, after: [], isFirst: true,
                    isLast: true)
            ]
        }
        return groups.blurs.indices.map { index in
            Segment(
                plan, groups, blocks, before: index == 0 ? groups.points[0] : [], blur: index,
                after: groups.points[index + 1], isFirst: index == 0, isLast: index == groups.blurs.count - 1)
        }
    }

    private init(
        _ plan: RenderPlan, _ groups: StageGroups, _ blocks: Blocks, before: [PointStage], blur: Int?,
        after: [PointStage], isFirst: Bool, isLast: Bool
    ) {
        self.blocks = blocks
        var arguments: [Float] = []
        func place(_ stages: [PointStage]) -> [Point] {
            stages.map { stage in
                defer { arguments += stage.arguments }
                return Point(stage: stage, offset: arguments.count)
            }
        }
        self.before = place(before)
        self.after = place(after)
        self.arguments = arguments
        self.blur = blur.map { groups.blurs[$0] }
        input = isFirst ? .strip(plan.input) : .floats
        output = isLast ? .strip(plan.output) : .floats
        hasAlpha = plan.input.hasAlpha
        flattens = isLast && plan.input.hasAlpha && !plan.output.hasAlpha
    }
}
