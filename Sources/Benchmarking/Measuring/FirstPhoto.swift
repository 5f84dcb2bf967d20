import Tintype

/// Measures the first photo of a process.
package enum FirstPhoto {
    /// Finds a device and filters a small photo on it.
    ///
    /// - Parameter device: an argument of `DeviceSelection`.
    /// - Returns: seconds, including the start of drivers and the compilation of programs.
    /// - Throws: `DeviceError`.
    package static func seconds(on device: String, _ chain: BenchmarkChain) throws -> Double {
        let geometry = PhotoGeometry(width: 256, height: 256)
        let stages = chain.chain.stages(for: geometry)
        let input = PixelLayout.yCbCr(.s420)
        let output = stages.haveColour(input: true) ? input : .interleaved(.grey, .eight)
        let photo = MemoryPhoto(noise: geometry, layout: input, seed: 1)
        let result = MemoryPhoto(geometry, layout: output)
        let time = try ContinuousClock().measure {
            let plan = RenderPlan(chain.chain, for: geometry, input: input, output: output)
            for device in try DeviceSelection([device]).devices.prefix(1) {
                try device.render(
                    plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
            }
        }
        return time / .seconds(1)
    }
}
