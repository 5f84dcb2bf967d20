import TintypeImaging
import TintypeRendering
import TintypeStages

/// A part of a plan that becomes one OpenCL program: point stages, at most one blur, point stages; or point stages, and a
/// resampling or a function of windows.
struct Segment {
    /// What a segment reads or writes: a strip's samples, or planes of floats between two segments.
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
        /// The code of a kernel from outside.
        let code: KernelCode?
        let offset: Int
    }

    let input: Format
    let output: Format
    let before: [Point]
    let pass: StageGroups.Pass?
    /// The pass's own function: of a window, or the blend of a blur.
    let own: Point?
    let after: [Point]
    let hasAlpha: Bool
    let flattens: Bool
    /// Arguments of all point stages, concatenated.
    let arguments: [Float]
    /// The photo's geometry before the pass.
    let photo: PhotoGeometry

    /// The files of the point stages' point functions.
    func kernelFiles(before: Bool, after: Bool) -> [String] {
        Set(((before ? self.before : []) + (after ? self.after : [])).map(\.kernel)).sorted()
    }

    /// The code of a point function from outside; nil for the files of `Kernels/`.
    func code(of kernelFile: String) -> KernelCode? {
        (before + after).first { $0.kernel == kernelFile }?.code
    }

    /// A plan's segments, in order: one for each of `StageGroups.steps`.
    ///
    /// - Throws: `DeviceError.invalidStage`.
    static func segments(of plan: RenderPlan) throws(DeviceError) -> [Segment] {
        let groups = StageGroups(plan), steps = groups.steps
        return try steps.indices.map { (index) throws(DeviceError) in
            try Segment(plan, groups, steps: steps, at: index)
        }
    }

    /// A blur runs the point stages after it. Those after a resampling are the next segment's.
    private init(
        _ plan: RenderPlan, _ groups: StageGroups, steps: [StageGroups.Pass?], at index: Int
    ) throws(DeviceError) {
        let isFirst = index == 0, isLast = index == steps.count - 1
        let followsBlur = index > 0 && steps[index - 1]?.blur != nil
        var arguments: [Float] = []
        func place(_ stages: [PointStage]) throws(DeviceError) -> [Point] {
            try stages.map { (stage) throws(DeviceError) in
                let offset = arguments.count
                do throws(PointKernelError) {
                    arguments += try stage.floats()
                } catch {
                    throw .invalidStage(error)
                }
                return Point(kernel: stage.kernel.name, code: stage.kernel.code, offset: offset)
            }
        }
        before = try place(followsBlur ? [] : groups.points[index])
        after = try place(steps[index]?.blur == nil ? [] : groups.points[index + 1])
        let function: PointStage? =
            switch steps[index] {
            case .window(let function, _): function
            case .blur(let blur): blur.blend
            case .resample, nil: nil
            }
        own = try place([function].compactMap { $0 }).first
        self.arguments = arguments
        pass = steps[index]
        photo = groups.geometries[index]
        input = isFirst ? .strip(plan.input) : .floats
        output = isLast ? .strip(plan.output) : .floats
        hasAlpha = plan.input.hasAlpha
        flattens = isLast && plan.input.hasAlpha && !plan.output.hasAlpha
    }
}

/// Pixels that one work-item takes: whole chroma samples in whole words; see `Kernels/block.cl`.
struct BlockSize {
    let width, height: Int
    /// Columns with the fewest pixels that have whole chroma samples.
    let cellWidth: Int

    init(_ input: Segment.Format, _ output: Segment.Format) {
        cellWidth = max(input.subsampling.horizontal, output.subsampling.horizontal)
        width = 4 * cellWidth
        height = max(input.subsampling.vertical, output.subsampling.vertical)
    }
}
