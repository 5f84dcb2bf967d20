import Foundation
import TintypeOpenCLRendering
import TintypeRendering

/// What a driver process does: it renders for the process that has started it.
package enum DriverServer {
    /// The descriptor of the control socket.
    static let controlDescriptor: Int32 = 3
    /// How often a busy process says that it works.
    static let timeBetweenWords = Duration.seconds(1)

    /// Signals to all processes of a service are for the client, whose end is this one's. Writing to a closed pipe, or beyond
    /// the limit of a file's size, is an error. They are blocked, not ignored, because LLVM in a driver sets handlers.
    private static func blockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        // Threads that begin later have the same mask.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Answers until the client has closed the control socket or has ended.
    ///
    /// - Parameter backends: find the devices.
    /// - Returns: false if there is no client: the process was started by hand.
    package static func run(_ backends: [any DeviceBackend]) -> Bool {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(controlDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return false }
        blockSignals()
        let control = MessageSocket(OwnedDescriptor(controlDescriptor))
        let blocks = SharedBlocks()
        var devices: [any HostedDevice] = []
        while let message = try? control.receive(), let request = try? message.request() {
            do {
                switch request {
                case .search(let limit):
                    devices = try backends.devices(timeLimit: limit)
                    for device in devices { device.useHostMemory(blocks) }
                    try control.send(.devices(devices.map(FoundDevice.init), backends.report))
                case .connect:
                    guard let descriptor = message.descriptor else { return true }
                    let connection = ServerConnection(MessageSocket(descriptor), devices, blocks)
                    Thread.detachNewThread { connection.serve() }
                default: return true
                }
            } catch let error as DeviceError {
                guard (try? control.send(.failed(error))) != nil else { return true }
            } catch {
                return true
            }
        }
        return true
    }
}

extension FoundDevice {
    fileprivate init(_ device: any HostedDevice) {
        self.init(
            info: device.info, stripMemory: device.stripMemory, isCoding: device.abilities.coding != nil)
    }
}
