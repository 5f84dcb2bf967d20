import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

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

extension Conformance.Case {
    /// Compares the devices' bytes with those of the SIMD baseline.
    func expectSameBytes(on devices: [any Device]) throws {
        let photo = self.photo
        let expected = try plan.reference(for: photo)
        for device in devices {
            let difference = try result(for: photo, on: device).firstDifference(from: expected)
            #expect(difference == nil, "\(self), \(device.info.name)")
        }
    }
}

extension Device {
    /// Filters a photo in memory.
    func render(_ plan: RenderPlan, _ photo: MemoryPhoto) throws -> MemoryPhoto {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try render(plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result
    }
}

extension MemoryPhoto {
    /// Sets the samples of a photo of one plane, row by row.
    func set<Sample>(_ samples: [Sample]) {
        let plane = strip.planes[0]
        let perRow = plane.width * plane.bytesPerSample / MemoryLayout<Sample>.stride
        for row in 0..<geometry.height {
            samples.withUnsafeBytes { bytes in
                plane.row(row).copyMemory(
                    from: bytes.baseAddress! + row * perRow * MemoryLayout<Sample>.stride,
                    byteCount: perRow * MemoryLayout<Sample>.stride)
            }
        }
    }

    /// 16-bit samples of a photo of one plane.
    var words: [UInt16] { samples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } }
}
