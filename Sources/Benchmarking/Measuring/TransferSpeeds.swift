import Tintype
import TintypeIsolatedRendering

/// How fast bytes pass between the host's memory and a device's, in GB/s (10^9 bytes a second) of one direction at a time.
package struct TransferSpeeds: Codable, Equatable, Sendable {
    package struct Pair: Codable, Equatable, Sendable {
        package var upload, download: Double
    }

    /// From and to memory that the driver has allocated for that.
    package var pinned: Pair
    /// From and to memory shared with another process, which the driver was given for that.
    package var shared: Pair
    /// From and to a process's usual memory.
    package var pageable: Pair

    /// The medians of some copies; nil for a device that works in the host's memory.
    ///
    /// - Throws: `DeviceError`.
    static func measure(_ device: any Device, byteCount: Int, count: Int) throws -> TransferSpeeds? {
        guard let device = device.abilities.measuring else { return nil }
        func speeds(_ memory: TransferMemory) throws -> Pair? {
            guard
                let times = try device.transferTimes(byteCount: byteCount, count: count, in: memory),
                let upload = Spread(times.upload), let download = Spread(times.download)
            else { return nil }
            return Pair(
                upload: Double(byteCount) / upload.median / 1e9,
                download: Double(byteCount) / download.median / 1e9)
        }
        guard let pinned = try speeds(.pinned), let shared = try speeds(.provided(SharedBlocks())),
            let pageable = try speeds(.pageable)
        else { return nil }
        return TransferSpeeds(pinned: pinned, shared: shared, pageable: pageable)
    }
}
