import CTintypeOpenCL
import TintypeRendering

/// A command in a queue.
final class OpenCLEvent {
    /// The kind of work that a command belongs to.
    enum Work {
        case upload, kernels, download
    }

    let handle: cl_event
    let work: Work
    private let device: OpenCLDevice
    /// The OpenCL call that queued it, for messages.
    private let call: String

    init(_ handle: cl_event, _ work: Work, _ call: String, device: OpenCLDevice) {
        self.handle = handle
        self.work = work
        self.call = call
        self.device = device
    }

    deinit { if !device.watch.isLost { clReleaseEvent(handle) } }

    /// Calls `body` when the command is done or has failed, on a thread of the driver. No thread has to wait
    /// in the driver, where some drivers keep a core busy.
    func whenDone(_ body: @escaping @Sendable (Result<Void, DeviceError>) -> Void) throws(DeviceError) {
        let callback = Unmanaged.passRetained(Callback(device: device, call: call, body: body))
        let code = clSetEventCallback(
            handle, CL_COMPLETE,
            { _, status, context in
                guard let context else { return }
                let callback = Unmanaged<Callback>.fromOpaque(context).takeRetainedValue()
                callback.body(
                    status < 0
                        ? .failure(callback.device.failure(callback.call, status)) : .success(()))
            }, callback.toOpaque())
        guard code == CL_SUCCESS else {
            callback.release()
            throw device.failure("clSetEventCallback", code)
        }
    }

    private final class Callback: Sendable {
        let device: OpenCLDevice
        let call: String
        let body: @Sendable (Result<Void, DeviceError>) -> Void

        init(
            device: OpenCLDevice, call: String, body: @escaping @Sendable (Result<Void, DeviceError>) -> Void
        ) {
            self.device = device
            self.call = call
            self.body = body
        }
    }

    /// Throws if the command failed. A queue continues after a failed command.
    func check() throws(DeviceError) {
        let status = try status()
        if status < 0 { throw device.failure(call, status) }
    }

    /// Whether the command is done or has failed.
    func isOver() throws(DeviceError) -> Bool { try status() <= CL_COMPLETE }

    private func status() throws(DeviceError) -> cl_int {
        var status: cl_int = 0
        let name = cl_event_info(CL_EVENT_COMMAND_EXECUTION_STATUS)
        try device.check(
            clGetEventInfo(handle, name, MemoryLayout<cl_int>.size, &status, nil), "clGetEventInfo")
        return status
    }

    /// Nanoseconds that the finished command ran on the device; 0 if the driver does not tell,
    /// or the queue does not profile.
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

extension DeviceTimings {
    /// - Parameters:
    ///   - events: of finished commands.
    ///   - profiles: whether their times are asked for; all are 0 otherwise.
    /// - Throws: `DeviceError.callFailed` for the first one that failed.
    init(_ events: [OpenCLEvent], profiles: Bool) throws(DeviceError) {
        self.init()
        for event in events {
            try event.check()
            guard profiles else { continue }
            switch event.work {
            case .upload: upload += event.nanoseconds
            case .kernels: kernels += event.nanoseconds
            case .download: download += event.nanoseconds
            }
        }
    }

    static func += (total: inout DeviceTimings, other: DeviceTimings) {
        total.upload += other.upload
        total.kernels += other.kernels
        total.download += other.download
    }
}
