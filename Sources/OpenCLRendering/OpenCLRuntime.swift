import CTintypeOpenCL
import Foundation
import TintypeLocking
import TintypeRendering

/// The OpenCL platforms and devices of this machine. A process needs one.
package final class OpenCLRuntime: Sendable {
    private let testing: SelfTest
    private let subsequences: Subsequences
    private let watch = DeviceWatch(name: "OpenCL")
    /// Nil until the search has ended. Locked during the search, because the first discovery of some drivers,
    /// such as PoCL, is not thread-safe.
    private let found = Locked<[OpenCLDevice]?>(nil)

    private let searchReport = Locked(SearchReport())

    /// - Parameters:
    ///   - testing: compares each device's pixels with others before it gets photos.
    ///   - subsequences: how devices cut the bits of JPEGs.
    package init(testing: SelfTest, subsequences: Subsequences = .usual) {
        self.testing = testing
        self.subsequences = subsequences
    }

    /// All devices, in the order of `clinfo -l`, from one search; then those of drivers that libOpenCL does not list. Empty
    /// without OpenCL.
    ///
    /// During the search, platforms load their drivers, and any of them may hang.
    ///
    /// - Parameter timeLimit: the time limit for the search, and for each device's strips. Nil keeps the
    ///   current limit, initially 30 s.
    /// - Throws: `DeviceError.stoppedAnswering`, also on later calls.
    package func devices(timeLimit: Duration?) throws(DeviceError) -> [OpenCLDevice] {
        try found.withLock { (found) throws(DeviceError) in
            if let timeLimit { watch.limit = timeLimit }
            let devices: [OpenCLDevice]
            if let found {
                devices = found
            } else {
                devices = try DriverThread(watch).run { self.search(asGPUs: false) }
            }
            found = devices
            if let timeLimit { for device in devices { device.watch.limit = timeLimit } }
            return devices
        }
    }

    /// All devices; none if OpenCL is missing or hangs.
    package var devices: [OpenCLDevice] { (try? devices(timeLimit: nil)) ?? [] }

    /// Of the last search; empty before it.
    package var report: SearchReport { searchReport.withLock { $0 } }

    /// New instances of all devices, which share nothing with earlier ones.
    ///
    /// - Parameter asGPUs: true treats all devices as GPUs with memory of their own.
    func makeDevices(asGPUs: Bool = false) -> [OpenCLDevice] {
        // The first search of a process must be alone.
        _ = devices
        return search(asGPUs: asGPUs)
    }

    private func search(asGPUs: Bool) -> [OpenCLDevice] {
        var identifiers: [cl_device_id: String] = [:]
        searchReport.withLock { $0 = SearchReport() }
        return platforms().enumerated().flatMap { platformIndex, platform in
            deviceIdentifiers(of: platform).enumerated().compactMap { deviceIndex, device in
                let identifier = "\(platformIndex).\(deviceIndex)"
                let made = OpenCLDevice(
                    platform: platform, device: device, identifier: identifier, testing: testing,
                    subsequences: subsequences, repeats: identifiers[device], asGPU: asGPUs)
                if made != nil, identifiers[device] == nil { identifiers[device] = identifier }
                return made
            }
        }
    }

    private func platforms() -> [cl_platform_id] {
        let listed = list("clGetPlatformIDs", emptyCode: Self.noPlatforms) { clGetPlatformIDs($0, $1, &$2) }
        let unlisted = UnlistedPlatforms(
            beside: listed, environment: ProcessInfo.processInfo.environment)
        let missing = copencl_error().map {
            "OpenCL cannot be loaded (\(String(cString: $0))). Debian's package ocl-icd-libopencl1 has it."
        }
        // Drivers that were found do not need it.
        let loader = unlisted.platforms.isEmpty ? missing : nil
        searchReport.withLock { $0.notes += (loader.map { [$0] } ?? []) + unlisted.notes }
        return listed + unlisted.platforms
    }

    private func deviceIdentifiers(of platform: cl_platform_id) -> [cl_device_id] {
        list("clGetDeviceIDs", emptyCode: CL_DEVICE_NOT_FOUND) {
            clGetDeviceIDs(platform, cl_device_type(CL_DEVICE_TYPE_ALL), $0, $1, &$2)
        }
    }

    /// `CL_PLATFORM_NOT_FOUND_KHR`, which Swift does not import.
    private static let noPlatforms: cl_int = -1001

    /// Queries a list: first its length, then its elements. Empty if a call fails, which is reported.
    ///
    /// - Parameter emptyCode: what the call reports where there is nothing to list.
    private func list<Element>(
        _ name: String, emptyCode: cl_int,
        _ call: (cl_uint, UnsafeMutablePointer<Element?>?, inout cl_uint) -> cl_int
    ) -> [Element] {
        var count: cl_uint = 0
        var code = call(0, nil, &count)
        var elements = [Element?](repeating: nil, count: code == CL_SUCCESS ? Int(count) : 0)
        if !elements.isEmpty { code = call(count, &elements, &count) }
        if code == CL_SUCCESS { return elements.compactMap(\.self) }
        if code != emptyCode {
            searchReport.withLock {
                $0.notes.append("OpenCL's \(name) failed with error \(code), so devices may be missing.")
                $0.failure = $0.failure ?? "\(name) failed with error \(code)"
            }
        }
        return []
    }
}

/// What a search for OpenCL's devices has to say.
package struct SearchReport: Sendable {
    /// For the user: why libOpenCL could not be loaded, why devices may be missing, and which drivers are used though
    /// libOpenCL does not list them.
    package var notes: [String] = []
    /// The first call that failed, after which devices may be missing; nil if all were listed.
    package var failure: String?

    package init() {}
}
