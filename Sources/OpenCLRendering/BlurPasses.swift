import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// The passes of one part of a blur on a device: kernels of `blur_passes.cl` and `resample_passes.cl`, and
/// their tables.
///
/// Rows and columns are numbered as in the part's `BlurGrid`.
struct BlurPasses {
    /// Planes whose first row is the row `firstRow`.
    struct Rows {
        let planes: DevicePlanes
        let firstRow: Int
    }

    /// For each row from `firstRow` on: 1 if a result depends on it, else 0.
    private struct NeededRows {
        let table: OpenCLBuffer
        let firstRow: Int
    }

    /// One step of downsampling.
    private struct Step {
        let alongX, alongY: OpenCLKernel
        let weights: OpenCLBuffer
    }

    let programs: [OpenCLProgram]
    /// Three weights for each of `factor` pixels.
    let upsampleWeights: OpenCLBuffer
    /// The table of the photo's rows: whether anything depends on them.
    var neededPhotoRows: OpenCLBuffer { neededRows[0].table }
    var factor: Int { grid.factor }
    private let grid: BlurGrid
    private let isByRow: Bool
    private let planeCount: Int
    private let steps: [Step]
    private let blurX, blurY, upsampleX, upsampleY: OpenCLKernel
    private let mask, weights, places: OpenCLBuffer
    /// One table for each level.
    private let neededRows: [NeededRows]
    private let neededBlurredRows: NeededRows

    init(
        _ part: MaskedBlur.Part, axis: MaskedBlur.Axis, grid: BlurGrid, hasAlpha: Bool, device: OpenCLDevice
    ) throws(DeviceError) {
        func needed(_ rows: [Bool], from first: Int) throws(DeviceError) -> NeededRows {
            NeededRows(table: try device.constants(rows.map { $0 ? 1 : 0 }), firstRow: first)
        }
        let gaussian = part.gaussian
        self.grid = grid
        isByRow = axis == .rows
        planeCount = hasAlpha ? 4 : 3
        let blurring = try device.program(ProgramSource(blurring: gaussian, axis: axis))
        let resampling = try device.program(ProgramSource(resamplingBy: gaussian.factor))
        blurX = try blurring.kernel("blur_along_x")
        blurY = try blurring.kernel("blur_along_y")
        upsampleX = try resampling.kernel("upsample_along_x")
        upsampleY = try resampling.kernel("upsample_along_y")
        var programs = [blurring, resampling]
        steps = try gaussian.steps.map { (factor) throws(DeviceError) in
            var program = resampling
            if factor != gaussian.factor {
                program = try device.program(ProgramSource(resamplingBy: factor))
                programs.append(program)
            }
            return Step(
                alongX: try program.kernel("downsample_along_x"),
                alongY: try program.kernel("downsample_along_y"),
                weights: try device.constants(Gaussian.downsampleWeights(factor: factor)))
        }
        self.programs = programs
        let tables = BlurTables(part, axis: axis, grid: grid)
        weights = try device.constants(tables.weights)
        places = try device.constants(tables.places)
        upsampleWeights = try device.constants(gaussian.upsampleWeights)
        mask = try device.constants(part.mask)
        neededRows = try grid.levels.map { (level) throws(DeviceError) in
            try needed(level.needsRow, from: level.rows.lowerBound)
        }
        neededBlurredRows = try needed(grid.needsBlurredRow, from: grid.blurredRows.lowerBound)
    }

    /// Downsamples rows of the level before `step` along x.
    ///
    /// - Parameter source: starts with the first of `rows`.
    func downsampleAlongX(
        _ rows: Range<Int>, step: Int, from source: DevicePlanes, to result: Rows, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let level = grid.levels[step], columns = grid.levels[step + 1].columns
        let params = kernels_downsample_x_params(
            columns: Int32(columns.count), rows: Int32(rows.count),
            needed_row: Int32(rows.lowerBound - neededRows[step].firstRow),
            to_row: Int32(rows.lowerBound - result.firstRow), first_column: Int32(columns.lowerBound),
            from_column: Int32(level.columns.lowerBound), from_columns: Int32(level.columns.count),
            from: source.shape.params, to: result.planes.shape.params)
        try run(
            steps[step].alongX, [source, result.planes], [steps[step].weights, neededRows[step].table],
            params, columns: columns.count, rows: rows.count, queue)
    }

