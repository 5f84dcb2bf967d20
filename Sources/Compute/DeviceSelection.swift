import Foundation
import TintypeCPURendering
import TintypeRendering

/// The devices of a run, and notes for the user on how they were chosen.
public struct DeviceSelection: Sendable {
    /// In the order of the requests; never empty.
    public let devices: [any Device]
    /// One line each: a fallback, or a device that was not usable.
    public let notes: [String]
    /// For a device that `auto`, `gpu` or a part of a name chose: the same hardware as other platforms show it, to be
    /// used if the device fails its test. By the device's identifier.
    package let alternatives: [String: [any Device]]
    /// Why `auto` chose these devices, or which were replaced; nil if all were requested by name, and are there.
    package let reason: String?
    /// What `auto` expects of them; nil if it did not decide by measurements.
    package let forecast: Forecast?
    /// Whether one of the notes says all of the reason.
    package let isReasonNoted: Bool
    /// Whether OpenCL shows a GPU, which may not be among the devices.
    package let hasGPU: Bool

    /// All devices of this machine: OpenCL's in the order of `clinfo -l`, then SIMD. If OpenCL is missing or
    /// hangs: SIMD alone, and a note.
    ///
    /// - Parameter timeLimit: as in `init`.
    public static func all(timeLimit: Duration? = nil) -> DeviceSelection {
        all(timeLimit: timeLimit, drivers: .thisProcess)
    }

    /// - Parameter drivers: the process that loads them.
    package static func all(timeLimit: Duration? = nil, drivers: DriverHost) -> DeviceSelection {
        do {
            let devices = try known(drivers, timeLimit)
            return DeviceSelection(devices: devices, notes: drivers.report.notes)
        } catch {
            return DeviceSelection(devices: [SIMDDevice()], notes: [error.description])
        }
    }

    package init(devices: [any Device], notes: [String]) {
        self.devices = devices
        self.notes = notes
        alternatives = [:]
        reason = nil
        forecast = nil
        isReasonNoted = false
        hasGPU = devices.contains(where: \.info.isGPU)
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
        try self.init(
            requests, timeLimit: timeLimit, drivers: .thisProcess, store: nil, workload: { nil })
    }

    /// - Parameters:
    ///   - drivers: the process that loads OpenCL's drivers.
    ///   - store: what was measured, for `auto`; nil takes all GPUs, as if nothing was.
    ///   - replacesMissing: whether the CPU replaces devices that are missing, with a note.
    ///   - workload: called if it decides; nil takes all GPUs.
    package init(
        _ requests: [String], timeLimit: Duration?, drivers: DriverHost, store: SpeedStore?,
        replacesMissing: Bool = false, workload: () -> Workload?
    ) throws(DeviceError) {
        var devices: [any Device] = []
        var reason: String?
        var forecast: Forecast?
        var isReasonNoted = false
        var hasGPU = false
        var notes: [String] = []
        var alternatives: [String: [any Device]] = [:]
        var missing: [String] = []
        for request in requests.isEmpty ? ["auto"] : requests {
            var found: [[any Device]] = []
            if request == "auto" {
                let automatic = Self.automatic(drivers, timeLimit, store, workload)
                found = automatic.hardware
                reason = automatic.reason
                forecast = automatic.forecast
                isReasonNoted = automatic.note != nil
                hasGPU = automatic.hasGPU
                notes += automatic.note.map { [$0] } ?? []
            } else {
                do throws(DeviceError) {
                    found = try Self.matches(request.lowercased(), drivers, timeLimit)
                    if found.isEmpty { throw try Self.missing(request, drivers, timeLimit) }
                } catch {
                    guard replacesMissing else { throw error }
                    missing.append("'\(request)'")
                    notes.append("\(error) The CPU is used instead.")
                }
            }
            for same in found where !devices.contains(where: { $0 === same[0] }) {
                devices.append(same[0])
                if same.count > 1 { alternatives[same[0].info.identifier] = Array(same.dropFirst()) }
            }
        }
        if !missing.isEmpty {
            if !devices.contains(where: { $0.info.kind == .simd }) { devices.append(SIMDDevice()) }
            let replaced = "CPU: \(missing.joined(separator: ", ")) cannot be used"
            reason = reason.map { "\($0); \(replaced)" } ?? replaced
            isReasonNoted = false
        }
        // Of devices that were named besides, nothing is expected.
        self.forecast = requests.allSatisfy { $0 == "auto" } ? forecast : nil
        self.devices = devices
        self.notes = notes
        self.alternatives = alternatives
        self.reason = reason
        self.isReasonNoted = isReasonNoted
        self.hasGPU = hasGPU || devices.contains(where: \.info.isGPU)
    }

    /// OpenCL's devices, with the time limit set, and SIMD.
    private static func known(
        _ drivers: DriverHost, _ timeLimit: Duration?
    ) throws(DeviceError) -> [any Device] {
        try drivers.devices(timeLimit: timeLimit) + [SIMDDevice()]
    }

