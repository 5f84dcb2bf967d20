import Filters
import Imaging

/// A plan's stages, parted at its blurs: each group of point stages becomes one pass over the pixels.
struct StageGroups {
    /// One more than there are blurs: what runs before the first, between two, and after the last.
    let points: [[PointStage]]
    let blurs: [MaskedBlur]

    init(_ stages: [Stage]) {
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

    /// Rows above and below that the result depends on in the input of blur `index`.
    func halo(fromBlur index: Int) -> Int { blurs[index...].reduce(0) { $0 + $1.radius } }
}

extension MaskedBlur {
    /// For each row of the photo, whether any blurred pixel depends on it.
    func neededRows(height: Int) -> [Bool] {
        guard axis == .rows else { return Array(repeating: true, count: height) }
        var needed = Array(repeating: false, count: height)
        var end = 0
        for row in 0..<height where mask[row] > 0 {
            let reach = max(end, row - radius)..<min(height, row + radius + 1)
            for index in reach { needed[index] = true }
            end = reach.upperBound
        }
        return needed
    }
}
