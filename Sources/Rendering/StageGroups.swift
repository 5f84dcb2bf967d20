import Filters
import Imaging

/// A plan's stages, parted at its blurs: each group of point stages becomes one pass over the pixels.
package struct StageGroups {
    /// One more than there are blurs: what runs before the first, between two, and after the last.
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
