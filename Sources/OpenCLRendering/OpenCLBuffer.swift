import COpenCL
import Imaging
import Rendering

/// Memory that a device can reach.
// @unchecked: nothing here changes, and OpenCL's calls on memory objects are thread-safe.
final class OpenCLBuffer: @unchecked Sendable {
    let handle: cl_mem
    let byteCount: Int
    private let watch: DeviceWatch

    /// Memory of the device's own.
    convenience init(_ device: OpenCLDevice, byteCount: Int) throws(DeviceError) {
        try self.init(device, flags: CL_MEM_READ_WRITE, byteCount: byteCount, memory: nil)
    }

    /// Values that are written once.
    convenience init(_ device: OpenCLDevice, copying values: [Float]) throws(DeviceError) {
        // OpenCL has no empty buffers.
        var values = values.isEmpty ? [0] : values
        let byteCount = values.count * MemoryLayout<Float>.stride
        try self.init(
            device, flags: CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, byteCount: byteCount, memory: &values)
    }

    /// - Throws: `DeviceError.tooLarge` for more than the device, or its kernels, can work with.
    init(
        _ device: OpenCLDevice, flags: Int32, byteCount: Int, memory: UnsafeMutableRawPointer?
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
        self.byteCount = byteCount
    }

    deinit { if !watch.isLost { clReleaseMemObject(handle) } }
}

/// Memory that the host can reach and the device works in or copies from.
final class HostBlock {
    let buffer: OpenCLBuffer
    /// Where it is mapped.
    let address: UnsafeMutableRawPointer
    private let queue: OpenCLQueue

    /// - Parameter byteCount: more than 0. All of them become zeros.
    init(_ device: OpenCLDevice, queue: OpenCLQueue, byteCount: Int) throws(DeviceError) {
        self.queue = queue
        buffer = try OpenCLBuffer(
            device, flags: CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, byteCount: byteCount, memory: nil)
        address = try queue.map(buffer.handle, byteCount: byteCount, waits: true)
        address.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    }

    deinit { queue.unmapLast(buffer.handle, address) }
}

/// A strip that the host fills or reads and the device works on.
///
/// Where the device works in the host's memory there is one copy, mapped while it is the host's turn;
/// elsewhere the strip lies in pinned memory and is copied to and from the device's own.
final class DeviceStrip {
    let strip: Strip
    /// What kernels get.
    var buffer: cl_mem { device.handle }

    private let device: OpenCLBuffer
    private let pinned: OpenCLBuffer?
    private var mapped: UnsafeMutableRawPointer?

    init(_ shape: StripShape, lane: OpenCLLane) throws(DeviceError) {
        let host = try lane.hostBlock(byteCount: shape.byteCount)
        let memory = UnsafeMutableRawBufferPointer(start: host.address, count: shape.byteCount)
        // The memory stays as long as the strip has users.
        strip = Strip(shape, memory: memory, release: { _ in withExtendedLifetime(host) {} })
        mapped = host.address
        if lane.device.sharesHostMemory {
            device = host.buffer
            pinned = nil
        } else {
            device = try lane.deviceBlock(byteCount: shape.byteCount)
            pinned = host.buffer
        }
    }

    /// The device's turn: sends the strip's bytes where they are not there already.
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

    /// The host's turn, once the queue has come so far.
    ///
    /// - Parameter bringsBytes: false for a strip that the host only writes.
    /// - Throws: `DeviceError.movedMemory` where the bytes will not be where the strip has them.
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
