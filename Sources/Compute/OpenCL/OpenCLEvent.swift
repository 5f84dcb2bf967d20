import COpenCL
import Dispatch

/// A command on its way through a queue.
final class OpenCLEvent {
    private let handle: cl_event
    private let device: OpenCLDevice

    init(_ handle: cl_event, device: OpenCLDevice) {
        self.handle = handle
        self.device = device
    }

    deinit { clReleaseEvent(handle) }

    /// Sleeps until the command is done: some drivers' own wait keeps a core busy.
    ///
    /// - Throws: `DeviceError` where the command failed.
    func wait() throws(DeviceError) {
        let done = DispatchSemaphore(value: 0)
        let retained = Unmanaged.passRetained(done)
        let code = clSetEventCallback(
            handle, CL_COMPLETE,
            { _, _, context in
                guard let context else { return }
                Unmanaged<DispatchSemaphore>.fromOpaque(context).takeRetainedValue().signal()
            }, retained.toOpaque())
        guard code == CL_SUCCESS else {
            retained.release()
            throw device.failure("clSetEventCallback", code)
        }
        done.wait()
        var status: cl_int = 0
        let size = MemoryLayout<cl_int>.size
        let name = cl_event_info(CL_EVENT_COMMAND_EXECUTION_STATUS)
        try device.check(clGetEventInfo(handle, name, size, &status, nil), "clGetEventInfo")
        guard status >= 0 else { throw device.failure("a command", status) }
    }

    /// Nanoseconds that the command ran on the device, once it is done; 0 where the driver does not say.
    var nanoseconds: UInt64 {
        func time(_ name: Int32) -> UInt64? {
            var value: cl_ulong = 0
            let size = MemoryLayout<cl_ulong>.size
            return clGetEventProfilingInfo(handle, cl_profiling_info(name), size, &value, nil) == CL_SUCCESS
                ? value : nil
        }
        guard let start = time(CL_PROFILING_COMMAND_START), let end = time(CL_PROFILING_COMMAND_END),
            end > start
        else {
            return 0
        }
        return end - start
    }
}

/// Nanoseconds that a device spent on one render, by what it did.
public struct DeviceTimings: Hashable, Sendable {
    public var upload: UInt64 = 0
    public var kernels: UInt64 = 0
    public var download: UInt64 = 0
}
