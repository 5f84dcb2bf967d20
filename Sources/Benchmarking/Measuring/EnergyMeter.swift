import Foundation
import Tintype

/// Counters of the energy that the processors and GPUs of this machine have taken, as far as they tell.
///
/// A counter is of a whole package or board, with what it takes idle, and of all processes.
final class EnergyMeter {
    /// Joules since some moment; nil where nothing tells.
    struct Reading {
        let processors: ProcessorEnergy.Counts?
        let device: Double?
    }

    private let processors: ProcessorEnergy?
    /// By the devices' identifiers.
    private let gpus: [String: GPUEnergy]

    init(_ devices: [DeviceInfo], powercap: String = "/sys/class/powercap") {
        processors = ProcessorEnergy(folder: powercap)
        gpus = Dictionary(
            devices.compactMap { device in
                guard device.kind == .gpu, let address = device.hardware?.pciAddress else { return nil }
                return GPUEnergy(pciAddress: address).map { (device.identifier, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    func read(for device: String) -> Reading {
        Reading(processors: processors?.read(), device: gpus[device]?.joules())
    }

    /// What was taken between two readings.
    func joules(from start: Reading, to end: Reading) -> (processors: Double?, device: Double?) {
        let ofProcessors: Double? =
            if let processors, let start = start.processors, let end = end.processors {
                processors.joules(from: start, to: end)
            } else { nil }
        let ofDevice: Double? = if let start = start.device, let end = end.device { end - start } else { nil }
        return (ofProcessors, ofDevice)
    }
}

/// The energy of the processors' packages: Linux's powercap framework (RAPL), which only root may read by default.
final class ProcessorEnergy {
    /// Microjoules of each package, which start again from 0 behind their range.
    typealias Counts = [UInt64]

    private let files: [String]
    private let ranges: [UInt64]

    /// - Returns: nil if no package tells.
    init?(folder: String) {
        let zones = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        // Parts of a package, such as its cores, are zones of their own. Some packages have a second zone, with -mmio.
        var byName: [String: String] = [:]
        for zone in zones.map({ "\(folder)/\($0)" }) {
            guard let name = Self.text("\(zone)/name"), name.hasPrefix("package") else { continue }
            if byName[name] == nil || !zone.contains("mmio") { byName[name] = zone }
        }
        let packages = byName.values.sorted()
        files = packages.map { "\($0)/energy_uj" }
        ranges = packages.compactMap { Self.text("\($0)/max_energy_range_uj").flatMap { UInt64($0) } }
        guard !packages.isEmpty, ranges.count == packages.count, read() != nil else { return nil }
    }

    func read() -> Counts? {
        let counts = files.compactMap { Self.text($0).flatMap { UInt64($0) } }
        return counts.count == files.count ? counts : nil
    }

    /// Right for less than a range, which takes minutes at least.
    func joules(from start: Counts, to end: Counts) -> Double {
        zip(zip(start, end), ranges).reduce(0) { sum, package in
            let ((start, end), range) = package
            return sum + Double(end >= start ? end - start : range - start + end) / 1e6
        }
    }

    private static func text(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The energy of one of NVIDIA's GPUs, from Volta on: `nvmlDeviceGetTotalEnergyConsumption` of the driver's library NVML.
// https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html
final class GPUEnergy {
    private typealias Initialise = @convention(c) () -> Int32
    private typealias FindDevice =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>
        ) -> Int32
    private typealias ReadEnergy = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> Int32

    private let device: OpaquePointer
    private let readEnergy: ReadEnergy

    /// - Parameter pciAddress: domain, bus, device and function, such as `0000:65:00.0`.
    /// - Returns: nil without the library, or if the GPU does not tell.
    init?(pciAddress: String) {
        // Never closed: drivers' libraries do not expect it.
        guard let library = dlopen("libnvidia-ml.so.1", RTLD_NOW),
            let initialise = dlsym(library, "nvmlInit_v2"),
            let findDevice = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"),
            let readEnergy = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"),
            unsafeBitCast(initialise, to: Initialise.self)() == 0
        else { return nil }
        var found: OpaquePointer?
        guard unsafeBitCast(findDevice, to: FindDevice.self)(pciAddress, &found) == 0, let found else {
            return nil
        }
        device = found
        self.readEnergy = unsafeBitCast(readEnergy, to: ReadEnergy.self)
        guard joules() != nil else { return nil }
    }

    /// Since the driver was loaded.
    func joules() -> Double? {
        var millijoules: UInt64 = 0
        return readEnergy(device, &millijoules) == 0 ? Double(millijoules) / 1e3 : nil
    }
}
