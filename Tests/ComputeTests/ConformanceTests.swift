import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging
import TintypeStages

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// The first promise: the same bytes on every device, at every strip height.
struct ConformanceTests {
    @Test(arguments: Conformance.layouts)
    func everyDeviceGivesTheSameBytes(layout: PixelLayout) throws {
        // Compiling the many programs from the second main layout to itself, too, would take half a minute.
        let isSecond = layout == Conformance.mainLayouts.last
        let simd = try TestDevices.all(openCL: 0), all = try TestDevices.all(openCL: 1) + TestDevices.asGPU
        for (index, test) in Conformance.cases(over: layout, .quick).enumerated() {
            // Strips are cut alike in both main layouts: a part of them, of all heights, is enough.
            guard !isSecond || test.stripRows == nil || index % 5 == 0 else { continue }
            try test.expectSameBytes(on: isSecond && test.plan.output == layout ? simd : all)
        }
    }

    /// Each kind of stage with alpha. What functions compute does not depend on the layout; `make test-conformance` compares
    /// all of them.
    @Test(
        arguments: [
            "sepia", "noir", "tilt-shift:radius=4,transition=mix", "tilt-shift:radius=9", "watermark",
            "median",
            "sharpen:radius=2,amount=2,threshold=0.05", "bloom", "resize:scale=37%",
            "crop:width=40,height=24,x=0.3,y=1",
            "border:size=7,colour=#fc0,aspect=2",
            "sepia+bloom:radius=9,threshold=0.1+median+tilt-shift:radius=2+median:size=5+resize:scale=50%+median+noir",
        ])
    func openCLGivesTheSameBytesOfTheSecondMainLayout(filters: String) throws {
        let layout = try #require(Conformance.mainLayouts.last)
        // Every alpha beside every colour.
        let mark = Picture(width: 9, height: 5, rgba: (0..<180).map { UInt8($0 * 29 % 256) })
        let chain =
            filters == "watermark" ? FilterChain([Watermark(mark)]) : try FilterChain(parsing: [filters])
        let devices = try TestDevices.all(openCL: 1) + TestDevices.asGPU
        for test in Conformance.cases(of: chain, over: layout) { try test.expectSameBytes(on: devices) }
    }

    /// In strips lower than the crop, and than what its first rows need above them.
    @Test(
        arguments: ["blur:radius=3", "blur:radius=12", "tilt-shift:radius=70", "median", "resize:scale=70%"]
            .map {
                "\($0)+crop:height=100,y=0.6+vignette"
            } + ["blur:radius=12+crop:height=100,y=0.6+border:size=90+blur:radius=3"])
    func theFirstRowsOfACropNeedRowsAboveThem(filters: String) throws {
        let chain = try FilterChain(parsing: [filters])
        for layout in Conformance.mainLayouts {
            let photo = PhotoGeometry(width: 37, height: 1301)
            let plan = RenderPlan(chain, for: photo, input: layout, output: layout)
            let test = Conformance.Case(chain: chain, plan: plan, stripRows: 8)
            // Rows depend on the filters. Each layout would compile programs of its own, for a minute.
            let isFirst = layout == Conformance.mainLayouts.first
            try test.expectSameBytes(on: TestDevices.all(openCL: isFirst ? 1 : 0))
        }
    }

    /// The SIMD device upsamples in runs, of which several lie in one downsampled pixel here.
    @Test func aDownsampledPixelMayBeWiderThanARun() throws {
        let chain = try FilterChain(parsing: ["tilt-shift:radius=100%,focus=0,band=0,transition=mix"])
        let geometry = PhotoGeometry(width: 2100, height: 5, orientation: .right)
        let layout = PixelLayout.interleaved(.rgb, .sixteen)
        let plan = RenderPlan(chain, for: geometry, input: layout, output: layout)
        let test = Conformance.Case(chain: chain, plan: plan, stripRows: nil)
        try test.expectSameBytes(on: TestDevices.all(openCL: 1))
    }

    @Test func aStageOfAnUnknownKernelIsAnErrorOnEveryDevice() throws {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let function = PointStage("missing", [:], colourEffect: .makesColour)
        let photo = MemoryPhoto(noise: PhotoGeometry(width: 5, height: 5), layout: layout, seed: 1)
        let blur = try #require(MaskedBlur(sigma: 1, blend: function, of: photo.geometry))
        for stage in [Stage.point(function), .window(function), .blur(blur)] {
            let plan = RenderPlan([stage], for: photo.geometry, input: layout, output: layout)
            for device in try TestDevices.all(openCL: 1) {
                #expect(throws: DeviceError.invalidStage(.unknown(kernel: "missing"))) {
                    let sink = MemoryPhoto(photo.geometry, layout: layout).makeSink()
                    try device.render(plan, from: photo.makeSource(), to: sink, isCancelled: { false })
                }
            }
        }
    }
}
