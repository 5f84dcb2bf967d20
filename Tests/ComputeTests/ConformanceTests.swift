import FilterPictures
import Filters
import Imaging
import Stages
import Testing

@testable import CPURendering
@testable import Compute
@testable import OpenCLRendering
@testable import Rendering

/// The first promise: the same bytes on every device, at every strip height.
struct ConformanceTests {
    @Test(arguments: Conformance.layouts)
    func everyDeviceGivesTheSameBytes(layout: PixelLayout) throws {
        // Compiling the many programs of the second main layout for a CPU, too, would take half a minute.
        let isSecond = layout == Conformance.mainLayouts.last
        let devices = try TestDevices.all(openCL: isSecond ? 0 : 1) + TestDevices.asGPU
        for test in Conformance.cases(over: layout, .quick) { try expectSameBytes(test, on: devices) }
    }

    @Test(arguments: ["sepia", "noir", "tilt-shift:radius=4,transition=mix"])
    func anOpenCLCPUGivesTheSameBytesOfTheSecondMainLayout(filter: String) throws {
        let layout = try #require(Conformance.mainLayouts.last)
        for test in Conformance.cases(of: try FilterChain(parsing: [filter]), over: layout) {
            try expectSameBytes(test, on: TestDevices.all(openCL: 1))
        }
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
            try expectSameBytes(test, on: TestDevices.all(openCL: isFirst ? 1 : 0))
        }
    }

    private func expectSameBytes(_ test: Conformance.Case, on devices: [any Device]) throws {
        let photo = test.photo
        let expected = try test.plan.reference(for: photo)
        for device in devices {
            let difference = try test.result(for: photo, on: device).firstDifference(from: expected)
            #expect(difference == nil, "\(test), \(device.info.name)")
        }
    }

    /// The SIMD device upsamples in runs, of which several lie in one downsampled pixel here.
    @Test func aDownsampledPixelMayBeWiderThanARun() throws {
        let chain = try FilterChain(parsing: ["tilt-shift:radius=100%,focus=0,band=0,transition=mix"])
        let geometry = PhotoGeometry(width: 2100, height: 5, orientation: .right)
        let layout = PixelLayout.interleaved(.rgb, .sixteen)
        let plan = RenderPlan(chain, for: geometry, input: layout, output: layout)
        let test = Conformance.Case(chain: chain, plan: plan, stripRows: nil)
        try expectSameBytes(test, on: TestDevices.all(openCL: 1))
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
