import CTintypeOpenCL
import TintypeRendering

extension OpenCLDevice {
    /// Measured by the device's clock.
    package func secondsOfCopies(byteCount: Int, count: Int) throws(DeviceError) -> [Double] {
        try DriverThread(watch).run(patience: Self.patienceToCompile) { [self] () throws(DeviceError) in
            try measureCopies(byteCount: byteCount, count: count)
        }
    }

    private func measureCopies(byteCount: Int, count: Int) throws(DeviceError) -> [Double] {
        let source = try OpenCLBuffer(self, byteCount: byteCount)
        let target = try OpenCLBuffer(self, byteCount: byteCount)
        var code: cl_int = 0
        let properties = cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE)
        let queue = clCreateCommandQueue(try context(), device, properties, &code)
        guard let queue, code == CL_SUCCESS else { throw failure("clCreateCommandQueue", code) }
        defer { clReleaseCommandQueue(queue) }
        var pattern: UInt8 = 1
        var filling: cl_event?
        try check(
            clEnqueueFillBuffer(queue, source.handle, &pattern, 1, 0, byteCount, 0, nil, &filling),
            "clEnqueueFillBuffer")
        let filled = filling.map { OpenCLEvent($0, .kernels, "clEnqueueFillBuffer", device: self) }
        var seconds: [Double] = []
        for _ in 0...count {
            var handle: cl_event?
            try check(
                clEnqueueCopyBuffer(queue, source.handle, target.handle, 0, 0, byteCount, 0, nil, &handle),
                "clEnqueueCopyBuffer")
            guard let handle else { throw failure("clEnqueueCopyBuffer", code) }
            let event = OpenCLEvent(handle, .kernels, "clEnqueueCopyBuffer", device: self)
            try check(clFinish(queue), "clFinish")
            try filled?.check()
            try event.check()
            seconds.append(Double(event.nanoseconds) / 1e9)
        }
        return Array(seconds.dropFirst())
    }
}
