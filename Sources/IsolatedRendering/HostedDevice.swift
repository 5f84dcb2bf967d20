import TintypeImaging
import TintypeOpenCLRendering
import TintypeRendering

/// A device that a driver process can run for another process.
package protocol HostedDevice: Device {
    /// From which the other process estimates the memory of renders; nil for a strip of the input and one of the output.
    var stripMemory: StripMemory? { get }

    /// Gives the device memory that the other process sees as well. Strips and bytes that are elsewhere are copied.
    /// A device that places strips there has a `renderUntested` of its own, because it must wait for their use.
    func useHostMemory(_ memory: any HostMemory)

    /// Renders without a test of its own.
    ///
    /// - Parameter waitForUse: called before the memory of strips changes that `sink` has taken since the last strip was read
    ///   from `source`, if it is memory that the other process sees. Until then, or until that reading, the sink may use them.
    /// - Returns: a function that marks the programs of this render as proven. Nil, and nothing was read, if `onlyProven` and one
    ///   of them is not.
    func renderUntested(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, onlyProven: Bool,
        waitForUse: () throws -> Void, isCancelled: () -> Bool
    ) throws -> (() -> Void)?
}

extension HostedDevice {
    package var stripMemory: StripMemory? { nil }
    package func useHostMemory(_ memory: any HostMemory) {}

    /// For a device whose kernels are not tested each by each.
    package func renderUntested(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, onlyProven: Bool,
        waitForUse: () throws -> Void, isCancelled: () -> Bool
    ) throws -> (() -> Void)? {
        try render(plan, from: source, to: sink, isCancelled: isCancelled)
        return {}
    }
}

extension OpenCLDevice: HostedDevice {
    package var stripMemory: StripMemory? {
        StripMemory(sharesHostMemory: sharesHostMemory, pixelsPerStrip: tuning.pixelsPerStrip)
    }

    package func renderUntested(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, onlyProven: Bool,
        waitForUse: () throws -> Void, isCancelled: () -> Bool
    ) throws -> (() -> Void)? {
        let programs: OpenCLPrograms? = try renderUntested(
            plan, from: source, to: sink, onlyProven: onlyProven, waitForUse: waitForUse,
            isCancelled: isCancelled)
        return programs.map { programs in { programs.markProven() } }
    }
}

/// Finds devices of one kind, such as OpenCL's.
package protocol DeviceBackend: Sendable {
    /// All devices, always the same.
    ///
    /// - Parameter timeLimit: the time limit for the search, and for each device's strips. Nil keeps the current limit.
    /// - Throws: `DeviceError` if the search does not come to an end.
    func hostedDevices(timeLimit: Duration?) throws(DeviceError) -> [any HostedDevice]

    /// Of the last search; empty before it.
    var report: SearchReport { get }
}

extension OpenCLRuntime: DeviceBackend {
    package func hostedDevices(timeLimit: Duration?) throws(DeviceError) -> [any HostedDevice] {
        try devices(timeLimit: timeLimit)
    }
}

extension [any DeviceBackend] {
    /// The devices of all backends, in their order.
    package func devices(timeLimit: Duration?) throws(DeviceError) -> [any HostedDevice] {
        var devices: [any HostedDevice] = []
        for backend in self { devices += try backend.hostedDevices(timeLimit: timeLimit) }
        return devices
    }

    package var report: SearchReport {
        reduce(into: SearchReport()) { sum, backend in
            let report = backend.report
            sum.notes += report.notes
            sum.failure = sum.failure ?? report.failure
        }
    }
}
