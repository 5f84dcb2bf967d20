import Glibc
import TintypeLocking
import TintypeOpenCLRendering
import TintypeRendering

/// A process that loads OpenCL's drivers and runs their devices. If a driver crashes, that process ends, and this one
/// goes on.
///
/// It is started when devices are needed, and again after a crash, until the device that crashes is given up. If several
/// devices were at work, the crash counts against the first one to notice, because nobody knows whose it was.
package final class DriverProcess: Sendable {
    /// Longer than a driver process takes to say that a search has taken too long.
    private static let searchMargin = Duration.seconds(10)
    /// The least time limit of a socket. A busy machine may take some seconds to read a large plan.
    private static let leastSocketLimit = Duration.seconds(10)

    private struct State {
        var child: DriverChild?
        /// Of each device, by its place in `found`.
        var budgets: [Int: CrashBudget] = [:]
        /// Of searches since the last one that succeeded.
        var searchBudget = CrashBudget()
        var timeLimit = Duration.seconds(30)
        /// What the first search has found.
        var found: (devices: [FoundDevice], report: SearchReport)?
        /// Where these devices are in the child's own list. A driver may have lost one since.
        var places: [Int?] = []
    }

    private let command: [String]
    let testing: SelfTest
    private let state: Locked<State>

    /// - Parameters:
    ///   - command: a program that calls `DriverServer.run`, and its arguments.
    ///   - testing: compares each device's pixels with others before it gets photos.
    package init(_ command: [String], testing: SelfTest) {
        self.command = command
        self.testing = testing
        state = Locked(State())
    }

    /// All devices, in the order of `clinfo -l`.
    ///
    /// - Parameter timeLimit: the time limit for a search and for each device's strips. Nil keeps the current limit,
    ///   initially 30 s.
    /// - Throws: `DeviceError.stoppedAnswering`, or `.driverEnded` if a driver crashes again and again.
    package func devices(timeLimit: Duration?) throws(DeviceError) -> [IsolatedDevice] {
        let found = try state.withLock { (state) throws(DeviceError) in
            let isNewLimit = timeLimit.map { $0 != state.timeLimit } ?? false
            if let timeLimit { state.timeLimit = timeLimit }
            if let child = state.child, isNewLimit { try search(child, &state) }
            while state.found == nil {
                do throws(DeviceError) {
                    try start(&state)
                } catch .driverEnded(_, _, isRestarted: true) {}
            }
            return state.found?.devices ?? []
        }
        return found.enumerated().map { IsolatedDevice($1, index: $0, in: self) }
    }

    /// As `OpenCLRuntime.report`.
    package var report: SearchReport { state.withLock { $0.found?.report ?? SearchReport() } }

    /// The longest time without a word from a device.
    var timeLimit: Duration { state.withLock { $0.timeLimit } }

    /// A connection to the process, which is started if needed.
    ///
    /// - Parameter device: its place in the list of devices.
    func connect(for device: Int) throws(DeviceError) -> DriverConnection {
        try state.withLock { (state) throws(DeviceError) in
            let isGivenUp =
                state.budgets[device, default: CrashBudget()].isSpent
                || state.child == nil && state.searchBudget.isSpent
            guard !isGivenUp else {
                throw .driverEnded(
                    device: name(of: device, state), reason: "it was given up", isRestarted: false)
            }
            if state.child == nil { try start(&state) }
            guard let place = state.places[device] else {
                throw .driverEnded(
                    device: name(of: device, state), reason: "the next one does not find this device",
                    isRestarted: false)
            }
            guard let child = state.child else { preconditionFailure("started") }
            let limit = max(state.timeLimit, Self.leastSocketLimit)
            if let socket = child.takeIdleSocket() {
                socket.setTimeLimit(limit)
                return DriverConnection(socket, child, device: place)
            }
            guard let (own, other) = MessageSocket.pair() else {
                throw .outOfResources(call: "socketpair", device: name(of: device, state))
            }
            own.setTimeLimit(limit)
            do {
                try child.control.send(.connect, descriptor: other.descriptor)
                return DriverConnection(own, child, device: place)
            } catch {
                throw end(child, device, &state)
            }
        }
    }

    /// Takes a connection back after a render that has succeeded.
    func giveBack(_ connection: DriverConnection, device: Int) {
        connection.child.giveBack(connection.socket)
        state.withLock { $0.budgets[device, default: CrashBudget()].renderSucceeded() }
    }

    /// Compiles programs of a device in further processes, which end then: they take memory of the device.
    func compile(_ programs: [ProgramSource], for device: DeviceInfo, isCancelled: () -> Bool) {
        ProgramCompilers(command, timeLimit: timeLimit)
            .compile(programs, for: device, isCancelled: isCancelled)
    }

    /// Ends a child that does not answer as it should, or has already ended.
    ///
    /// - Parameter reason: why; nil tells how it has ended.
    /// - Returns: what happened to it.
    func end(_ child: DriverChild, device: Int, reason: String? = nil) -> DeviceError {
        state.withLock { end(child, device, reason: reason, &$0) }
    }

    private func end(
        _ child: DriverChild, _ device: Int, reason: String? = nil, _ state: inout State
    ) -> DeviceError {
        if child === state.child {
            state.child = nil
            state.budgets[device, default: CrashBudget()].processEnded()
        }
        let ending = child.end()
        return .driverEnded(
            device: name(of: device, state), reason: reason ?? ending,
            isRestarted: !state.budgets[device, default: CrashBudget()].isSpent)
    }

    private func name(of device: Int, _ state: State) -> String {
        state.found?.devices[device].info.name ?? "OpenCL"
    }

    /// Starts a child and has it find its devices.
    private func start(_ state: inout State) throws(DeviceError) {
        let child: DriverChild
        do {
            child = try DriverChild(command)
        } catch {
            throw .driverEnded(device: "OpenCL", reason: "\(error)", isRestarted: false)
        }
        state.child = child
        state.places = state.places.map { _ in nil }
        try search(child, &state)
    }

    /// Has a child find its devices. They keep its time limit.
    private func search(_ child: DriverChild, _ state: inout State) throws(DeviceError) {
        do {
            try child.control.send(.search(timeLimit: state.timeLimit))
            let milliseconds = (state.timeLimit + Self.searchMargin) / .milliseconds(1)
            guard child.control.hasMessage(within: Int32(min(milliseconds, 1e9))) else {
                throw ConnectionLost()
            }
            switch try child.control.receive().answer() {
            case .devices(let devices, let report):
                let found = state.found ?? (devices, report)
                state.found = found
                state.places = Self.places(of: found.devices.map(\.info), in: devices.map(\.info))
                state.searchBudget = CrashBudget()
            case .failed(let error): throw error
            default: throw ConnectionLost()
            }
        } catch let error as DeviceError where state.found == nil {
            throw error
        } catch {
            // The next one may find the devices that are known.
            state.child = nil
            state.searchBudget.processEnded()
            throw DeviceError.driverEnded(
                device: "OpenCL", reason: child.end(), isRestarted: !state.searchBudget.isSpent)
        }
    }

    /// Where known devices are in a later list; nil for those that are missing.
    static func places(of known: [DeviceInfo], in list: [DeviceInfo]) -> [Int?] {
        var rest = Array(list.indices)
        return known.map { device in
            rest.firstIndex { list[$0].isSameDevice(as: device) }.map { rest.remove(at: $0) }
        }
    }
}

extension DeviceInfo {
    /// Whether this is the other device, in a later list. Its identifier is its place there, and its memory may vary.
    fileprivate func isSameDevice(as other: DeviceInfo) -> Bool {
        kind == other.kind && name == other.name && driver == other.driver
            && hardware?.pciAddress == other.hardware?.pciAddress && hardware?.uuid == other.hardware?.uuid
    }
}

/// One render's connection to a driver process.
struct DriverConnection {
    let socket: MessageSocket
    let child: DriverChild
    /// The device's place in the child's list.
    let device: Int

    init(_ socket: MessageSocket, _ child: DriverChild, device: Int) {
        self.socket = socket
        self.child = child
        self.device = device
    }
}
