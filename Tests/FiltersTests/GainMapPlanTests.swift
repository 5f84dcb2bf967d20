import Testing
import TintypeFilterPictures
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

struct GainMapPlanTests {
    private static let photo = PhotoGeometry(width: 400, height: 300)
    private static let map = PhotoGeometry(width: 100, height: 75)

    private func plan(
        _ filters: String, photo: PhotoGeometry = photo, map: PhotoGeometry = map
    ) throws -> GainMapPlan {
        try FilterChain(parsing: [filters]).gainMapPlan(
            photo: photo, map: map, neutral: PlainColour(64, 64, 64))
    }

    private func stages(_ filters: String) throws -> [Stage] {
        guard case .kept(let stages, _) = try plan(filters) else {
            Issue.record("\(filters) leaves the map out")
            return []
        }
        return stages
    }

    @Test func filtersThatKeepTonesKeepTheMap() throws {
        let kept = [
            "brightness", "contrast", "exposure", "gamma", "levels", "curves", "white-balance", "vibrance",
            "fade",
            "vignette", "grain", "sharpen", "median", "bloom", "saturate", "invert:amount=0.4",
        ]
        for filter in kept { #expect(try plan(filter) == .kept([], inGrey: false), "\(filter)") }
        let inGrey = [
            "sepia", "noir", "grayscale", "saturate:amount=0", "hue-rotate", "duotone", "split-tone",
        ]
        for filter in inGrey { #expect(try plan(filter) == .kept([], inGrey: true), "\(filter)") }
        for filter in ["invert", "posterize", "threshold"] {
            #expect(try plan(filter) == .leftOut(filter: filter), "\(filter)")
        }
        #expect(try plan("sepia+invert+posterize") == .leftOut(filter: "invert"))
        // They change nothing.
        #expect(try plan("invert:amount=0+saturate:amount=1") == .kept([], inGrey: false))
    }

    @Test(arguments: [
        ("curves:master=0/1_1/0", false), ("curves:red=0/0.5_0.5/0.4_1/1", false),
        ("curves:master=0/0.2_1/0.9", true),
        ("contrast:amount=0", false), ("curves:master=0/0.5_1/0.5", false), ("invert:amount=0.6", false),
        ("levels:output-black=1,output-white=0", false), ("levels:output-black=0.5,output-white=0.5", false),
        ("levels:output-black=0.1,output-white=0.9", true), ("duotone:shadows=#fff,highlights=#000", false),
        ("duotone:shadows=#003,highlights=#fff", true),
    ])
    func settingsMayMakeDarkBright(filter: String, isKept: Bool) throws {
        let isLeftOut = if case .leftOut = try plan(filter) { true } else { false }
        #expect(isLeftOut == !isKept)
    }

    @Test func tablesAreJudgedByTheirGreys() {
        func rule(_ values: [Float], _ shape: ColourTable.Shape, size: Int) -> GainMapRule {
            LookUp(ColourTable(shape, size: size, values: values)).gainMapRule
        }
        #expect(rule([0, 0, 0, 1, 0.5, 0.2], .line, size: 2) == .keptInGrey)
        #expect(rule([0, 0, 0, 0.5, 0.5, 0.5, 0.499, 0.499, 0.499, 1, 1, 1], .line, size: 4) == .keptInGrey)
        #expect(rule([1, 1, 1, 0, 0.5, 0.2], .line, size: 2) == .leftOut)
        let cube = (0..<8).flatMap { node in (0..<3).map { Float(node >> $0 & 1) } }
        #expect(rule(cube, .cube, size: 2) == .keptInGrey)
        #expect(rule(cube.map { 1 - $0 }, .cube, size: 2) == .leftOut)
    }

    @Test func everyFilterHasAVerdict() {
        // Filters that read files have tests of their own; others must not be left out by oversight.
        let leftOut = FilterCatalog.all.filter { $0.gainMapRule == .leftOut }.map(\.name)
        #expect(Set(leftOut) == ["invert", "posterize", "threshold"])
    }

    @Test func resizesAndCropsKeepTheRatio() throws {
        guard case .resample(let resize)? = try stages("resize:width=200").first else {
            Issue.record("no resampling")
            return
        }
        #expect(resize.columns.sourceCount == 100 && resize.columns.count == 50 && resize.rows.count == 38)
        #expect(resize.columns.range == 0..<100 && resize.rows.range == 0..<75)
        guard case .resample(let crop)? = try stages("crop:width=202,height=100,x=0,y=1").first else {
            Issue.record("no resampling")
            return
        }
        #expect(crop.columns.range == 0..<50.5 && crop.rows.range == 50..<75)
        #expect(crop.columns.count == 51 || crop.columns.count == 50)
        #expect(crop.rows == ResamplingAxis(cropping: 75, to: 50..<75))
    }

    @Test func anEnlargedPhotoDoesNotEnlargeTheMap() throws {
        #expect(try stages("resize:width=800,enlarge=yes") == [])
        // 99 / 400 is no binary fraction.
        let map = PhotoGeometry(width: 99, height: 75)
        #expect(
            try plan("resize:width=800,height=600,enlarge=yes", map: map) == .kept([], inGrey: false))
    }

    @Test func blursHaveTheSameShareOfTheMap() throws {
        #expect(try stages("blur:radius=8") == Blur(radius: 2).stages(for: Self.map))
        #expect(try stages("blur:radius=2%") == Blur(radius: .fractionOfHeight(0.02)).stages(for: Self.map))
        #expect(try stages("tilt-shift:radius=12") == TiltShift(radius: 3).stages(for: Self.map))
        let lens = try stages("tintype:softness=1")
        #expect(lens.count == 1 && lens[0].isBlur)
        // After a crop, shares are those of the part.
        guard case .kept(let both, _) = try plan("crop:width=400,height=100+blur:radius=4%") else { return }
        #expect(
            both.last
                == Blur(radius: .fractionOfHeight(0.04)).stages(for: PhotoGeometry(width: 100, height: 25))
                .last)
    }

    @Test func aFrameIsNeutral() throws {
        let stages = try stages("border:size=40,colour=#f00")
        guard case .resample(let padding)? = stages.first, case .point(let paint)? = stages.last else {
            Issue.record("no frame")
            return
        }
        #expect(padding.columns.count == 120 && padding.rows.count == 95)
        #expect(paint.arguments["left"] == .value(10) && paint.arguments["right"] == .value(110))
        #expect(paint.arguments["colour"] == .table(Array(repeating: Float(64.0 / 255), count: 3)))
    }

    @Test func aTurnedPhotoTurnsItsMap() throws {
        let turned = PhotoGeometry(width: 400, height: 300, orientation: .right)
        let map = PhotoGeometry(width: 100, height: 75, orientation: .right)
        guard
            case .kept(let stages, _) = try plan("crop:width=300,height=100,y=0", photo: turned, map: map),
            case .resample(let crop)? = stages.first
        else {
            Issue.record("no crop")
            return
        }
        // Shown at the top is stored at the left.
        #expect(crop.columns.range == 0..<25 && crop.rows.count == 75)
    }
}
