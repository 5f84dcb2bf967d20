import Filters
import Imaging
import Rendering

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

    /// A point stage's kernel, and the offset of its arguments in the segment's arguments.
    struct Point {
        let kernel: String
        let offset: Int
    }

    let input: Format
    let output: Format
    let before: [Point]
    let blur: MaskedBlur?
    let after: [Point]
    let hasAlpha: Bool
    let flattens: Bool
    /// Arguments of all point stages, concatenated.
    let arguments: [Float]

    /// The files of the point stages' point functions.
    func kernelFiles(before: Bool, after: Bool) -> [String] {
        Set(((before ? self.before : []) + (after ? self.after : [])).map(\.kernel)).sorted()
    }

    /// A plan's segments, in order. A plan without a blur has one.
    ///
    /// - Throws: `DeviceError.invalidStage`.
    static func segments(of plan: RenderPlan) throws(DeviceError) -> [Segment] {
        let groups = StageGroups(plan.stages)
        guard !groups.blurs.isEmpty else {
            return [
                try Segment(
                    plan, groups, before: groups.points[0], blur: nil, after: [], isFirst: true,
                    isLast: true)
            ]
        }
        return try groups.blurs.indices.map { (index) throws(DeviceError) in
            try Segment(
                plan, groups, before: index == 0 ? groups.points[0] : [], blur: index,
                after: groups.points[index + 1], isFirst: index == 0, isLast: index == groups.blurs.count - 1)
        }
    }

    private init(
        _ plan: RenderPlan, _ groups: StageGroups, before: [PointStage], blur: Int?,
        after: [PointStage], isFirst: Bool, isLast: Bool
    ) throws(DeviceError) {
        var arguments: [Float] = []
        func place(_ stages: [PointStage]) throws(DeviceError) -> [Point] {
            try stages.map { (stage) throws(DeviceError) in
                let offset = arguments.count
                do throws(PointKernelError) {
                    arguments += try stage.floats()
                } catch {
                    throw .invalidStage(error)
                }
                return Point(kernel: stage.kernel.name, offset: offset)
            }
        }
        self.before = try place(before)
        self.after = try place(after)
        self.arguments = arguments
        self.blur = blur.map { groups.blurs[$0] }
        input = isFirst ? .strip(plan.input) : .floats
        output = isLast ? .strip(plan.output) : .floats
        hasAlpha = plan.input.hasAlpha
        flattens = isLast && plan.input.hasAlpha && !plan.output.hasAlpha
    }
}

/// Pixels that one work-item takes: whole chroma samples in whole words; see `Kernels/block.cl`.
struct BlockSize {
    let width, height: Int

    init(_ input: Segment.Format, _ output: Segment.Format) {
        width = 4 * max(input.subsampling.horizontal, output.subsampling.horizontal)
        height = max(input.subsampling.vertical, output.subsampling.vertical)
    }
}
