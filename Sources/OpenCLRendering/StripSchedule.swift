import Filters
import Imaging
import Rendering

/// How a render cuts a photo into strips, and how many rows each of its segments is ahead of the result.
///
/// Places are numbered: the input of segment i is place i, and the result is the last place.
struct StripSchedule {
    /// Strips have whole rows of chroma samples: multiples of so many rows.
    let granularity: Int
    /// Rows of the result in a strip; a multiple of `granularity`.
    let stripRows: Int
    /// Rows that each place is ahead of the result; multiples of `granularity`.
    let leads: [Int]
    /// Rows of the photo above and below that a row of the result depends on.
    let support: Int
    private let height: Int

    /// Strips of about `pixelsPerStrip`, but no lower than the support.
    init(_ plan: RenderPlan, pixelsPerStrip: Int) {
        self.init(plan) { support in max(pixelsPerStrip / plan.geometry.width, support) }
    }

    init(_ plan: RenderPlan, stripRows: Int) {
        self.init(plan) { _ in stripRows }
    }

    /// - Parameter stripRows: the height for a support, in rows; it is rounded and limited to the photo's.
    private init(_ plan: RenderPlan, stripRows: (_ support: Int) -> Int) {
        let width = plan.geometry.width
        let granularity = max(
            plan.input.rowGranularity(width: width), plan.output.rowGranularity(width: width))
        height = plan.geometry.height
        let allRows = height.roundedUp(toMultipleOf: granularity)
        // A segment has one blur; a plan without blurs has one segment.
        let blurs = StageGroups(plan.stages).blurs
        let supports = blurs.isEmpty ? [0] : blurs.map(\.support)
        var leads = [0]
        for support in supports.reversed() {
            leads.insert(min(leads[0] + support.roundedUp(toMultipleOf: granularity), allRows), at: 0)
        }
        support = supports.reduce(0, +)
        self.granularity = granularity
        self.leads = leads
        self.stripRows = min(max(stripRows(support), 1), height).roundedUp(toMultipleOf: granularity)
    }

    /// The most rows of the input that are in memory for a strip.
    var windowRows: Int {
        min(stripRows + leads[0], height.roundedUp(toMultipleOf: granularity))
    }

    /// The most rows of the input that the next strip needs again.
    var carriedRows: Int { leads[0] - leads[1] }

    /// The most rows that each segment makes for one strip, including the lookahead of later segments.
    var segmentRows: [Int] { leads.dropFirst().map { min(stripRows + $0, height) } }

    /// The end of a place's rows when the result has reached `row`.
    func end(_ row: Int, at place: Int) -> Int {
        row == 0 ? 0 : min(height, row + leads[place])
    }

    /// The rows that a strip adds at a place.
    func added(by rows: Range<Int>, at place: Int) -> Range<Int> {
        end(rows.lowerBound, at: place)..<end(rows.upperBound, at: place)
    }

    /// A place's rows for a strip: all rows that the next place has not got yet, including its lookahead.
    func window(for rows: Range<Int>, at place: Int) -> Range<Int> {
        end(rows.lowerBound, at: place + 1)..<end(rows.upperBound, at: place)
    }
}
