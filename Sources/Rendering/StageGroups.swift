import Filters
import Imaging

/// A plan's stages, split at its blurs. Each group of point stages is one pass over the pixels.
package struct StageGroups {
    /// The point stages before the first blur, between blurs, and after the last: one group more than blurs.
    package let points: [[PointStage]]
    package let blurs: [MaskedBlur]

    package init(_ stages: [Stage]) {
        var points: [[PointStage]] = [[]]
        var blurs: [MaskedBlur] = []
        for stage in stages {
            switch stage {
            case .point(let point): points[points.count - 1].append(point)
            case .blur(let blur):
                blurs.append(blur)
                points.append([])
            }
        }
        self.points = points
        self.blurs = blurs
    }
}
