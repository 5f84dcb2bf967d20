import Filters
import Imaging
import Testing

@testable import CPURendering
@testable import Compute
@testable import OpenCLRendering
@testable import Rendering

/// The devices that must give the same bytes.
enum TestDevices {
    /// Every SIMD level of this machine, and its OpenCL devices, `openCL` of them at most.
    ///
    /// Without an OpenCL device this fails, so that no test is skipped silently.
    static func all(openCL count: Int = .max) throws -> [any Device] {
        try #require(!OpenCLRuntime.shared.devices.isEmpty, "no OpenCL device: install pocl-opencl-icd")
        let simd: [any Device] = SIMDLevel.supported.map { SIMDDevice(level: $0) }
        return simd + OpenCLRuntime.shared.devices.prefix(count).map { $0 }
    }

    /// An OpenCL device that is treated as a GPU with memory of its own: strips are copied, on queues of their
    /// own, and kernels take words.
    static let asGPU: [OpenCLDevice] = Array(OpenCLRuntime.shared.makeDevices(asGPUs: true).prefix(1))
}

extension Device {
    /// Filters a photo in memory.
    func render(_ plan: RenderPlan, _ photo: MemoryPhoto) throws -> MemoryPhoto {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try render(plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result
    }
}
