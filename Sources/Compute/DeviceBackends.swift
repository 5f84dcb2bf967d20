import TintypeIsolatedRendering
import TintypeLocking
import TintypeOpenCLRendering

/// Where devices come from, beside this machine's CPU.
package enum DeviceBackends {
    private static let known = Locked<[any DeviceBackend]>([OpenCLRuntime.shared])

    /// This package's backends, then those that were registered.
    package static var all: [any DeviceBackend] { known.withLock(\.self) }

    /// Adds a backend, in this process. Register backends before devices are sought.
    package static func register(_ backend: any DeviceBackend) { known.withLock { $0.append(backend) } }
}
