import Tintype

/// How fast bytes pass between the host's memory and a device's, in GB/s (10^9 bytes a second) of one direction at a time.
package struct TransferSpeeds: Codable, Equatable, Sendable {
    /// From and to memory that the driver has allocated for that, as strips are.
    package var pinnedUpload, pinnedDownload: Double
    /// From and to a process's usual memory.
    package var pageableUpload, pageableDownload: Double

    /// The medians of some copies; nil for a device that works in the host's memory.
    ///
    /// - Throws: `DeviceError`.
    static func measure(_ device: any Device, byteCount: Int, count: Int) throws -> TransferSpeeds? {
        guard let device = device as? OpenCLDevice else { return nil }
        func speeds(isPinned: Bool) throws -> (upload: Double, download: Double)? {
            guard
                let times = try device.transferTimes(byteCount: byteCount, count: count, isPinned: isPinned),
                let upload = Spread(times.upload), let download = Spread(times.download)
            else { return nil }
            return (Double(byteCount) / upload.median / 1e9, Double(byteCount) / download.median / 1e9)
        }
        guard let pinned = try speeds(isPinned: true), let pageable = try speeds(isPinned: false) else {
            return nil
        }
        return TransferSpeeds(
            pinnedUpload: pinned.upload, pinnedDownload: pinned.download,
            pageableUpload: pageable.upload, pageableDownload: pageable.download)
    }
}
