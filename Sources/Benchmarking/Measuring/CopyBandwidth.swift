import Foundation
import Tintype

/// How fast a device copies memory: the limit for a filter that reads and writes every sample once, unless
/// the photo fits a cache.
package enum CopyBandwidth {
    /// Bytes read and written a second, the median of some copies; nil for a device that has no memory of its
    /// own to measure.
    ///
    /// A CPU is measured on one thread, as its kernels are.
    /// - Throws: `DeviceError`.
    static func measure(_ device: any Device, byteCount: Int, count: Int) throws -> Double? {
        let seconds: [Double]
        switch device {
        case let device as OpenCLDevice:
            seconds = try device.secondsOfCopies(byteCount: byteCount, count: count)
        case is SIMDDevice:
            seconds = secondsOfCopies(byteCount: byteCount, count: count)
        default: return nil
        }
        return Spread(seconds).map { 2 * Double(byteCount) / $0.median }
    }

    private static func secondsOfCopies(byteCount: Int, count: Int) -> [Double] {
        let source = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        let target = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        defer {
            source.deallocate()
            target.deallocate()
        }
        // The system allocates pages when they are first written.
        memset(source, 1, byteCount)
        memset(target, 2, byteCount)
        return (0..<count).map { _ in
            ContinuousClock().measure { _ = memcpy(target, source, byteCount) } / .seconds(1)
        }
    }
}