    /// Why no device matches a request.
    private static func missing(
        _ request: String, _ drivers: DriverHost, _ timeLimit: Duration?
    ) throws(DeviceError) -> DeviceError {
        let names = try names(drivers, timeLimit)
        if let failure = drivers.report.failure { return .notListed(asked: request, reason: failure) }
        return .notFound(asked: request, known: names)
    }

    /// What `auto` takes.
    private struct Automatic {
        /// The devices of each hardware.
        var hardware: [[any Device]]
        var reason: String
        var forecast: Forecast?
        var hasGPU = true
        /// It says the reason too.
        var note: String?
    }

    /// What measurements say; without any, the GPUs; if there are none, SIMD. A note tells of a GPU that was there earlier, and
    /// of drivers that fail.
    private static func automatic(
        _ drivers: DriverHost, _ timeLimit: Duration?, _ store: SpeedStore?, _ workload: () -> Workload?
    ) -> Automatic {
        let cpu = SIMDDevice()
        do throws(DeviceError) {
            let known = try known(drivers, timeLimit)
            let gpus = gpus(of: known)
            if !gpus.isEmpty { return measured(gpus, cpu, store, workload) }
            let reason = known.count > 1 ? "No GPU was found" : "No OpenCL device was found"
            // Most machines have none, and nobody has asked for one.
            let lost = store?.lastGPU.map { "\(reason), though \($0) was measured on this machine" }
            return Automatic(
                hardware: [[cpu]], reason: "CPU: \(lost ?? reason)", hasGPU: false,
                note: lost.map { "\($0): filtering on the CPU (\(cpu.info.name))." })
        } catch {
            let text = "\(error)"
            return Automatic(
                hardware: [[cpu]], reason: "CPU: \(text.hasSuffix(".") ? String(text.dropLast()) : text)",
                hasGPU: false, note: "\(text) Filtering on the CPU (\(cpu.info.name)).")
        }
    }

    private static func measured(
        _ gpus: [[any Device]], _ cpu: SIMDDevice, _ store: SpeedStore?, _ workload: () -> Workload?
    ) -> Automatic {
        let isPlural = gpus.count > 1
        func unmeasured(_ why: String) -> Automatic {
            Automatic(hardware: gpus, reason: "\(isPlural ? "GPUs" : "GPU"): \(why)")
        }
        let advice = "'tintype devices --tune' measures what is fastest"
        guard let store else { return unmeasured("nothing was measured; \(advice)") }
        var speeds: [DeviceSpeeds] = []
        for info in [cpu.info] + gpus.map({ $0[0].info }) {
            switch store.reading(of: info) {
            case .current(let found): speeds.append(found)
            case .none: return unmeasured("\(info.name) was not measured; \(advice)")
            case .outdated(let date):
                return unmeasured(
                    "\(info.name) was measured on \(date) with another driver or version, which does not count; "
                        + advice)
            }
        }
        let candidates = zip(gpus, speeds.dropFirst()).map {
            AutomaticChoice.Candidate($0[0].info.identifier, $1)
        }
        guard let workload = workload(),
            let choice = AutomaticChoice(workload, cpu: speeds[0], gpus: candidates)
        else { return unmeasured("work of this kind was not measured") }
        let chosen =
            gpus.filter { choice.gpus.contains($0[0].info.identifier) } + (choice.usesCPU ? [[cpu]] : [])
        var forecast = choice.forecast
        forecast.device = chosen.count == 1 ? chosen[0][0].info : nil
        return Automatic(hardware: chosen, reason: choice.reason, forecast: forecast)
    }

    /// SIMD needs no query of OpenCL, whose drivers take tens of MiB and some time to load.
    ///
    /// - Returns: the devices of each hardware.
    private static func matches(
        _ request: String, _ drivers: DriverHost, _ timeLimit: Duration?
    ) throws(DeviceError) -> [[any Device]] {
        if request == "cpu" { return [[SIMDDevice()]] }
        if let level = SIMDLevel.supported.first(where: { request == "cpu.\($0.name)" }) {
            return [[SIMDDevice(level: level)]]
        }
        let all = try known(drivers, timeLimit)
        if request == "gpu" { return gpus(of: all) }
        if let index = Int(request) {
            // Without those before it, a device has the index of another.
            if let failure = drivers.report.failure { throw .notListed(asked: request, reason: failure) }
            return all.indices.contains(index) ? [[all[index]]] : []
        }
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

    private static func names(
        _ drivers: DriverHost, _ timeLimit: Duration?
    ) throws(DeviceError) -> [String] {
        let all = try known(drivers, timeLimit)
        return ["auto"] + (all.contains(where: \.info.isGPU) ? ["gpu"] : [])
            + all.enumerated().map { "\($0) (\($1.info.name))" }
            + all.map(\.info.identifier)
    }
}

extension DeviceInfo {
    /// True for GPUs and other accelerators, the devices that `--device gpu` and `auto` choose.
    public var isGPU: Bool { kind == .gpu || kind == .accelerator }
}
