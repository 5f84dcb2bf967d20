import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

struct ConformanceRunTests {
    @Test func aDeviceThatGivesAnotherByteIsNamedWithTheFirstCase() throws {
        var layouts: [PixelLayout] = []
        let run = ConformanceRun([WrongDevice(), SIMDDevice()], .quick, maxPixels: 600)
        let outcomes = try run.outcomes(
            progress: { layouts.append($0) }, isOver: { layouts.count > 1 })
        let difference = try #require(outcomes[0].difference)
        #expect(difference.hasPrefix("sepia") && difference.contains("1x1"))
        #expect(difference.contains("plane 0, row 0, byte 0 is "))
        #expect(outcomes[0].equalCount == 0)
        #expect(outcomes[1].difference == nil && outcomes[1].layoutCount == 1 && outcomes[1].equalCount > 300)
    }

    @Test func aChainAloneIsComparedInEveryLayout() throws {
        let chain = FilterChain([Noir()]), run = ConformanceRun([WrongDevice(), SIMDDevice()], chain)
        let outcomes = try run.outcomes(progress: { _ in })
        #expect(outcomes[0].difference?.hasPrefix("noir") == true)
        #expect(outcomes[1].difference == nil && outcomes[1].layoutCount == Conformance.layouts.count)
        // Every size in every layout, and strips of six heights over three sizes in the two main layouts.
        let sizes = Conformance.layouts.count * Conformance.sizes.count
        #expect(outcomes[1].equalCount == sizes + 2 * 3 * 6)
    }
}

/// Renders correctly, except for the lowest bit of each strip's first sample.
private final class WrongDevice: Device {
    private let device = SIMDDevice()
    var info: DeviceInfo { device.info }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try device.render(plan, from: source, to: WrongSink(sink), isCancelled: isCancelled)
    }

    func selfTest(_ plan: RenderPlan) throws {}
}

private final class WrongSink: StripSink {
    private let sink: any StripSink
    var layout: PixelLayout { sink.layout }

    init(_ sink: any StripSink) { self.sink = sink }

    func write(_ strip: Strip) throws {
        let first = strip.planes[0].base.assumingMemoryBound(to: UInt8.self)
        first[0] ^= 1
        try sink.write(strip)
    }
}
