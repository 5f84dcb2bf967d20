import TintypeImaging
import TintypeRendering
import TintypeStages

/// How a render cuts a photo into strips, and how many rows each of its segments is ahead of the result.
///
/// Places are numbered: the input of segment i is place i, and the result is the last place.
struct StripSchedule {
    /// Strips have whole rows of chroma samples: multiples of so many rows.
    let granularity: Int
    /// Rows of the result in a strip; a multiple of `granularity`.
    let stripRows: Int
    /// About the rows of the photo above and below that a row of the result depends on.
    let support: Int
    /// The pass from each place to the next; nil for point stages alone.
    private let steps: [StageGroups.Pass?]
    /// The photo at each place.
    private let photos: [PhotoGeometry]
    /// At each place, the first row that the result depends on, or a row before it: what lies above a crop is not filtered.
    private let firstRows: [Int]

    /// Strips of up to `pixelsPerStrip` of the larger one of photo and result, or as high as the support if that is more.
    ///
    /// Of point stages, all are about as high: a low last one would cross the bus with unused rows. Other stages are ahead
    /// of the result, so a low last strip needs fewer launches.
    init(_ plan: RenderPlan, pixelsPerStrip: Int) {
        self.init(plan) { support in
            let height = plan.outputGeometry.height
            let pixelCount = max(plan.geometry.pixelCount, plan.outputGeometry.pixelCount)
            let most = max(pixelsPerStrip * height / pixelCount, support, 1)
            return support > 0 ? most : height.dividedRoundingUp(by: height.dividedRoundingUp(by: most))
        }
    }

    init(_ plan: RenderPlan, stripRows: Int) {
        self.init(plan) { _ in stripRows }
    }

    /// - Parameter stripRows: the height for a support, in rows; it is rounded and limited to the result's.
    private init(_ plan: RenderPlan, stripRows: (_ support: Int) -> Int) {
        let groups = StageGroups(plan)
        steps = groups.steps
        photos = groups.geometries + (groups.passes.count < steps.count ? [plan.outputGeometry] : [])
        granularity = plan.rowGranularity
        let supports = steps.map { step in
            switch step {
            case .blur(let blur): blur.support
            case .resample(let resampling): resampling.onlyMoves ? 0 : resampling.rows.tapCount
            case .window(_, let radius): radius
            case nil: 0
            }
        }
        support = supports.reduce(0, +)
        self.stripRows = min(max(stripRows(support), 1), plan.outputGeometry.height).roundedUp(
            toMultipleOf: granularity)
        var firstRows = [0]
        for step in steps.reversed() {
            let needed = step?.firstRowNeeded(for: firstRows[0]) ?? firstRows[0]
            firstRows.insert(needed / granularity * granularity, at: 0)
        }
        self.firstRows = firstRows
    }

    /// The first row of the photo that the result depends on, or a row before it.
    var firstRow: Int { firstRows[0] }

    /// The end of a place's rows when the result has reached `row`.
    func end(_ row: Int, at place: Int) -> Int {
        guard row > 0 else { return firstRows[place] }
        var end = row
        for index in (place..<steps.count).reversed() {
            let photo = photos[index]
            let needed = steps[index]?.rowsNeeded(for: end, of: photo) ?? end
            end = min(needed.roundedUp(toMultipleOf: granularity), photo.height)
        }
        return end
    }

    /// The first row that a place still has when the result has reached `row`. A blur mixes its result with the rows
    /// that the next place has not got yet. A resampling or a window keeps rows of its own.
    func start(_ row: Int, at place: Int) -> Int {
        guard row > 0 else { return firstRows[place] }
        return switch steps[place] {
        case .resample, .window: end(row, at: place)
        case .blur, nil: end(row, at: place + 1)
        }
    }

    /// The rows that a strip adds at a place.
    func added(by rows: Range<Int>, at place: Int) -> Range<Int> {
        end(rows.lowerBound, at: place)..<end(rows.upperBound, at: place)
    }

    /// A place's rows for a strip: those that its segment still needs, and those that are added.
    func window(for rows: Range<Int>, at place: Int) -> Range<Int> {
        start(rows.lowerBound, at: place)..<end(rows.upperBound, at: place)
    }

    // MARK: The most rows of any strip

    /// The most rows of a place that are in memory for a strip; a multiple of `granularity`.
    func windowRows(at place: Int) -> Int {
        mostRows { window(for: $0, at: place).count }.roundedUp(toMultipleOf: granularity)
    }

    /// The most rows that a strip adds at a place.
    func addedRows(at place: Int) -> Int { mostRows { added(by: $0, at: place).count } }

    /// The most rows of the input that the next strip needs again.
    var carriedRows: Int { mostRows { end($0.upperBound, at: 0) - start($0.upperBound, at: 0) } }

    /// The most rows of a place that its resampling or window holds; 0 for another segment.
    func sourceRows(at place: Int) -> Int {
        guard let step = steps[place], step.blur == nil else { return 0 }
        return mostRows { rows in
            let added = added(by: rows, at: place + 1)
            return added.isEmpty
                ? 0 : end(rows.upperBound, at: place) - step.firstRowNeeded(for: added.lowerBound)
        }
    }

    /// Rows that are read at once where the result does not depend on them.
    var skippedRows: Int { max(stripRows, 64.roundedUp(toMultipleOf: granularity)) }

    private func mostRows(_ rows: (Range<Int>) -> Int) -> Int {
        let height = photos[photos.count - 1].height
        return stride(from: 0, to: height, by: stripRows).reduce(1) { most, first in
            max(most, rows(first..<min(first + stripRows, height)))
        }
    }
}
