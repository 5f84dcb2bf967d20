import Foundation
import TintypeRendering

/// What `auto` chooses, from measurements: the devices that finish a run first.
///
/// A GPU that codes takes the photos whole. For others the CPU decodes and encodes, while its own renders take time from the
/// codecs.
/// A run begins on the CPU until a GPU has started.
package struct AutomaticChoice: Equatable, Sendable {
    /// A measured device.
    package struct Candidate: Sendable {
        package let identifier: String
        package let speeds: DeviceSpeeds

        package init(_ identifier: String, _ speeds: DeviceSpeeds) {
            self.identifier = identifier
            self.speeds = speeds
        }
    }

    /// Identifiers of the GPUs to use; empty for the CPU alone.
    package let gpus: [String]
    /// Whether the CPU renders too.
    package let usesCPU: Bool
    /// A sentence for the user.
    package let reason: String
    let forecast: Forecast

    /// A GPU must save this share of the time: measurements vary by some percent.
    private static let margin = 1.05
    /// CPU and GPUs together must save more: they share memory and, in a laptop, power, which was not measured.
    private static let marginOfBoth = 1.15
    /// More GPUs are taken as long as they cost no more than this.
    private static let tolerance = 1.01

    /// A GPU that is so many times slower than the fastest is left out.
    private static let mostDifference = 4.0

    /// Devices to render on, and how fast they are expected to be.
    private struct Plan {
        var gpus: [String] = []
        var usesCPU = false
        var photosPerSecond = 0.0
        var startup = 0.0
    }

    /// - Parameters:
    ///   - cpu: with measurements of codecs.
    ///   - gpus: at least one.
    /// - Returns: nil if something that the workload needs was not measured.
    package init?(_ workload: Workload, cpu: DeviceSpeeds, gpus: [Candidate]) {
        guard workload.filters, let rates = Rates(workload, cpu, gpus) else { return nil }
        let ordered = gpus.indices.sorted { rates.deviceSeconds[$0] < rates.deviceSeconds[$1] }
        func plan(_ count: Int, usesCPU: Bool) -> Plan {
            let chosen = Array(ordered.prefix(count))
            return Plan(
                // In the order of the devices, as without measurements.
                gpus: chosen.sorted().map { gpus[$0].identifier }, usesCPU: usesCPU,
                photosPerSecond: rates.photosPerSecond(chosen, usesCPU: usesCPU),
                startup: chosen.map { gpus[$0].speeds.startupSeconds }.max() ?? 0)
        }
        let onCPU = plan(0, usesCPU: true)
        func forecast(_ plan: Plan) -> Forecast {
            Forecast(
                megapixelsPerSecond: plan.photosPerSecond * workload.megapixels,
                megapixelsPerSecondBefore: onCPU.photosPerSecond * workload.megapixels,
                startupSeconds: plan.startup)
        }
        /// Of a run; of a photo, if their number is not known.
        func seconds(_ plan: Plan) -> Double {
            guard let photoCount = workload.photoCount else { return 1 / plan.photosPerSecond }
            return forecast(plan).seconds(ofMegapixels: Double(photoCount) * workload.megapixels)
        }
        /// The fastest, with as many GPUs as do not slow it down. A device without a worker of its own would wait.
        func best(usesCPU: Bool) -> Plan {
            let fast = ordered.prefix {
                rates.deviceSeconds[$0] <= Self.mostDifference * rates.deviceSeconds[ordered[0]]
            }
            let most = min(fast.count, workload.workerCount - (usesCPU ? 1 : 0))
            let plans = (1...gpus.count).prefix { $0 <= most }.map { plan($0, usesCPU: usesCPU) }
            let least = plans.map(seconds).min() ?? .infinity
            return plans.last { seconds($0) <= least * Self.tolerance } ?? onCPU
        }
        let onGPUs = best(usesCPU: false), onBoth = best(usesCPU: true)
        let alone = min(seconds(onGPUs), seconds(onCPU))
        let isWorthBoth = seconds(onBoth) * Self.marginOfBoth < alone
        let isWorthGPUs = seconds(onGPUs) * Self.margin < seconds(onCPU)
        let chosen = isWorthBoth ? onBoth : isWorthGPUs ? onGPUs : onCPU
        let date = (gpus.map(\.speeds.date) + [cpu.date]).min() ?? cpu.date
        self.gpus = chosen.gpus
        usesCPU = chosen.usesCPU
        reason = Self.reason(chosen, workload, onCPU, onGPUs, date)
        self.forecast = forecast(chosen)
    }

    // MARK: Words

    private static func reason(
        _ chosen: Plan, _ workload: Workload, _ onCPU: Plan, _ onGPUs: Plan, _ date: String
    ) -> String {
        func speed(_ plan: Plan) -> String {
            let speed = plan.photosPerSecond * workload.megapixels
            return String(format: speed < 10 ? "%.1f MP/s" : "%.0f MP/s", speed)
        }
        let what = "for \(workload.name) at \(size(workload.megapixels)) (measured \(date))"
        let gpus = onGPUs.gpus.count > 1 ? "\(onGPUs.gpus.count) GPUs" : "GPU"
        if !chosen.gpus.isEmpty {
            guard chosen.usesCPU else {
                return "\(gpus): about \(speed(chosen)) against \(speed(onCPU)) on the CPU \(what)"
            }
            return
                "GPU and CPU: about \(speed(chosen)) together against \(speed(onGPUs)) and \(speed(onCPU)) "
                + "alone \(what)"
        }
        guard onGPUs.photosPerSecond > onCPU.photosPerSecond else {
            return "CPU: about \(speed(onCPU)) against \(speed(onGPUs)) on the \(gpus) \(what)"
        }
        if let count = workload.photoCount, Double(count) <= onCPU.photosPerSecond * onGPUs.startup {
            let time = seconds(Double(count) / onCPU.photosPerSecond)
            let photos = count == 1 ? "1 photo" : "\(count) photos"
            return
                "CPU: it takes about \(time) for \(photos), and the GPU \(seconds(onGPUs.startup)) to start, \(what)"
        }
        return
            "CPU: the \(gpus) would save little time, with about \(speed(onGPUs)) against \(speed(onCPU)) \(what)"
    }

    private static func seconds(_ number: Double) -> String { String(format: "%.1f s", number) }

    private static func size(_ megapixels: Double) -> String {
        String(format: megapixels < 9.95 ? "%.1f MP" : "%.0f MP", megapixels)
    }
}

