import CTintypeOpenCL
import TintypeRendering

/// An in-order command queue, used by one render at a time.
final class OpenCLQueue {
    let handle: cl_command_queue
    let device: OpenCLDevice
    private var events: [OpenCLEvent] = []

    /// - Parameter profiles: whether events tell their times, for which some drivers do more at each command.
    init(_ device: OpenCLDevice, profiles: Bool) throws(DeviceError) {
        var code: cl_int = 0
        let properties = cl_command_queue_properties(profiles ? CL_QUEUE_PROFILING_ENABLE : 0)
        let queue = clCreateCommandQueue(try device.context(), device.device, properties, &code)
        guard let queue, code == CL_SUCCESS else { throw device.failure("clCreateCommandQueue", code) }
        handle = queue
        self.device = device
    }

    deinit { if !device.watch.isLost { clReleaseCommandQueue(handle) } }

    /// Waits for all commands.
    func finish() throws(DeviceError) { try device.check(clFinish(handle), "clFinish") }

    /// Commands queued from now on wait for all that were queued in `other`, which is flushed: OpenCL may otherwise never begin
    /// what this queue waits for.
    func follow(_ other: OpenCLQueue) throws(DeviceError) {
        guard other !== self, let last = other.events.last else { return }
        try other.flush()
        var event: cl_event? = last.handle
        try device.check(
            clEnqueueBarrierWithWaitList(handle, 1, &event, nil), "clEnqueueBarrierWithWaitList")
    }

    /// Sends the queued commands to the device.
    func flush() throws(DeviceError) { try device.check(clFlush(handle), "clFlush") }

    /// Runs a kernel over a grid of work-items. The grid may be rounded up: kernels check bounds.
    func run(_ kernel: OpenCLKernel, _ columns: Int, _ rows: Int, _ planes: Int = 1) throws(DeviceError) {
        let tuning = device.tuning
        // A kernel that needs many registers may have a lower limit than its device.
        let localColumns = min(tuning.columns, kernel.groupLimit)
        let local = [localColumns, max(1, min(tuning.rows, kernel.groupLimit / localColumns))]
        var global = [
            columns.roundedUp(toMultipleOf: local[0]), rows.roundedUp(toMultipleOf: local[1]), planes,
        ]
        var group = local + [1]
        if device.isPoCL { try load(kernel, group: (local[0], local[1])) }
        try enqueue(.kernels, "clEnqueueNDRangeKernel(\(kernel.name))") {
            clEnqueueNDRangeKernel(handle, kernel.handle, 3, nil, &global, &group, 0, nil, &$0)
        }
    }

    /// Runs a kernel whose work-groups have a size of their own.
    ///
    /// - Parameters:
    ///   - groups: work-groups of two dimensions.
    ///   - items: work-items of a group, in the first dimension.
    func launch(
        _ kernel: OpenCLKernel, _ arguments: [OpenCLKernel.Argument], groups: (Int, Int), items: Int
    ) throws(DeviceError) {
        try kernel.set(arguments)
        var global = [groups.0 * items, groups.1], local = [items, 1]
        try enqueue(.kernels, "clEnqueueNDRangeKernel(\(kernel.name))") {
            clEnqueueNDRangeKernel(handle, kernel.handle, 2, nil, &global, &local, 0, nil, &$0)
        }
    }

    /// Sets all bytes of a buffer to 0.
    func fill(_ buffer: OpenCLBuffer) throws(DeviceError) {
        var pattern: UInt32 = 0
        try enqueue(.kernels, "clEnqueueFillBuffer") {
            clEnqueueFillBuffer(handle, buffer.handle, &pattern, 4, 0, buffer.byteCount & ~3, 0, nil, &$0)
        }
    }

    /// Has PoCL load a kernel for grids of all sizes, unless it has. The kernel computes its first rows, and will do so again: no
    /// kernel changes what it reads.
    private func load(_ kernel: OpenCLKernel, group: (columns: Int, rows: Int)) throws(DeviceError) {
        let key = kernel.key(group: group)
        guard !LoadedKernels.shared.contains(key) else { return }
        var global = [LoadedKernels.gridColumns.roundedUp(toMultipleOf: group.columns), group.rows, 1]
        var local = [group.columns, group.rows, 1]
        try device.check(
            clEnqueueNDRangeKernel(handle, kernel.handle, 3, nil, &global, &local, 0, nil, nil),
            "clEnqueueNDRangeKernel(\(kernel.name))")
        try finish()
        LoadedKernels.shared.insert(key)
    }

