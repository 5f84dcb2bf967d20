import TintypeImaging
import TintypeStages

/// Compares devices with another one on a tiny image.
package struct SelfTest: Sendable {
    /// Odd in both directions and wider than a work-group's row of blocks, to cover edges and chroma.
    private static let width = 149, height = 37

    private let reference: any Device

    /// - Parameter reference: renders the expected pixels.
    package init(against reference: any Device) { self.reference = reference }

    /// Runs the stages of `plan` over noise with `render`, in the plan's own layouts.
    ///
    /// - Throws: `DeviceError.failedSelfTest`, or what `render` throws.
    package func run(
        _ plan: RenderPlan, deviceName: String,
        render: (RenderPlan, _ source: any StripSource, _ sink: any StripSink) throws -> Void
    ) throws {
        let tiny = plan.resized(width: Self.width, height: Self.height)
        let photo = MemoryPhoto(noise: tiny.geometry, layout: tiny.input, seed: 1)
        // First, because a user's function that does not come to an end is found here.
        let expected = MemoryPhoto(tiny.outputGeometry, layout: tiny.output)
        try reference.render(
            tiny, from: photo.makeSource(), to: expected.makeSink(), isCancelled: { false })
        let result = MemoryPhoto(tiny.outputGeometry, layout: tiny.output)
        try render(tiny, photo.makeSource(), result.makeSink())
        guard result.firstDifference(from: expected) == nil else {
            throw DeviceError.failedSelfTest(device: deviceName, kernels: tiny.kernelNames)
        }
    }
}

extension Stage {
    /// The same kernels for a photo of another size.
    fileprivate func stretched(to photo: PhotoGeometry) -> Stage {
        switch self {
        case .point, .window: self
        case .blur(let blur): .blur(blur.stretched(to: blur.axis == .rows ? photo.height : photo.width))
        case .resample(let resampling):
            .resample(resampling.stretched(width: photo.width, height: photo.height))
        }
    }
}

extension RenderPlan {
    /// The same stages for another size; blurs and resamplings are stretched.
    fileprivate func resized(width: Int, height: Int) -> RenderPlan {
        let tiny = PhotoGeometry(width: width, height: height, orientation: geometry.orientation)
        var photo = tiny
        let stages = stages.map { stage -> Stage in
            let stretched = stage.stretched(to: photo)
            photo = stretched.result(of: photo)
            return stretched
        }
        return RenderPlan(stages, for: tiny, input: input, output: output)
    }

    /// The kernels' names, for messages.
    fileprivate var kernelNames: String {
        let names = stages.map { stage in
            switch stage {
            case .point(let function), .window(let function): function.kernel.name
            case .blur: "blur"
            case .resample: "resize"
            }
        }
        return names.joined(separator: ", ")
    }
}
