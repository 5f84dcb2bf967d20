import CPURendering
import Foundation
import IsolatedRendering
import OpenCLRendering
import Rendering

/// The devices of a run, and notes for the user on how they were chosen.
public struct DeviceSelection: Sendable {
    /// In the order of the requests; never empty.
    public let devices: [any Device]
    /// One line each: a fallback, or a device that was not usable.
    public let notes: [String]
    /// For a device that `auto`, `gpu` or a part of a name chose: the same hardware as other platforms show it, to be
    /// used if the device fails its test. By the device's identifier.
    package let alternatives: [String: [any Device]]

    /// All devices of this machine: OpenCL's in the order of `clinfo -l`, then SIMD. If OpenCL is missing or
    /// hangs: SIMD alone, and a note.
    ///
    /// - Parameter timeLimit: as in `init`.
    public static func all(timeLimit: Duration? = nil) -> DeviceSelection {
        do {
            let devices = try known(timeLimit)
            let note = DeviceIsolation.process.map(\.note) ?? OpenCLRuntime.note
            return DeviceSelection(devices: devices, notes: note.map { [$0] } ?? [])
        } catch {
            return DeviceSelection(devices: [SIMDDevice()], notes: [error.description])
        }
    }

    private init(devices: [any Device], notes: [String]) {
        self.devices = devices
        self.notes = notes
        alternatives = [:]
    }

    /// Finds the devices that `--device` requests.
    ///
    /// - Parameters:
    ///   - requests: each `auto`, `gpu`, `cpu`, `cpu.LEVEL`, an index into `all()`, a device's identifier, or
    ///     part of its name; empty is `auto`.
    ///   - timeLimit: the time that OpenCL may take to list its devices, and a device to filter a strip.
    ///     Large strips, and devices that several photos share, get more. Nil keeps the current limit,
    ///     initially 30 s.
    /// - Throws: `DeviceError.notFound`, or `.stoppedAnswering` if OpenCL itself hangs.
    public init(_ requests: [String], timeLimit: Duration? = nil) throws(DeviceError) {
        var devices: [any Device] = []
        var notes: [String] = []
        var alternatives: [String: [any Device]] = [:]
        for request in requests.isEmpty ? ["auto"] : requests {
            let found: [[any Device]]
            if request == "auto" {
                let (hardware, note) = Self.automatic(timeLimit)
                found = hardware
                notes += note.map { [$0] } ?? []
            } else {
                found = try Self.matches(request.lowercased(), timeLimit)
            }
            guard !found.isEmpty else { throw .notFound(asked: request, known: try Self.names(timeLimit)) }
            for same in found where !devices.contains(where: { $0 === same[0] }) {
                devices.append(same[0])
                if same.count > 1 { alternatives[same[0].info.identifier] = Array(same.dropFirst()) }
            }
        }
        self.devices = devices
        self.notes = notes
        self.alternatives = alternatives
    }

    /// OpenCL's devices, with the time limit set, and SIMD.
    private static func known(_ timeLimit: Duration?) throws(DeviceError) -> [any Device] {
        let openCL: [any Device] =
            if let process = DeviceIsolation.process {
                try process.devices(timeLimit: timeLimit)
            } else {
                try OpenCLRuntime.devices(timeLimit: timeLimit)
            }
        return openCL + [SIMDDevice()]
    }

    /// The GPUs; if there are none, SIMD and a note with the reason.
    private static func automatic(_ timeLimit: Duration?) -> (hardware: [[any Device]], note: String?) {
        let cpu = SIMDDevice()
        let reason: String
        do throws(DeviceError) {
            let known = try known(timeLimit)
            let gpus = gpus(of: known)
            if !gpus.isEmpty { return (gpus, nil) }
            reason = known.count > 1 ? "No GPU was found: filtering" : "No OpenCL device was found: filtering"
        } catch {
            reason = "\(error) Filtering"
        }
        return ([[cpu]], "\(reason) on the CPU (\(cpu.info.name)).")
    }

    /// SIMD needs no query of OpenCL, whose drivers take tens of MiB and some time to load.
    ///
    /// - Returns: the devices of each hardware.
    private static func matches(
        _ request: String, _ timeLimit: Duration?
    ) throws(DeviceError) -> [[any Device]] {
        if request == "cpu" { return [[SIMDDevice()]] }
        if let level = SIMDLevel.supported.first(where: { request == "cpu.\($0.name)" }) {
            return [[SIMDDevice(level: level)]]
        }
        let all = try known(timeLimit)
        if request == "gpu" { return gpus(of: all) }
        if let index = Int(request) { return all.indices.contains(index) ? [[all[index]]] : [] }
        if let exact = all.first(where: { $0.info.identifier == request }) { return [[exact]] }
        return request.isEmpty
            ? [] : byHardware(all.filter { $0.info.name.lowercased().contains(request) })
    }

    /// The GPUs that this process may use, each as every platform shows it.
    private static func gpus(of devices: [any Device]) -> [[any Device]] {
        ScheduledGPUs(ProcessInfo.processInfo.environment)
            .chosen(from: byHardware(devices.filter(\.info.isGPU)))
    }

    private static func byHardware(_ devices: [any Device]) -> [[any Device]] {
        HardwareGroups(devices.map(\.info)).groups.map { group in group.map { devices[$0] } }
    }

    private static func names(_ timeLimit: Duration?) throws(DeviceError) -> [String] {
        let all = try known(timeLimit)
        return ["auto"] + (all.contains(where: \.info.isGPU) ? ["gpu"] : [])
            + all.enumerated().map { "\($0) (\($1.info.name))" }
            + all.map(\.info.identifier)
    }
}

extension DeviceInfo {
    /// True for GPUs and other accelerators, the devices that `--device gpu` and `auto` choose.
    public var isGPU: Bool { kind == .gpu || kind == .accelerator }
}
