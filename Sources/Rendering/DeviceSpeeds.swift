import Foundation
import TintypeStages

/// Kinds of passes over a photo that differ in cost.
package enum PassKind: String, Codable, CaseIterable, Sendable {
    /// Point functions alone, which are fused.
    case points
    /// A blur with the same weights everywhere.
    case blur
    /// A blur whose weights change by row or column.
    case lens
    case resize
    /// A function of the pixels around each pixel.
    case window
}

/// How fast a device was on this machine: what `auto` decides by.
package struct DeviceSpeeds: Codable, Hashable, Sendable {
    /// The cost of one photo with one kind of pass.
    package struct Render: Codable, Hashable, Sendable {
        package var kind: PassKind
        package var megapixels: Double
        /// Seconds that a photo occupies the device, if it always has several; 0 for the CPU.
        package var deviceSeconds: Double
        /// Seconds of the host's processors.
        package var hostSeconds: Double

        package init(kind: PassKind, megapixels: Double, deviceSeconds: Double, hostSeconds: Double) {
            self.kind = kind
            self.megapixels = megapixels
            self.deviceSeconds = deviceSeconds
            self.hostSeconds = hostSeconds
        }
    }

    /// The cost of decoding and encoding a photo.
    package struct Codec: Codable, Hashable, Sendable {
        package var megapixels: Double
        /// Seconds of the host's processors.
        package var hostSeconds: Double
        /// Seconds that a photo occupies a device that codes it, if it always has several; nil for the CPU.
        package var deviceSeconds: Double?

        package init(megapixels: Double, hostSeconds: Double, deviceSeconds: Double? = nil) {
            self.megapixels = megapixels
            self.hostSeconds = hostSeconds
            self.deviceSeconds = deviceSeconds
        }
    }

    /// The day of the measurement, such as `2026-11-24`.
    package var date: String
    /// Seconds from the start of a process to its first filtered photo, with programs that are compiled already.
    package var startupSeconds: Double
    package var renders: [Render]
    /// The CPU's, alone; of a device that decodes and encodes photos itself, with a point function between. Empty for others.
    package var codecs: [Codec]
    /// What runs have told; nil before the first that does.
    package var correction: Correction?

    /// The share of the measured speed that runs had.
    package struct Correction: Codable, Hashable, Sendable {
        /// It counts for so many seconds, so that a device that is no longer chosen is chosen again some day.
        private static let lifetime = 30.0 * 86_400

        var share: Double
        /// In seconds since 1970.
        var time: Double

        func share(at now: Double) -> Double { abs(now - time) <= Self.lifetime ? share : 1 }
    }

    /// The share of the measured speed that is expected.
    package func expectedShare(at now: Double = Date().timeIntervalSince1970) -> Double {
        correction?.share(at: now) ?? 1
    }

    package init(date: String, startupSeconds: Double, renders: [Render], codecs: [Codec] = []) {
        self.date = date
        self.startupSeconds = startupSeconds
        self.renders = renders
        self.codecs = codecs
    }
}

/// The speeds of devices, kept beside their tuning for later runs.
package struct SpeedStore: Sendable {
    /// What is known of a device.
    package enum Reading: Equatable, Sendable {
        case none
        /// Measured with another driver, or by a Tintype with other kernels.
        case outdated(date: String)
        case current(DeviceSpeeds)
    }

    /// Speeds, and what they depend on besides the device and the processor.
    private struct Entry: Codable {
        let driver: String
        let kernels: String
        let speeds: DeviceSpeeds
    }

    /// Drivers of a device whose speeds are kept: enough for the platforms of one GPU and some versions of each.
    private static let keptDrivers = 8

    /// Corrections are within these bounds: what is further off must be measured anew.
    private static let correctionBounds = 0.5...1.5

    private let cache: DeviceCache

    /// Nil if there is no cache folder.
    package static let shared = DeviceCache.shared.map(SpeedStore.init(cache:))

    private init(cache: DeviceCache) { self.cache = cache }

    /// Nil if the folder cannot be made, or belongs to another user.
    package init?(folder: URL) {
        guard let cache = DeviceCache(folder: folder) else { return nil }
        self.cache = cache
    }

    /// - Returns: whether they were written.
    @discardableResult
    package func keep(_ speeds: DeviceSpeeds, of device: DeviceInfo) -> Bool {
        if device.kind == .gpu || device.kind == .accelerator {
            cache.store(Array(device.name.utf8), .speeds, for: Self.lastGPUKey)
        }
        return store(speeds, of: device)
    }

    private func store(_ speeds: DeviceSpeeds, of device: DeviceInfo) -> Bool {
        let others = entries(device).filter { $0.driver != device.driver }.suffix(Self.keptDrivers - 1)
        let entry = Entry(driver: device.driver, kernels: KernelSources.version, speeds: speeds)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(others + [entry]) else { return false }
        return cache.store(Array(data), .speeds, for: Self.key(device))
    }

    /// The name of the GPU that was measured last; nil if none was.
    package var lastGPU: String? {
        cache.value(.speeds, for: Self.lastGPUKey).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lets the next forecast of a device be nearer to what came: by half, because runs differ.
    ///
    /// - Parameter share: of the speed that was expected.
    /// - Returns: the share of the measured speed that is expected from now on; nil if the device was not measured, or nothing
    ///   could be written.
    package func correct(
        _ device: DeviceInfo, by share: Double, now: Double = Date().timeIntervalSince1970
    ) -> Double? {
        guard share.isFinite, case .current(var speeds) = reading(of: device) else { return nil }
        let corrected = speeds.expectedShare(at: now) * (1 + share) / 2, bounds = Self.correctionBounds
        let correction = min(max(corrected, bounds.lowerBound), bounds.upperBound)
        speeds.correction = .init(share: correction, time: now)
        return store(speeds, of: device) ? correction : nil
    }

    package func reading(of device: DeviceInfo) -> Reading {
        let entries = entries(device)
        let current = entries.first { $0.driver == device.driver && $0.kernels == KernelSources.version }
        if let current { return .current(current.speeds) }
        return entries.last.map { .outdated(date: $0.speeds.date) } ?? .none
    }

    private func entries(_ device: DeviceInfo) -> [Entry] {
        guard let bytes = cache.value(.speeds, for: Self.key(device)) else { return [] }
        return (try? JSONDecoder().decode([Entry].self, from: Data(bytes))) ?? []
    }

    /// A cache folder may be shared by machines, as a home directory is.
    private static var lastGPUKey: String { [Processor.name, "last GPU"].joined(separator: "\0") }

    private static func key(_ device: DeviceInfo) -> String {
        [Processor.name, device.kind.rawValue, device.name].joined(separator: "\0")
    }
}
