import CPURendering
import IsolatedRendering
import Locking

/// Whether OpenCL's drivers are loaded by this process, or by one of their own.
package enum DeviceIsolation {
    private static let current = Locked<DriverProcess?>(nil)

    /// The process that has the drivers; nil if this one has.
    static var process: DriverProcess? { current.withLock { $0 } }

    /// Has a process of its own load the drivers from now on. Call it before any device is sought.
    ///
    /// - Parameter command: a program that calls `DriverServer.run`, and its arguments.
    package static func begin(_ command: [String]) {
        current.withLock { current in
            if current == nil { current = DriverProcess(command, testing: .baseline) }
        }
    }
}
