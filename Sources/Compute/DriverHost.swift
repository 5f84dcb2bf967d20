import TintypeIsolatedRendering
import TintypeOpenCLRendering
import TintypeRendering

/// The process that loads devices' drivers.
package enum DriverHost: Sendable {
    /// This one.
    case thisProcess
    /// One of their own, so that a driver that crashes does not end this one.
    case separate(DriverProcess)

    /// The devices of all backends: OpenCL's in the order of `clinfo -l`.
    ///
    /// - Parameter timeLimit: as in `DeviceSelection`.
    /// - Throws: `DeviceError.stoppedAnswering`, or `.driverEnded` if drivers crash again and again.
    func devices(timeLimit: Duration?) throws(DeviceError) -> [any Device] {
        switch self {
        case .thisProcess: try DeviceBackends.all.devices(timeLimit: timeLimit)
        case .separate(let process): try process.devices(timeLimit: timeLimit)
        }
    }

    /// Of the last search; empty before it.
    var report: SearchReport {
        switch self {
        case .thisProcess: DeviceBackends.all.report
        case .separate(let process): process.report
        }
    }
}
