import COpenCL

/// A command on its way through a queue.
final class OpenCLEvent {
    let handle: cl_event
    private let device: OpenCLDevice

    init(_ handle: cl_event, device: OpenCLDevice) {
        self.handle = handle
        self.device = device
    }

    deinit { if !device.watch.isLost { clReleaseEvent(handle) } }

    /// Calls `body` once the command is done or has failed, on a thread of the driver's: nobody needs to wait
    /// in the driver, where some keep a core busy meanwhile.
    func whenDone(_ body: @escaping @Sendable (Result<Void, DeviceError>) -> Void) throws(DeviceError) {
        let callback = Unmanaged.passRetained(Callback(device: device, body: body))
        let code = clSetEventCallback(
            handle, CL_COMPLETE,
            { _, status, context in
                guard let context else { return }
                let callback = Unmanaged<Callback>.fromOpaque(context).takeRetainedValue()
                callback.body(
                    status < 0 ? .failure(callback.device.failure("a command", status)) : .success(()))
            }, callback.toOpaque())
        guard code == CL_SUCCESS else {
            callback.release()
            throw device.failure("clSetEventCallback", code)
        }
    }

    private final class Callback: Sendable {
        let device: OpenCLDevice
        let body: @Sendable (Result<Void, DeviceError>) -> Void

        init(device: OpenCLDevice, body: @escaping @Sendable (Result<Void, DeviceError>) -> Void) {
            self.device = device
            self.body = body
        }
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