    /// Copies within the device's memory.
    func copy(
        from source: OpenCLBuffer, at sourceOffset: Int, to destination: OpenCLBuffer,
        at destinationOffset: Int, byteCount: Int
    ) throws(DeviceError) {
        try enqueue(.kernels, "clEnqueueCopyBuffer") {
            clEnqueueCopyBuffer(
                handle, source.handle, destination.handle, sourceOffset, destinationOffset, byteCount, 0, nil,
                &$0)
        }
    }

    func write(_ memory: UnsafeRawPointer, to buffer: cl_mem, byteCount: Int) throws(DeviceError) {
        try enqueue(.upload, "clEnqueueWriteBuffer") {
            clEnqueueWriteBuffer(handle, buffer, cl_bool(CL_FALSE), 0, byteCount, memory, 0, nil, &$0)
        }
    }

    func read(
        _ buffer: cl_mem, at offset: Int = 0, into memory: UnsafeMutableRawPointer, byteCount: Int
    ) throws(DeviceError) {
        try enqueue(.download, "clEnqueueReadBuffer") {
            clEnqueueReadBuffer(handle, buffer, cl_bool(CL_FALSE), offset, byteCount, memory, 0, nil, &$0)
        }
    }

    /// Maps a buffer for the host. The address is valid after the commands queued so far.
    func map(_ buffer: cl_mem, byteCount: Int, waits: Bool = false) throws(DeviceError)
        -> UnsafeMutableRawPointer
    {
        var code: cl_int = 0
        var address: UnsafeMutableRawPointer?
        try enqueue(.download, "clEnqueueMapBuffer") {
            let flags = cl_map_flags(CL_MAP_READ | CL_MAP_WRITE)
            address = clEnqueueMapBuffer(
                handle, buffer, cl_bool(waits ? CL_TRUE : CL_FALSE), flags, 0, byteCount, 0, nil, &$0, &code)
            return code
        }
        guard let address else { throw device.failure("clEnqueueMapBuffer", code) }
        return address
    }

    /// Gives a mapped buffer back to the device.
    func unmap(_ buffer: cl_mem, _ address: UnsafeMutableRawPointer) throws(DeviceError) {
        try enqueue(.upload, "clEnqueueUnmapMemObject") {
            clEnqueueUnmapMemObject(handle, buffer, address, 0, nil, &$0)
        }
    }

    /// Unmaps a buffer that is about to be released. Nothing waits for it; errors are ignored.
    func unmapLast(_ buffer: cl_mem, _ address: UnsafeMutableRawPointer) {
        if !device.watch.isLost { clEnqueueUnmapMemObject(handle, buffer, address, 0, nil, nil) }
    }

    /// All commands queued since the previous call, in order.
    func takeEvents() -> [OpenCLEvent] {
        defer { events = [] }
        return events
    }

    private func enqueue(
        _ work: OpenCLEvent.Work, _ call: String, _ body: (inout cl_event?) -> cl_int
    ) throws(DeviceError) {
        var event: cl_event?
        try device.check(body(&event), call)
        if let event { events.append(OpenCLEvent(event, work, call, device: device)) }
    }
}

/// The queues of one lane. If strips are copied, copies have queues of their own, parallel to the kernels.
struct OpenCLQueues {
    let upload, compute, download: OpenCLQueue

    init(_ device: OpenCLDevice, compute: OpenCLQueue, profiles: Bool) throws(DeviceError) {
        self.compute = compute
        upload = device.sharesHostMemory ? compute : try OpenCLQueue(device, profiles: profiles)
        download = device.sharesHostMemory ? compute : try OpenCLQueue(device, profiles: profiles)
    }

    /// Each queue once.
    private var all: [OpenCLQueue] { upload === compute ? [compute] : [upload, compute, download] }

    func flush() throws(DeviceError) { for queue in all { try queue.flush() } }

    /// Waits for all queues, also if one fails: others may still use memory that is freed next.
    func finish() throws(DeviceError) {
        var failure: DeviceError?
        for queue in all {
            do throws(DeviceError) { try queue.finish() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// All commands queued since the previous call; downloads come last.
    func takeEvents() -> [OpenCLEvent] { all.flatMap { $0.takeEvents() } }
}
