import CTintypeOpenCL

/// Queries properties of a platform or device.
enum OpenCLInfo {
    static func text(of device: cl_device_id, _ name: Int32) -> String {
        text { clGetDeviceInfo(device, cl_device_info(name), $0, $1, $2) }
    }

    static func text(ofPlatform platform: cl_platform_id, _ name: Int32) -> String {
        text { clGetPlatformInfo(platform, cl_platform_info(name), $0, $1, $2) }
    }

    /// A number; nil if the driver does not know the property.
    static func number<Number: FixedWidthInteger>(
        of device: cl_device_id, _ name: Int32, as type: Number.Type
    ) -> Number? {
        var value: Number = 0
        let size = MemoryLayout<Number>.size
        return clGetDeviceInfo(device, cl_device_info(name), size, &value, nil) == CL_SUCCESS ? value : nil
    }

    /// A value of `count` bytes; nil if the driver does not know the property, or gives another size.
    static func bytes(of device: cl_device_id, _ name: Int32, count: Int) -> [UInt8]? {
        var byteCount = 0
        var bytes = [UInt8](repeating: 0, count: count)
        let code = clGetDeviceInfo(device, cl_device_info(name), count, &bytes, &byteCount)
        return code == CL_SUCCESS && byteCount == count ? bytes : nil
    }

    /// A text: queries its length in bytes, then its zero-terminated bytes.
    static func text(
        _ call: (Int, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?) -> cl_int
    ) -> String {
        var byteCount = 0
        guard call(0, nil, &byteCount) == CL_SUCCESS, byteCount > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard call(byteCount, &bytes, nil) == CL_SUCCESS else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