/// Photos a second of devices, alone and together.
private struct Rates {
    private let workers: Double
    /// Of the host, for a photo on the CPU, and by GPU; with the codec where that is the CPU's.
    private let cpuSeconds: Double
    private let hostSeconds: [Double]
    /// By GPU.
    let deviceSeconds: [Double]

    init?(_ workload: Workload, _ cpu: DeviceSpeeds, _ gpus: [AutomaticChoice.Candidate]) {
        guard let codec = cpu.codecSeconds(of: workload), let own = cpu.cost(of: workload),
            codec + own.host > 0
        else { return nil }
        let costs = gpus.map { gpu in
            let measured =
                gpu.speeds.codedCost(of: workload)
                ?? gpu.speeds.cost(of: workload).map { (device: $0.device, host: codec + $0.host) }
            let share = gpu.speeds.expectedShare()
            return measured.map { (device: $0.device / share, host: $0.host / share) }
        }
        guard !costs.contains(where: { $0 == nil }) else { return nil }
        workers = Double(workload.workerCount)
        cpuSeconds = (codec + own.host) / cpu.expectedShare()
        hostSeconds = costs.compactMap { $0?.host }
        deviceSeconds = costs.compactMap { $0?.device }
    }

    /// Photos a second: `DevicePool` gives each GPU as many photos as keep it busy, those first that take the host least time, and
    /// the CPU those that are left.
    func photosPerSecond(_ gpus: [Int], usesCPU: Bool) -> Double {
        var left = workers, rate = 0.0
        for gpu in gpus.sorted(by: { hostSeconds[$0] < hostSeconds[$1] })
        where !usesCPU || hostSeconds[gpu] < cpuSeconds {
            let ofGPU = min(left / max(hostSeconds[gpu], 1e-9), 1 / max(deviceSeconds[gpu], 1e-9))
            left -= ofGPU * hostSeconds[gpu]
            rate += ofGPU
        }
        return rate + (usesCPU ? left / cpuSeconds : 0)
    }
}
