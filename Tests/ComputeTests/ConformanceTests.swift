import Filters
import Imaging
import Testing

@testable import Compute

/// The first promise: the same bytes on every device, at every strip height.
struct ConformanceTests {
    @Test(arguments: Conformance.layouts)
    func everyDeviceGivesTheSameBytes(layout: PixelLayout) throws {
        let isMain = Conformance.mainLayouts.contains(layout)
        let devices = try TestDevices.all(openCL: isMain ? .max : 1)
        for (width, height) in Conformance.sizes {
            let orientation: Orientation = width % 3 == 0 ? .right : .up
            let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: UInt64(width * 1000 + height))
            for chain in Conformance.single + (isMain ? Conformance.combined : []) {
                let outputs = Conformance.outputs(of: chain, layout)
                for output in outputs.prefix(isMain ? 3 : 2) {
                    let plan = RenderPlan(chain, for: geometry, input: layout, output: output)
                    let expected = try SIMDDevice(level: .baseline).render(plan, photo).samples
                    // How words become pixels is the same before a blur, which takes a driver long to compile.
                    let hasBlur = plan.stages.contains { if case .blur = $0 { true } else { false } }
                    let others = hasBlur && !(isMain && output == outputs[0]) ? [] : TestDevices.asGPU
                    for device in devices + others {
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

    @Test(arguments: Conformance.mainLayouts)
    func everyStripHeightGivesTheSameBytes(layout: PixelLayout) throws {
        let device = try #require(OpenCLRuntime.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let openCL = [device] + TestDevices.asGPU
        for (width, height) in [(23, 200), (1, 97), (70, 161)] {
            let geometry = PhotoGeometry(width: width, height: height)
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 5)
            for chain in Conformance.single + Conformance.combined {
                let output = Conformance.outputs(of: chain, layout)[0]
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
}
