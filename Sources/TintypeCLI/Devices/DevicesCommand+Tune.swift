import Foundation
import Tintype
import TintypeBenchmarking

/// `--tune`: measures devices, for all later runs.
extension DevicesCommand {
    /// Its start is measured with these, which need several programs.
    private static let startupChain = "tilt-shift+sepia"

    /// Measures all devices and prints the results, or why one cannot be measured.
    func tune(_ devices: [any Device]) {
        var isKept = true
        for device in devices {
            let name = "\(device.info.identifier) (\(device.info.name))"
            do {
                if let tuning = try device.abilities.tuning?.tune() {
                    isKept = tuning.isSaved && isKept
                    say("\(name): \(tuning.summary).")
                }
                let speeds = try measure(device)
                isKept = SpeedStore.shared?.keep(speeds, of: device.info) ?? false && isKept
                say("\(name): \(Self.summary(speeds)).")
            } catch {
                say("\(name) cannot be measured: \(error)")
            }
        }
        if !isKept {
            say("That could not be kept: set XDG_CACHE_HOME to a folder of yours that can be written.")
        }
    }

    private func say(_ text: String) { StandardStream.error.write((text + "\n").printable) }

    private func measure(_ device: any Device) throws -> DeviceSpeeds {
        let measurement = SpeedMeasurement(), isCPU = device.info.kind == .simd
        let renders = try measurement.renders(on: device)
        let startup =
            isCPU
            ? 0
            : try StartupProbe(kernels: KernelFlags.parse([])).warmSeconds(
                device: device.info.identifier, chain: Self.startupChain)
        return DeviceSpeeds(
            date: Date().formatted(.iso8601.year().month().day()), startupSeconds: startup, renders: renders,
            codecs: isCPU ? try measurement.codecs() : try measurement.codedPhotos(on: device))
    }

    /// The speeds of large photos, and how long the device takes to start.
    private static func summary(_ speeds: DeviceSpeeds) -> String {
        let processors = Double(AvailableMachine.current.processorCount)
        let figures = PassKind.allCases.compactMap { kind -> String? in
            guard let largest = speeds.renders.last(where: { $0.kind == kind }) else { return nil }
            let seconds = max(largest.deviceSeconds, largest.hostSeconds / processors)
            return String(format: "\(kind.rawValue) %.0f", largest.megapixels / seconds)
        }
        let coded = speeds.codecs.last.flatMap { codec in
            codec.deviceSeconds.map { device in
                let seconds = max(device, codec.hostSeconds / processors)
                return String(format: "JPEG to JPEG on the device %.0f", codec.megapixels / seconds)
            }
        }
        let text = "\((figures + [coded].compactMap { $0 }).joined(separator: ", ")) MP/s"
        return speeds.startupSeconds > 0
            ? text + String(format: "; starts in %.1f s", speeds.startupSeconds) : text
    }
}
