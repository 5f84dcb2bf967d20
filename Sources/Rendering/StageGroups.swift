import TintypeImaging
import TintypeStages

/// A plan's stages, split at those that need several pixels. Each group of point stages is one pass over the pixels.
package struct StageGroups {
    /// A stage whose result depends on several pixels.
    package enum Pass: Hashable {
        case blur(MaskedBlur)
        case resample(Resampling)
        /// With its radius, which is 0 for an unknown function.
        case window(PointStage, radius: Int)

        package var blur: MaskedBlur? { if case .blur(let blur) = self { blur } else { nil } }

        /// The number of rows, from the photo's top, that the first `rows` rows of the result depend on.
        package func rowsNeeded(for rows: Int, of photo: PhotoGeometry) -> Int {
            switch self {
            case .blur(let blur): min(rows + blur.support, photo.height)
            case .resample(let resampling): resampling.rows.sources(of: rows - 1..<rows).upperBound
            case .window(_, let radius): min(rows + radius, photo.height)
            }
        }

        /// The first row that a row of the result depends on.
        package func firstRowNeeded(for row: Int) -> Int {
            switch self {
            case .blur(let blur): max(row - blur.support, 0)
            case .resample(let resampling): resampling.rows.starts[row]
            case .window(_, let radius): max(row - radius, 0)
            }
        }
    }

    /// The point stages before the first pass, between passes, and after the last: one group more than passes.
    package let points: [[PointStage]]
    package let passes: [Pass]
    /// The photo's geometry for each group of point stages. A pass leads from one to the next.
    package let geometries: [PhotoGeometry]

    /// What devices run that fuse a blur with the point stages after it: every pass, and point stages alone (nil)
    /// if there is no pass or the last one is not a blur.
    package var steps: [Pass?] {
        guard case .blur = passes.last else { return passes + [nil] }
        return passes
    }

    package init(_ plan: RenderPlan) {
        var points: [[PointStage]] = [[]]
        var passes: [Pass] = []
        var geometries = [plan.geometry]
        for stage in plan.stages {
            switch stage {
            case .point(let point):
                points[points.count - 1].append(point)
                continue
            case .blur(let blur): passes.append(.blur(blur))
            case .resample(let resampling): passes.append(.resample(resampling))
            case .window(let function):
                passes.append(.window(function, radius: (try? function.kernel.windowRadius()) ?? 0))
            }
            points.append([])
            geometries.append(stage.result(of: geometries[geometries.count - 1]))
        }
        self.points = points
        self.passes = passes
        self.geometries = geometries
    }
}
