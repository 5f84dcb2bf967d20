import TintypeLocking

/// The sums of an axis of a resampling: see `ResamplingAxis`.
struct ResamplingSums {
    let tapCount: Int
    let starts: [Int]
    let weights: [Float]

    /// What the sums depend on.
    struct Axis: Hashable {
        let sourceCount: Int
        let range: Range<Double>
        let count: Int
        let kernel: ResamplingKernel
    }

    /// Those that were last computed: photos of a set often have the same size, and a sine for each weight takes up to
    /// 4 % of a photo's time.
    private static let recent = Locked<[Axis: ResamplingSums]>([:])
    private static let mostRecent = 16
    /// Longer ones are not kept: 16 times 400 KB.
    private static let mostKeptWeights = 100_000

    static func of(_ axis: Axis) -> ResamplingSums {
        if let known = recent.withLock({ $0[axis] }) { return known }
        let sums = ResamplingSums(axis)
        if sums.weights.count <= mostKeptWeights {
            recent.withLock { recent in
                if recent.count == mostRecent { recent.removeAll() }
                recent[axis] = sums
            }
        }
        return sums
    }

    private init(_ axis: Axis) {
        let (sourceCount, range) = (axis.sourceCount, axis.range)
        let step = (range.upperBound - range.lowerBound) / Double(axis.count)
        let sums = (0..<axis.count).map { index in
            axis.kernel.taps(
                from: range.lowerBound + Double(index) * step, step: step, sourceCount: sourceCount)
        }
        // A sum that begins after the next one, because its outer weights are 0, begins with that one.
        var starts = sums.map(\.start)
        for index in starts.indices.dropLast().reversed() {
            starts[index] = min(starts[index], starts[index + 1])
        }
        let tapCount = zip(sums, starts).map { $0.start + $0.weights.count - $1 }.max() ?? 1
        self.tapCount = tapCount
        // Sums with fewer weights get zeros, after them or, at the photo's end, before them.
        starts = starts.map { min($0, sourceCount - tapCount) }
        self.starts = starts
        weights = zip(sums, starts).flatMap { sum, start in
            let before = sum.start - start
            let padded = Array(repeating: 0, count: before) + sum.weights.map { Float($0) }
            return padded + Array(repeating: 0, count: tapCount - padded.count)
        }
    }
}
