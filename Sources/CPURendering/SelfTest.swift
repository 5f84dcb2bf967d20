import Filters
import Imaging
import Rendering

/// Compares a device with the SIMD baseline on a tiny image.
package enum SelfTest {
    /// Odd in both directions and wider than a work-group's row of blocks, to cover edges and chroma.
    private static let width = 149, height = 37

    /// Runs the stages of `plan` over noise with `render`, in the plan's own layouts.
    ///
    /// - Throws: `DeviceError.failedSelfTest`, or what `render` throws.
    package static func run(
        _ plan: RenderPlan, deviceName: String,
        render: (RenderPlan, _ source: any StripSource, _ sink: any StripSink) throws -> Void
    ) throws {
        let tiny = plan.resized(width: width, height: height)
        let photo = MemoryPhoto(noise: tiny.geometry, layout: tiny.input, seed: 1)
        let result = MemoryPhoto(tiny.geometry, layout: tiny.output)
        try render(tiny, photo.makeSource(), result.makeSink())
        guard try result.firstDifference(from: tiny.reference(for: photo)) == nil else {
            throw DeviceError.failedSelfTest(device: deviceName, kernels: tiny.kernelNames)
        }
    }
}

extension RenderPlan {
    /// The expected result: the SIMD baseline's, rendered in one strip.
    package func reference(for photo: MemoryPhoto) throws -> MemoryPhoto {
        let result = MemoryPhoto(geometry, layout: output)
        try SIMDDevice(level: .baseline, stripRows: geometry.height).render(
            self, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result
    }

    /// The same stages for another size; a blur is stretched along its axis.
    fileprivate func resized(width: Int, height: Int) -> RenderPlan {
        let stages = stages.map { stage in
            guard case .blur(let blur) = stage else { return stage }
            let length = blur.axis == .rows ? height : width
            return .blur(blur.stretched(to: length))
        }
        return RenderPlan(
            stages, for: PhotoGeometry(width: width, height: height, orientation: geometry.orientation),
            input: input, output: output)
    }

    /// The kernels' names, for messages.
    fileprivate var kernelNames: String {
        let names = stages.map { stage in
            switch stage {
            case .point(let point): point.kernel.name
            case .blur: "blur"
            }
        }
        return names.joined(separator: ", ")
    }
}
