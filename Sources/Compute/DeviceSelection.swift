/// Devices that a run uses, and what the user should know about how they were chosen.
public struct DeviceSelection: Sendable {
    /// In the order in which they were asked for; never empty.
    public let devices: [any Device]
    /// One line each: a fallback that was taken, a device that was passed over.
    public let notes: [String]

    /// Every device of this machine: OpenCL's in the order of `clinfo -l`, then SIMD.
    ///
    /// - Parameter timeLimit: as in `init`.
    public static func all(timeLimit: Duration? = nil) -> [any Device] {
        limited(OpenCLRuntime.devices + [SIMDDevice()], timeLimit)
    }

    /// Finds what `--device` asks for.
    ///
    /// - Parameters:
    ///   - requests: each `auto`, `gpu`, `cpu`, `cpu.LEVEL`, an index into `all()`, a device's identifier, or
    ///     part of its name; empty is `auto`.
    ///   - timeLimit: how long an OpenCL device may take for a strip, which is more for large ones and for a
    ///     device that several photos share, before it is given up; nil leaves what it was, at first 30 s.
    /// - Throws: `DeviceError.notFound`.
    public init(_ requests: [String], timeLimit: Duration? = nil) throws(DeviceError) {
        var devices: [any Device] = []
        var notes: [String] = []
        for request in requests.isEmpty ? ["auto"] : requests {
            var found = Self.matches(request.lowercased())
            if found.isEmpty, request == "auto" {
                let cpu = SIMDDevice()
                notes.append(Self.note(fallingBackTo: cpu))
                found = [cpu]
            }
            guard !found.isEmpty else { throw .notFound(asked: request, known: Self.names) }
            devices += found.filter { candidate in
                !devices.contains { $0.info.identifier == candidate.info.identifier }
            }
        }
        self.devices = Self.limited(devices, timeLimit)
        self.notes = notes
    }

    private static func limited(_ devices: [any Device], _ timeLimit: Duration?) -> [any Device] {
        guard let timeLimit else { return devices }
        for case let device as OpenCLDevice in devices { device.watch.limit = timeLimit }
        return devices
    }

    /// SIMD is answered without a look at OpenCL, whose drivers take tens of MiB and a moment to load.
    private static func matches(_ request: String) -> [any Device] {
        if request == "cpu" { return [SIMDDevice()] }
        if let level = SIMDLevel.supported.first(where: { request == "cpu.\($0.name)" }) {
            return [SIMDDevice(level: level)]
        }
        let all = all()
        if request == "gpu" || request == "auto" { return all.filter(\.info.isGPU) }
        if let index = Int(request) { return all.indices.contains(index) ? [all[index]] : [] }
        if let exact = all.first(where: { $0.info.identifier == request }) { return [exact] }
        return request.isEmpty ? [] : all.filter { $0.info.name.lowercased().contains(request) }
    }

    private static func note(fallingBackTo cpu: SIMDDevice) -> String {
        let missing = OpenCLRuntime.devices.isEmpty ? "No OpenCL device" : "No GPU"
        return "\(missing) was found: filtering on the CPU (\(cpu.info.name))."
    }

    private static var names: [String] {
        let all = all()
        return ["auto"] + (all.contains(where: \.info.isGPU) ? ["gpu"] : [])
            + all.enumerated().map { "\($0) (\($1.info.name))" }
            + all.map(\.info.identifier)
    }
}

extension DeviceInfo {
    /// True for what `--device gpu` and `auto` take: GPUs and other accelerators.
    public var isGPU: Bool { kind == .gpu || kind == .accelerator }
}
