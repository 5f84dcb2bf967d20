import Tintype

/// How fast a device copies memory: the limit for a filter that reads and writes every sample once, unless
/// the photo fits a cache.
package enum CopyBandwidth {
    /// Bytes read and written a second, the median of some copies; nil for a device that cannot measure it.
    ///
    /// - Throws: `DeviceError`.
    static func measure(_ device: any Device, byteCount: Int, count: Int) throws -> Double? {
        guard let device = device.abilities.measuring else { return nil }
        return Spread(try device.secondsOfCopies(byteCount: byteCount, count: count)).map {
            2 * Double(byteCount) / $0.median
        }
    }
}