    /// Downsamples along y: makes rows of the level after `step` from the result of `downsampleAlongX`.
    func downsampleAlongY(
        _ rows: Range<Int>, step: Int, from source: Rows, to result: Rows, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let level = grid.levels[step], needed = neededRows[step + 1]
        let columns = grid.levels[step + 1].columns.count
        let params = kernels_downsample_y_params(
            columns: Int32(columns), rows: Int32(rows.count),
            needed_row: Int32(rows.lowerBound - needed.firstRow),
            to_row: Int32(rows.lowerBound - result.firstRow), first_row: Int32(rows.lowerBound),
            from_row: Int32(source.firstRow), lowest_row: Int32(level.rows.lowerBound),
            highest_row: Int32(level.rows.upperBound - 1), from: source.planes.shape.params,
            to: result.planes.shape.params)
        try run(
            steps[step].alongY, [source.planes, result.planes], [steps[step].weights, needed.table], params,
            columns: columns, rows: rows.count, queue)
    }

    /// Blurs rows of the last level, or of its blur along y if that comes first.
    ///
    /// - Parameter source: starts with the first of `rows`.
    func blurAlongX(
        _ rows: Range<Int>, afterY: Bool, from source: DevicePlanes, to result: Rows, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let needed = afterY ? neededBlurredRows : neededRows[steps.count]
        let columns = grid.blurredColumns, level = grid.last.columns
        let params = kernels_blur_x_params(
            columns: Int32(columns.count), rows: Int32(rows.count),
            needed_row: Int32(rows.lowerBound - needed.firstRow),
            to_row: Int32(rows.lowerBound - result.firstRow), radius: Int32(grid.radius),
            from_column: Int32(columns.lowerBound - level.lowerBound), from_columns: Int32(level.count),
            from: source.shape.params, to: result.planes.shape.params)
        try run(
            blurX, [source, result.planes], [weights, places, needed.table], params, columns: columns.count,
            rows: rows.count, queue)
    }

    /// Blurs rows of the last level, or of its blur along x. `result` starts with the first of `rows`.
    func blurAlongY(
        _ rows: Range<Int>, columns: Range<Int>, from source: RollingPlanes, to result: DevicePlanes,
        _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let params = kernels_blur_y_params(
            columns: Int32(columns.count), rows: Int32(rows.count),
            needed_row: Int32(rows.lowerBound - neededBlurredRows.firstRow), radius: Int32(grid.radius),
            from_row: Int32(rows.lowerBound - source.rows.lowerBound), from_rows: Int32(source.rows.count),
            from: source.planes.shape.params, to: result.shape.params)
        try run(
            blurY, [source.planes, result], [weights, places, neededBlurredRows.table], params,
            columns: columns.count, rows: rows.count, queue)
    }

    /// Upsamples blurred rows to rows of the photo. `result` starts with the first of `rows`.
    func upsampleAlongY(
        _ rows: Range<Int>, from source: Rows, to result: DevicePlanes, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let columns = grid.blurredColumns.count
        let params = kernels_upsample_y_params(
            columns: Int32(columns), rows: Int32(rows.count), mask_by_row: isByRow ? 1 : 0,
            photo_row: Int32(rows.lowerBound), from_row: Int32(source.firstRow),
            from: source.planes.shape.params, to: result.shape.params)
        try run(
            upsampleY, [source.planes, result], [upsampleWeights, mask], params, columns: columns,
            rows: rows.count, queue)
    }

    /// Upsamples blurred columns to columns of the photo.
    ///
    /// - Parameter source: starts with the first of `rows`, which are the photo's.
    func upsampleAlongX(
        _ rows: Range<Int>, from source: DevicePlanes, to result: Rows, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let params = kernels_upsample_x_params(
            columns: Int32(grid.width), rows: Int32(rows.count), mask_by_row: isByRow ? 1 : 0,
            photo_row: Int32(rows.lowerBound), to_row: Int32(rows.lowerBound - result.firstRow),
            from: source.shape.params, to: result.planes.shape.params)
        try run(
            upsampleX, [source, result.planes], [upsampleWeights, mask], params, columns: grid.width,
            rows: rows.count, queue)
    }

    private func run(
        _ kernel: OpenCLKernel, _ planes: [DevicePlanes], _ tables: [OpenCLBuffer],
        _ params: some BitwiseCopyable, columns: Int, rows: Int, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try kernel.set((planes.map(\.buffer) + tables).map(\.handle), params)
        try queue.run(kernel, columns, rows, planeCount)
    }
}
