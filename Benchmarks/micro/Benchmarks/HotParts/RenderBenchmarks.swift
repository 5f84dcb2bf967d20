import Benchmark
import TintypeCompute
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

/// Whole renders on the CPU: strips in, kernels, strips out, no codec.
enum RenderBenchmarks {
    static let geometry = PhotoGeometry(width: 1024, height: 768)
    private static let chains = [
        ["sepia"], ["noir"], ["sepia", "noir", "sepia"], ["tilt-shift:radius=8,band=0.2,falloff=0.2"],
    ]

    static func register() {
        for texts in chains {
            Benchmark("render 1024 x 768, 4:2:0, \(texts.joined(separator: " "))") { benchmark in
                let chain = try FilterChain(parsing: texts)
                let layout = PixelLayout.yCbCr(.s420)
                let stages = chain.stages(for: geometry)
                let hasColour = stages.haveColour(input: true)
                let output: PixelLayout = hasColour ? layout : .interleaved(.grey, .eight)
                let plan = RenderPlan(chain, for: geometry, input: layout, output: output)
                let device = try DeviceSelection(["cpu"]).devices[0]
                benchmark.startMeasurement()
                try device.render(
                    plan, from: NoiseSource(geometry, layout), to: NullSink(output), isCancelled: { false })
                benchmark.stopMeasurement()
            }
        }
    }
}

/// A photo whose strips all hold the same noise.
final class NoiseSource: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private var nextRow = 0
    private var isFilled = false

    init(_ geometry: PhotoGeometry, _ layout: PixelLayout) {
        self.geometry = geometry
        self.layout = layout
    }

    func read(into strip: Strip) {
        if !isFilled { NoiseSource.fill(strip) }
        isFilled = true
        strip.firstRow = nextRow
        strip.rowCount = min(strip.rowCapacity, geometry.height - nextRow)
        strip.hasBlockPadding = false
        nextRow += strip.rowCount
    }

    /// Smooth with some grain, as photos are: pure noise would be all work for an entropy coder.
    static func fill(_ strip: Strip) {
        var state: UInt64 = 1
        for plane in strip.planes {
            for row in 0..<plane.rowCapacity {
                for column in 0..<plane.bytesPerRow {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let value = 64 + (row + column) % 128 + Int(state >> 60)
                    plane.row(row).storeBytes(
                        of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
                }
            }
        }
    }
}

/// Where filtered strips end.
final class NullSink: StripSink {
    let layout: PixelLayout
    init(_ layout: PixelLayout) { self.layout = layout }
    func write(_ strip: Strip) { blackHole(strip.rowCount) }
}
