import Filters
import Imaging
import Testing

@testable import Compute

/// The first promise: the same bytes on every device, at every strip height.
struct ConformanceTests {
    /// Every filter of the catalogue at its defaults, and settings at the ends of their ranges, which cost a
    /// driver no further compilation.
    static let single: [FilterChain] =
        FilterCatalog.all.map { FilterChain([$0.init()]) }
        + chains([
            ["sepia:intensity=1"], ["noir:contrast=20,midpoint=0.3"],
            ["tilt-shift:radius=4,focus=0.2,band=0.3,falloff=0"],
        ])

    /// Filters fused and parted in every way, and nothing at all.
    static let combined = chains([
        ["sepia", "noir"], ["noir", "sepia:intensity=0.3"], ["sepia", "tilt-shift:radius=2", "noir"],
        ["tilt-shift:radius=1", "sepia", "tilt-shift:radius=2.5,focus=0.8", "sepia:intensity=0.5"], [],
    ])

    /// Layouts over which the combined chains run too, and every OpenCL device: a driver compiles each chain
    /// for each layout anew, which takes PoCL a second. The other layouts run on the first OpenCL device.
    static let mainLayouts: [PixelLayout] = [.yCbCr(.s420), .interleaved(.rgba, .sixteen)]

    private static func chains(_ texts: [[String]]) -> [FilterChain] {
        texts.map { text in
            do { return try FilterChain(parsing: text) } catch { preconditionFailure("\(error)") }
        }
    }

    @Test(arguments: interleavedLayouts + planarLayouts)
    func everyDeviceGivesTheSameBytes(layout: PixelLayout) throws {
        let isMain = Self.mainLayouts.contains(layout)
        let devices = try TestDevices.all(openCL: isMain ? .max : 1)
        for (width, height) in awkwardSizes {
            let orientation: Orientation = width % 3 == 0 ? .right : .up
            let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: UInt64(width * 1000 + height))
            for chain in Self.single + (isMain ? Self.combined : []) {
                for output in Self.outputs(of: chain, layout).prefix(isMain ? 3 : 2) {
                    let plan = RenderPlan(chain, for: geometry, input: layout, output: output)
                    let expected = try SIMDDevice(level: .baseline).render(plan, photo).samples
                    for device in devices {
                        let samples = try device.render(plan, photo).samples
                        #expect(
                            samples == expected,
                            "\(chain.recipe) on \(device.info.name), \(width)x\(height), \(layout) -> \(output)"
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: mainLayouts)
    func everyStripHeightGivesTheSameBytes(layout: PixelLayout) throws {
        let device = try #require(OpenCLRuntime.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let openCL = [device] + TestDevices.asGPU
        for (width, height) in [(23, 200), (1, 97), (70, 161)] {
            let geometry = PhotoGeometry(width: width, height: height)
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 5)
            for chain in Self.single + Self.combined {
                let output = Self.outputs(of: chain, layout)[0]
                let plan = RenderPlan(chain, for: geometry, input: layout, output: output)
                let expected = try SIMDDevice(level: .baseline, stripRows: height).render(plan, photo).samples
                for rows in [1, 8, 24, 40, 64, 1000] {
                    let simd = try SIMDDevice(stripRows: rows).render(plan, photo).samples
                    #expect(simd == expected, "\(chain.recipe), strips of \(rows), SIMD")
                    for device in openCL {
                        let result = MemoryPhoto(geometry, layout: output)
                        try device.render(
                            plan, from: photo.makeSource(), to: result.makeSink(), stripRows: rows,
                            isCancelled: { false })
                        #expect(
                            result.samples == expected, "\(chain.recipe), \(rows) rows, \(device.blocks)")
                    }
                }
            }
        }
    }

    /// What a chain's result may be stored as: its own layout or one with colour, grey, planes.
    static func outputs(of chain: FilterChain, _ input: PixelLayout) -> [PixelLayout] {
        let hasColour = chain.stages(for: PhotoGeometry(width: 9, height: 9)).haveColour(
            input: input.hasColour)
        let interleaved = PixelLayout.interleaved(
            .init(colour: hasColour, alpha: input.hasAlpha), input.depth)
        let own: PixelLayout =
            switch input {
            case .yCbCr: input
            case .interleaved: interleaved
            }
        let jpeg: PixelLayout = hasColour ? .yCbCr(.s420) : .interleaved(.grey, .eight)
        return own == jpeg ? [own] : own == interleaved ? [own, jpeg] : [own, jpeg, interleaved]
    }
}
