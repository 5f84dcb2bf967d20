import Tintype

/// What the report calls its devices: by their kind, with the identifier where several are of one kind.
struct DeviceLabels {
    private let labels: [String: String]

    init(_ devices: [BenchmarkReport.DeviceEntry]) {
        let counts = Dictionary(devices.map { ($0.kind, 1) }, uniquingKeysWith: +)
        labels = Dictionary(
            devices.map { ($0.device, Self.label(of: $0, isAlone: counts[$0.kind] == 1)) },
            uniquingKeysWith: { first, _ in first })
    }

    subscript(device: String) -> String { labels[device] ?? device }

    private static func label(of device: BenchmarkReport.DeviceEntry, isAlone: Bool) -> String {
        let kind: String
        switch DeviceInfo.Kind(rawValue: device.kind) {
        case .simd:
            // The best level, or `cpu.LEVEL`.
            return "CPU" + device.device.dropFirst("cpu".count).replacing(".", with: " ")
        case .gpu: kind = "GPU"
        case .accelerator: kind = "Accelerator"
        case .openCLCPU: kind = "OpenCL CPU"
        case nil: return device.device
        }
        return isAlone ? kind : "\(kind) \(device.device)"
    }
}

extension BenchmarkReport {
    var labels: DeviceLabels { DeviceLabels(devices) }

    /// What the report calls a device.
    package func label(_ device: String) -> String { labels[device] }
}
