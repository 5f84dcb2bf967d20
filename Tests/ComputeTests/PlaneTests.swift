import Testing
import TintypeFilters
import TintypeImaging
import TintypeStages

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// JPEG planes to RGB and back.
struct PlaneTests {
    @Test(arguments: ChromaSubsampling.common)
    func loadingAndStoringPlanesChangesNothing(subsampling: ChromaSubsampling) throws {
        // A blur whose mask is 0 but for the last row: every other row goes to floats and back.
        let geometry = PhotoGeometry(width: 61, height: 131)
        let photo = MemoryPhoto(noise: geometry, layout: .yCbCr(subsampling), seed: 11)
        var mask = [Float](repeating: 0, count: 131)
        mask[130] = 1
        let blur = MaskedBlur(Gaussian(sigma: 0.5), axis: .rows, mask: mask)
        let plan = RenderPlan([.blur(blur)], for: geometry, input: photo.layout, output: photo.layout)
        // `ConformanceTests` compares OpenCL's bytes of all layouts with the CPU's; each layout needs programs.
        let onOpenCL = subsampling == .s420
        for device in try TestDevices.all(openCL: onOpenCL ? 1 : 0) + (onOpenCL ? TestDevices.asGPU : []) {
            let result = try device.render(plan, photo)
            for (before, after) in zip(photo.strip.planes, result.strip.planes) {
                for row in 0..<120 / before.subsampling.vertical {
                    let a = UnsafeRawBufferPointer(start: before.row(row), count: before.width)
                    let b = UnsafeRawBufferPointer(start: after.row(row), count: after.width)
                    #expect(a.elementsEqual(b), "row \(row) of \(subsampling) on \(device.info.name)")
                }
            }
        }
    }

    @Test func planesBecomeTheRGBOfJFIF() throws {
        // Y 120, Cb 90, Cr 200: R = 120 + 1.402 x 72 = 220.9, G = 120 + .344136 x 38 - .714136 x 72 = 81.7,
        // B = 120 - 1.772 x 38 = 52.7, limited and rounded by hand.
        let photo = MemoryPhoto(PhotoGeometry(width: 2, height: 1), layout: .yCbCr(.s422))
        photo.strip.planes[0].row(0).storeBytes(of: 120, as: UInt8.self)
        photo.strip.planes[0].row(0).storeBytes(of: 120, toByteOffset: 1, as: UInt8.self)
        photo.strip.planes[1].row(0).storeBytes(of: 90, as: UInt8.self)
        photo.strip.planes[2].row(0).storeBytes(of: 200, as: UInt8.self)
        let plan = RenderPlan(
            [], for: photo.geometry, input: photo.layout, output: .interleaved(.rgb, .eight))
        for device in try TestDevices.all() + TestDevices.asGPU {
            #expect(
                try device.render(plan, photo).samples == [221, 82, 53, 221, 82, 53], "\(device.info.name)")
        }
    }

    @Test func transparencyIsLaidOverWhiteWhereTheOutputHasNone() throws {
        let photo = MemoryPhoto(PhotoGeometry(width: 3, height: 1), layout: .interleaved(.rgba, .eight))
        photo.set([10, 20, 30, 0, 10, 20, 30, 255, 0, 100, 200, 51] as [UInt8])
        let plan = RenderPlan(
            [], for: photo.geometry, input: photo.layout, output: .interleaved(.rgb, .eight))
        // 51/255 = .2: 255 x .8 + (0, 100, 200) x .2 = 204, 224, 244.
        for device in try TestDevices.all() + TestDevices.asGPU {
            #expect(
                try device.render(plan, photo).samples == [255, 255, 255, 10, 20, 30, 204, 224, 244],
                "\(device.info.name)")
        }
    }
}
