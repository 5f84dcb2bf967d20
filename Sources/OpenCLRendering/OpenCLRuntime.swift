import COpenCL
import Locking
import Rendering

/// The OpenCL platforms and devices of this machine.
package enum OpenCLRuntime {
    private static let watch = DeviceWatch(name: "OpenCL")
    /// Nil until they are found. Held while they are sought: drivers' first discovery is not thread-safe (PoCL's,
    /// for one).
    private static let found = Locked<[OpenCLDevice]?>(nil)

    /// Every device, in the order of `clinfo -l`; sought once. Empty where there is no OpenCL.
    ///
    /// Platforms load their drivers meanwhile, and any of them may hang.
    /// - Parameter timeLimit: how long the search, and later a device for a strip, may take; nil leaves what it was, at first
    ///   30 s.
    /// - Throws: `DeviceError.stoppedAnswering`, then and whenever this is asked again.
    package static func devices(timeLimit: Duration?) throws(DeviceError) -> [OpenCLDevice] {
        try found.withLock { (found) throws(DeviceError) in
            if let timeLimit { watch.limit = timeLimit }
            let devices: [OpenCLDevice]
            if let found { devices = found } else { devices = try DriverThread(watch).run { makeDevices() } }
            found = devices
            if let timeLimit { for device in devices { device.watch.limit = timeLimit } }
            return devices
        }
    }

    /// Every device; none where OpenCL is missing or hangs.
    package static var devices: [OpenCLDevice] { (try? devices(timeLimit: nil)) ?? [] }

    /// Why OpenCL has no devices; nil where it could be loaded, and before they were sought.
    package static var note: String? {
        copencl_error().map {
            "OpenCL cannot be loaded (\(String(cString: $0))). Debian's package ocl-icd-libopencl1 has it."
        }
    }

    /// The devices once more, with nothing in common with those that were made before.
    ///
    /// - Parameter asGPUs: true treats them as GPUs with memory of their own, whatever they are.
    static func makeDevices(asGPUs: Bool = false) -> [OpenCLDevice] {
        platforms().enumerated().flatMap { platformIndex, platform in
            deviceIdentifiers(of: platform).enumerated().compactMap { deviceIndex, device in
                OpenCLDevice(
                    platform: platform, device: device, identifier: "\(platformIndex).\(deviceIndex)",
                    asGPU: asGPUs)
            }
        }
    }

    private static func platforms() -> [cl_platform_id] {
        list { clGetPlatformIDs($0, $1, &$2) }
    }

    private static func deviceIdentifiers(of platform: cl_platform_id) -> [cl_device_id] {
        list { clGetDeviceIDs(platform, cl_device_type(CL_DEVICE_TYPE_ALL), $0, $1, &$2) }
    }

    /// OpenCL's lists: asked first for their length, then for their elements. No list where a call fails,
    /// which is how an OpenCL without platforms or a platform without devices says so.
    private static func list<Element>(
        _ call: (cl_uint, UnsafeMutablePointer<Element?>?, inout cl_uint) -> cl_int
    ) -> [Element] {
        var count: cl_uint = 0
        guard call(0, nil, &count) == CL_SUCCESS, count > 0 else { return [] }
        var elements = [Element?](repeating: nil, count: Int(count))
        guard call(count, &elements, &count) == CL_SUCCESS else { return [] }
        return elements.compactMap { $0 }
    }
}
