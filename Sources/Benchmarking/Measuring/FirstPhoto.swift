import Tintype

/// Measures the first photo of a process.
package enum FirstPhoto {
    /// Finds a device and filters a small photo on it.
    ///
    /// - Parameters:
    ///   - device: an argument of `DeviceSelection`.
    ///   - drivers: the process that loads OpenCL's drivers.
    /// - Returns: seconds, including the start of drivers and the compilation of programs.
    /// - Throws: `DeviceError`, `CodecError`, `BenchmarkError.noMemoryFile`.
    package static func seconds(
        on device: String, _ chain: BenchmarkChain, drivers: DriverHost
    ) throws -> Double {
        let photo = try BenchmarkPhoto(megapixels: 0.065), file = try MemoryFile()
        let time = try ContinuousClock().measure {
            let selection = try DeviceSelection(
                [device], timeLimit: nil, drivers: drivers, store: nil, workload: { nil })
            for device in selection.devices.prefix(1) {
                if let compiling = device.abilities.compiling {
                    try PhotoPass.withPath(photo.jpeg, chain.chain, PhotoPass.limits) {
                        compiling.compile([$0.plan], isCancelled: { false })
                    }
                }
                let pass = PhotoPass(jpeg: photo.jpeg, chain: chain.chain, device: device)
                _ = try pass.run(into: file, isCancelled: { false })
            }
        }
        return time / .seconds(1)
    }
}
