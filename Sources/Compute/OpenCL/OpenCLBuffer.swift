import COpenCL
import Imaging

/// Memory that a device can reach.
final class OpenCLBuffer {
    let handle: cl_mem
    let byteCount: Int

    /// Memory of the device's own.
    convenience init(_ device: OpenCLDevice, byteCount: Int) throws(DeviceError) {
        try self.init(device, flags: CL_MEM_READ_WRITE, byteCount: byteCount, memory: nil)
    }

    /// Constant values.
    convenience init(_ device: OpenCLDevice, constants: [Float]) throws(DeviceError) {
        // OpenCL has no empty buffers.
        var values = constants.isEmpty ? [0] : constants
        let byteCount = values.count * MemoryLayout<Float>.stride
        try self.init(
            device, flags: CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, byteCount: byteCount, memory: &values)
    }

    init(
        _ device: OpenCLDevice, flags: Int32, byteCount: Int, memory: UnsafeMutableRawPointer?
    ) throws(DeviceError) {
        var code: cl_int = 0
        let buffer = clCreateBuffer(try device.context(), cl_mem_flags(flags), byteCount, memory, &code)
        guard let buffer, code == CL_SUCCESS else {
            throw device.failure("clCreateBuffer(\(byteCount))", code)
        }
        handle = buffer
        self.byteCount = byteCount
    }

    deinit { clReleaseMemObject(handle) }
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

    init(_ shape: StripShape, device: OpenCLDevice, queue: OpenCLQueue) throws(DeviceError) {
        let hostFlags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR
        let host = try OpenCLBuffer(device, flags: hostFlags, byteCount: shape.byteCount, memory: nil)
        let address = try queue.map(host.handle, byteCount: shape.byteCount, waits: true)
        let memory = UnsafeMutableRawBufferPointer(start: address, count: shape.byteCount)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        // The buffer goes with the strip's last user.
        strip = Strip(shape, memory: memory, release: { _ in withExtendedLifetime(host) {} })
        mapped = address
        if device.sharesHostMemory {
            self.device = host
            pinned = nil
        } else {
            self.device = try OpenCLBuffer(device, byteCount: shape.byteCount)
            pinned = host
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
    func giveToHost(_ queue: OpenCLQueue, bringsBytes: Bool) throws(DeviceError) {
        if pinned == nil {
            mapped = try queue.map(buffer, byteCount: strip.memory.count)
        } else if bringsBytes {
            try queue.read(buffer, into: strip.memory.baseAddress!, byteCount: strip.memory.count)
        }
    }
}
