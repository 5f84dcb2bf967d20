import TintypeImaging
import TintypeRendering
import TintypeStages

/// Scratch planes of floats, shared by all blurs and their parts in turn.
struct BlurScratch {
    /// Some of the photo's rows in linear light.
    let linear: DevicePlanes
    /// The capacity of `linear` in rows.
    let linearRows: Int
    /// The passes write to these alternately.
    let first, second: OpenCLBuffer

    /// Pixels that are linearised at once: enough to keep a GPU busy, and some tens of MiB.
    private static let linearPixels = 1 << 22

    /// - Parameters:
    ///   - blurs: all blurs that share the planes, for each the most rows that it makes at once, the most that its input
    ///     adds for these, and its photo.
    init(
        _ blurs: [(blur: MaskedBlur, rows: Int, inputRows: Int, photo: PhotoGeometry)], hasAlpha: Bool,
        lane: OpenCLLane
    ) throws(DeviceError) {
        let width = blurs.map(\.photo.width).max() ?? 1
        let shapes = blurs.flatMap { blur, rows, inputRows, photo in
            blur.parts.map {
                Shapes($0.gaussian, photo: photo, rows: rows, inputRows: inputRows, hasAlpha: hasAlpha)
            }
        }
        linearRows = min(
            shapes.map(\.photoRows).max() ?? 1,
            max(1, Self.linearPixels / width).roundedUp(toMultipleOf: 8))
        let shape = FloatPlanes(width: width, rows: linearRows, hasAlpha: hasAlpha)
        linear = DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
        first = try lane.deviceBlock(byteCount: shapes.map(\.first.byteCount).max() ?? 1)
        second = try lane.deviceBlock(byteCount: shapes.map(\.second.byteCount).max() ?? 1)
    }

    /// The sizes of the planes for one part of a blur.
    struct Shapes {
        /// The most rows of the photo that are linearised at once.
        let photoRows: Int
        let first, second: FloatPlanes

        init(_ gaussian: Gaussian, photo: PhotoGeometry, rows: Int, inputRows: Int, hasAlpha: Bool) {
            // The first strip needs rows below its own, and behind a crop also above. Includes rows that share chroma samples
            // with the first.
            photoRows =
                min(max(rows + gaussian.support, inputRows) + 3 * gaussian.factor, photo.height) + 4
            guard let step = gaussian.steps.first else {
                first = FloatPlanes(width: 1, rows: 1, hasAlpha: hasAlpha)
                second = FloatPlanes(width: photo.width, rows: rows, hasAlpha: hasAlpha)
                return
            }
            let width = photo.width.dividedRoundingUp(by: step) + 4
            first = FloatPlanes(
                width: width, rows: max(photoRows, gaussian.downsampledCount(of: rows)), hasAlpha: hasAlpha)
            second = FloatPlanes(
                width: width,
                rows: max(photoRows.dividedRoundingUp(by: step) + 4, gaussian.downsampledCount(of: rows)),
                hasAlpha: hasAlpha)
        }
    }
}

extension Gaussian {
    /// The most downsampled rows that the blur of `count` rows of the photo depends on. On each side, that
    /// includes the blur's radius and one pixel for upsampling.
    func downsampledCount(of count: Int) -> Int { count.dividedRoundingUp(by: factor) + 2 * radius + 5 }
}
