import CTintypeOpenCL
import TintypeImaging
import TintypeRendering

/// Memory that a device can access.
// @unchecked: immutable, and OpenCL's calls on memory objects are thread-safe.
final class OpenCLBuffer: @unchecked Sendable {
    let handle: cl_mem
    let byteCount: Int
    private let watch: DeviceWatch
    /// Called after the release.
    private let released: () -> Void

    /// The device's own memory.
    convenience init(_ device: OpenCLDevice, byteCount: Int) throws(DeviceError) {
        try self.init(device, flags: CL_MEM_READ_WRITE, byteCount: byteCount, memory: nil)
    }

    /// Values that do not change.
    convenience init<Value: BitwiseCopyable & Numeric>(
        _ device: OpenCLDevice, copying values: [Value]
    ) throws(DeviceError) {
        // OpenCL has no empty buffers.
        var values = values.isEmpty ? [0] : values
        let byteCount = values.count * MemoryLayout<Value>.stride
        try self.init(
            device, flags: CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, byteCount: byteCount, memory: &values)
    }

    /// - Throws: `DeviceError.tooLarge` if `byteCount` exceeds the limit of the device or its kernels.
    init(
        _ device: OpenCLDevice, flags: Int32, byteCount: Int, memory: UnsafeMutableRawPointer?,
        released: @escaping () -> Void = {}
    ) throws(DeviceError) {
        guard byteCount <= device.blockLimit else {
            throw .tooLarge(device: device.info.name, byteCount: byteCount, limit: device.blockLimit)
        }
        var code: cl_int = 0
        let buffer = clCreateBuffer(try device.context(), cl_mem_flags(flags), byteCount, memory, &code)
        guard let buffer, code == CL_SUCCESS else {
            throw device.failure("clCreateBuffer(\(byteCount))", code)
        }
        handle = buffer
        watch = device.watch
        self.released = released
        self.byteCount = byteCount
    }

    deinit {
        guard !watch.isLost else { return }
        clReleaseMemObject(handle)
        released()
    }
}

/// Memory that the host can access, and that the device works in or copies from.
final class HostBlock {
    let buffer: OpenCLBuffer
    /// The mapped address.
    let address: UnsafeMutableRawPointer
    private let queue: OpenCLQueue
    private let isProvided: Bool

    /// - Parameters:
    ///   - byteCount: above 0. The bytes are set to zero.
    ///   - memory: where they are; nil lets the driver choose.
    init(
        _ device: OpenCLDevice, queue: OpenCLQueue, byteCount: Int, in memory: (any HostMemory)?
    ) throws(DeviceError) {
        self.queue = queue
        if let memory {
            isProvided = true
            buffer = try Self.buffer(in: memory, device, byteCount: byteCount)
        } else {
            isProvided = false
            buffer = try OpenCLBuffer(
                device, flags: CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, byteCount: byteCount, memory: nil)
        }
        address = try queue.map(buffer.handle, byteCount: byteCount, waits: true)
        address.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    private static func buffer(
        in memory: any HostMemory, _ device: OpenCLDevice, byteCount: Int
    ) throws(DeviceError) -> OpenCLBuffer {
        guard let address = memory.allocate(byteCount: byteCount) else {
            throw device.failure("an allocation of \(byteCount) bytes", CL_OUT_OF_HOST_MEMORY)
        }
        do {
            return try OpenCLBuffer(
                device, flags: CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, byteCount: byteCount, memory: address,
                released: { memory.free(address, byteCount: byteCount) })
        } catch {
            memory.free(address, byteCount: byteCount)
            throw error
        }
    }

    /// A strip in this memory, which lives as long as the strip is used.
    func strip(_ shape: StripShape) -> Strip {
        Strip(
            shape, memory: UnsafeMutableRawBufferPointer(start: address, count: shape.byteCount),
            release: { _ in withExtendedLifetime(self) {} })
    }

    deinit {
        queue.unmapLast(buffer.handle, address)
        // The memory is freed with the buffer, so no command may still use it.
        if isProvided, !queue.device.watch.isLost { try? queue.finish() }
    }
}

/// A strip that host and device access in turn.
///
/// If the device works in the host's memory, there is one copy, mapped during the host's turn. Otherwise the
/// strip is in pinned memory, and is copied to and from the device's memory.
final class DeviceStrip {
    let strip: Strip
    /// The buffer for kernels.
    var buffer: cl_mem { device.handle }

    private let device: OpenCLBuffer
    private let pinned: OpenCLBuffer?
    private var mapped: UnsafeMutableRawPointer?

    init(_ shape: StripShape, lane: OpenCLLane) throws(DeviceError) {
        let host = try lane.hostBlock(byteCount: shape.byteCount)
        strip = host.strip(shape)
        mapped = host.address
        if lane.device.sharesHostMemory {
            device = host.buffer
            pinned = nil
        } else {
            device = try lane.deviceBlock(byteCount: shape.byteCount)
            pinned = host.buffer
        }
    }

    /// Starts the device's turn; copies the strip's bytes to the device if needed.
    ///
    /// - Parameter sendsBytes: false for a strip that the device only writes.
    func giveToDevice(_ queue: OpenCLQueue, sendsBytes: Bool) throws(DeviceError) {
        if let address = mapped, pinned == nil {
            try queue.unmap(buffer, address)
            mapped = nil
        } else if sendsBytes {
            try queue.write(strip.memory.baseAddress!, to: buffer, byteCount: strip.memory.count)
        }
    }

    /// Starts the host's turn, after the commands queued so far.
    ///
    /// - Parameter bringsBytes: false for a strip that the host only writes.
    /// - Throws: `DeviceError.movedMemory` if the driver maps the strip to another address.
    func giveToHost(_ queue: OpenCLQueue, bringsBytes: Bool) throws(DeviceError) {
        if pinned == nil {
            let address = try queue.map(buffer, byteCount: strip.memory.count)
            guard address == strip.memory.baseAddress else {
                try? queue.unmap(buffer, address)
                throw .movedMemory(device: queue.device.info.name)
            }
            mapped = address
        } else if bringsBytes {
            try queue.read(buffer, into: strip.memory.baseAddress!, byteCount: strip.memory.count)
        }
    }
}
