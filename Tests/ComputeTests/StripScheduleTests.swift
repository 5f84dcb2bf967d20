import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeOpenCLRendering
@testable import TintypeRendering

struct StripScheduleTests {
    /// Chains with no, one and two blurs.
    private static let chains = [
        ["sepia"], ["tilt-shift:radius=9"], ["tilt-shift:radius=12", "sepia", "tilt-shift:radius=3"],
        ["resize:scale=40%"], ["tilt-shift:radius=9", "resize:scale=2.5", "tilt-shift:radius=3"],
        ["crop:height=7,y=1", "resize:scale=33%", "sepia"], ["resize:scale=2", "crop:height=9"],
        ["tilt-shift:radius=9", "crop:height=7,y=1"],
        ["blur:radius=2", "crop:height=150,y=0.9", "median", "sepia"],
        ["median", "crop:height=20,y=1", "resize:scale=2"],
        ["blur:radius=12", "crop:height=100,y=0.6", "border:size=90", "blur:radius=3"],
    ]

    /// Plans in layouts with and without blocks.
    private func plans(_ filters: [String]) throws -> [RenderPlan] {
        let chain = try FilterChain(parsing: filters)
        return [PixelLayout.yCbCr(.s420), .interleaved(.rgb, .eight)].flatMap { layout in
            [1, 17, 300].map { height in
                RenderPlan(
                    chain, for: PhotoGeometry(width: 33, height: height), input: layout, output: layout)
            }
        }
    }

    @Test(arguments: chains, [1, 24, 1000])
    func eachPlaceGetsEachRowOnceAndKeepsItAsLongAsItIsNeeded(filters: [String], stripRows: Int) throws {
        for plan in try plans(filters) {
            let schedule = StripSchedule(plan, stripRows: stripRows)
            let height = plan.outputGeometry.height, places = 0...StageGroups(plan).steps.count
            var ends = places.map { schedule.end(0, at: $0) }
            #expect(ends[0] == schedule.firstRow && ends.last == 0)
            for start in stride(from: 0, to: height, by: schedule.stripRows) {
                let rows = start..<min(start + schedule.stripRows, height)
                for place in ends.indices {
                    let added = schedule.added(by: rows, at: place)
                    #expect(added.lowerBound == ends[place])
                    ends[place] = added.upperBound
                }
                for place in ends.indices.dropLast() {
                    let window = schedule.window(for: rows, at: place)
                    #expect(window.count <= schedule.windowRows(at: place))
                    #expect(
                        schedule.added(by: rows, at: place + 1).count <= schedule.addedRows(at: place + 1))
                }
                let carried = schedule.start(rows.upperBound, at: 0)..<schedule.end(rows.upperBound, at: 0)
                #expect(carried.count <= schedule.carriedRows)
            }
            #expect(ends.last == height)
        }
    }

    @Test(arguments: ["median", "blur:radius=2", "tilt-shift:radius=9"])
    func whatLiesAboveACropIsNotFiltered(filter: String) throws {
        let chain = try FilterChain(parsing: [filter, "crop:height=8,y=1"])
        for layout in [PixelLayout.yCbCr(.s420), .interleaved(.rgb, .eight)] {
            let photo = PhotoGeometry(width: 33, height: 4000)
            let plan = RenderPlan(chain, for: photo, input: layout, output: layout)
            let schedule = StripSchedule(plan, stripRows: 24)
            let needed = 4000 - 8 - schedule.support
            #expect(needed - 2 * schedule.granularity < schedule.firstRow && schedule.firstRow <= needed)
            #expect(schedule.windowRows(at: 0) < 4000 - schedule.firstRow + schedule.granularity)
        }
    }

    @Test(arguments: chains)
    func aStripIsNoLowerThanTheSupportThatItsInputNeeds(filters: [String]) throws {
        for plan in try plans(filters) {
            let schedule = StripSchedule(plan, pixelsPerStrip: 1)
            #expect(schedule.stripRows >= min(schedule.support, plan.outputGeometry.height))
            #expect(schedule.stripRows.isMultiple(of: schedule.granularity))
        }
    }

    @Test(arguments: [33, 33 * 40, 33 * 299])
    func stripsOfPointStagesAreAboutAsHigh(pixels: Int) throws {
        for plan in try plans(["sepia"]) + plans(["crop:height=7,y=1", "sepia"]) {
            let schedule = StripSchedule(plan, pixelsPerStrip: pixels)
            let height = plan.outputGeometry.height, granularity = schedule.granularity
            let count = height.dividedRoundingUp(by: schedule.stripRows)
            let last = height - (count - 1) * schedule.stripRows
            #expect(schedule.stripRows - last < count * granularity)
            // As few as before.
            let most = max(pixels * height / max(plan.geometry.pixelCount, plan.outputGeometry.pixelCount), 1)
            #expect(count <= height.dividedRoundingUp(by: most))
            #expect(schedule.stripRows <= most.roundedUp(toMultipleOf: granularity))
        }
    }
}
