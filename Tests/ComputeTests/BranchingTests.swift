import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeRendering

/// Several outputs of one photo in one go, from plans that share stages.
struct BranchingTests {
    private static let photo = PhotoGeometry(width: 203, height: 150, orientation: .right)

    private func plans(_ layout: PixelLayout) throws -> [RenderPlan] {
        let half = "resize:scale=0.5"
        return try [
            half, "\(half)+sepia", "\(half)+sepia+resize:scale=0.4", "\(half)+tilt-shift:radius=4",
            "\(half)+resize:scale=0.4", "\(half)+resize:scale=0.4+sharpen", "\(half)+crop:width=30+vignette",
            "\(half)+median", "sepia+\(half)", "sepia+\(half)+noir", "tilt-shift:radius=3", "invert",
        ].map { RenderPlan(try FilterChain(parsing: [$0]), for: Self.photo, input: layout, output: layout) }
    }

    private func render(_ plan: RenderPlan, _ source: MemoryPhoto, on device: SIMDDevice) throws -> [UInt8] {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try device.render(plan, from: source.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result.samples
    }

    @Test(
        arguments: [
            PixelLayout.yCbCr(.s420), .interleaved(.rgba, .eight), .interleaved(.rgb, .sixteen),
        ], [16, 48, 400])
    func outputsAreThoseOfTheirPlansAlone(layout: PixelLayout, stripRows: Int) throws {
        let source = MemoryPhoto(noise: Self.photo, layout: layout, seed: 3)
        let device = SIMDDevice(stripRows: stripRows), plans = try plans(layout)
        let results = plans.map { MemoryPhoto($0.outputGeometry, layout: layout) }
        let outputs = zip(plans, results).map { RenderOutput($0, to: $1.makeSink()) }
        try device.render(outputs, from: source.makeSource(), isCancelled: { false })
        for (plan, result) in zip(plans, results) {
            #expect(try result.samples == render(plan, source, on: device), "\(plan.stages.count) stages")
        }
    }

    private struct Refusal: Error {}

    /// Fails at its second strip.
    private final class RefusingSink: StripSink {
        let layout: PixelLayout
        private var count = 0

        init(_ layout: PixelLayout) { self.layout = layout }

        func write(_ strip: Strip) throws {
            count += 1
            if count > 1 { throw Refusal() }
        }
    }

    @Test func anOutputWhoseSinkFailsLeavesTheOthers() throws {
        let layout = PixelLayout.yCbCr(.s420), device = SIMDDevice(stripRows: 16)
        let source = MemoryPhoto(noise: Self.photo, layout: layout, seed: 3)
        let plans = try plans(layout)
        for failing in plans.indices {
            let results = plans.map { MemoryPhoto($0.outputGeometry, layout: layout) }
            let outputs = plans.indices.map { index in
                RenderOutput(
                    plans[index], to: index == failing ? RefusingSink(layout) : results[index].makeSink())
            }
            try device.render(outputs, from: source.makeSource(), isCancelled: { false })
            for index in plans.indices where index != failing {
                #expect(outputs[index].failure == nil)
                #expect(try results[index].samples == render(plans[index], source, on: device), "\(index)")
            }
            #expect(outputs[failing].failure is Refusal, "\(failing)")
        }
    }

    @Test func aPhotoAllOfWhoseSinksFailIsNotReadToItsEnd() throws {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let outputs = try plans(layout).map { RenderOutput($0, to: RefusingSink(layout)) }
        let source = MemoryPhoto(noise: Self.photo, layout: layout, seed: 3)
        var strips = 0
        #expect(throws: Refusal.self) {
            try SIMDDevice(stripRows: 16).render(outputs, from: source.makeSource()) {
                strips += 1
                return false
            }
        }
        #expect(strips > 1 && strips <= 10)
    }
}
