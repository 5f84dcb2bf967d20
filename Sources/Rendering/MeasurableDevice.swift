import TintypeImaging

/// A device whose work can be measured, and divided in every way.
package protocol MeasurableDevice: Device {
    /// Filters one photo.
    ///
    /// - Parameters:
    ///   - stripRows: height of the strips in pixels; every height gives the same bytes. Nil chooses by width.
    ///   - profiles: whether the time of each command is measured, which may slow the device down.
    /// - Returns: the time that the device spent; nil if it was not measured.
    /// - Throws: as `render` without these parameters.
    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, stripRows: Int?,
        profiles: Bool, isCancelled: () -> Bool
    ) throws -> DeviceTimings?

    /// Runs a photo's kernels over samples that stay in the device's memory, to measure kernels and their launches alone.
    ///
    /// - Returns: seconds, by the host's clock; nil for a plan that changes nothing, and for a device that works in the host's
    ///   memory as decoders and encoders do.
    func secondsOfKernels(_ plan: RenderPlan, isCancelled: () -> Bool) throws -> Double?

    /// Copies bytes within the device's memory, to measure its bandwidth.
    ///
    /// - Returns: seconds of each copy, without a first one, which allocates the memory.
    func secondsOfCopies(byteCount: Int, count: Int) throws -> [Double]

    /// Copies bytes to the device's memory and back, one direction at a time.
    ///
    /// - Returns: seconds of each copy, by the host's clock, without a first one; nil if the device works in the host's memory.
    func transferTimes(byteCount: Int, count: Int, in hostMemory: TransferMemory) throws -> TransferTimes?
}

extension MeasurableDevice {
    package func secondsOfKernels(_ plan: RenderPlan, isCancelled: () -> Bool) throws -> Double? { nil }

    package func transferTimes(
        byteCount: Int, count: Int, in hostMemory: TransferMemory
    ) throws -> TransferTimes? { nil }
}

/// Nanoseconds that a device spent on one render, by kind of work.
package struct DeviceTimings: Hashable, Sendable {
    package var upload: UInt64 = 0
    package var kernels: UInt64 = 0
    package var download: UInt64 = 0

    package init() {}
}

/// Seconds of copies between a host's memory and a device's.
package struct TransferTimes: Sendable {
    package var upload: [Double] = []
    package var download: [Double] = []

    package init() {}
}

/// The host's memory that a device copies from and to.
package enum TransferMemory {
    /// What the driver allocates for that.
    case pinned
    /// What a caller of the driver allocates, and gives to it for that.
    case provided(any HostMemory)
    /// A process's usual memory, of which the driver knows nothing.
    case pageable
}

/// Memory for strips that the caller of a driver provides.
package protocol HostMemory: AnyObject, Sendable {
    /// Memory of zeros that begins on a page; nil if there is none left. Called on drivers' threads.
    func allocate(byteCount: Int) -> UnsafeMutableRawPointer?
    func free(_ address: UnsafeMutableRawPointer, byteCount: Int)
}
