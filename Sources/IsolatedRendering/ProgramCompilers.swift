import Foundation
import TintypeLocking
import TintypeOpenCLRendering
import TintypeRendering

/// Processes that compile programs at the same time, into the cache from which all processes load them.
///
/// The compilers in drivers of NVIDIA and AMD take one program at a time, however many threads ask.
package final class ProgramCompilers: Sendable {
    /// With fewer, the start of a process costs more than it saves. On an H200, a start takes 0.14 to 0.18 s, and the cold start
    /// of a tilt-shift, with nine programs, 1.7 s.
    private static let programsPerProcess = 3
    /// A process needs some hundred MiB, of the host's memory and of the device's.
    private static let mostProcesses = 8
    private static let millisecondsBetweenQuestions: Int32 = 100

    /// A process at work for one device.
    private struct Compiler {
        let child: DriverChild
        let socket: MessageSocket
        /// The device's place in the process's list.
        let device: Int
    }

    private let command: [String]
    private let timeLimit: Duration
    private let idle = Locked<[(device: DeviceInfo, compiler: Compiler)]>([])

    /// - Parameters:
    ///   - command: a program that calls `DriverServer.run`, and its arguments.
    ///   - timeLimit: the longest time for a process to find its devices, and to compile a program.
    package init(_ command: [String], timeLimit: Duration = .seconds(30)) {
        self.command = command
        self.timeLimit = timeLimit
    }

    deinit { idle.withLock { for (_, compiler) in $0 { compiler.child.kill() } } }

    /// Compiles programs, and waits for the end. What fails here fails again, with a message, where it is needed.
    ///
    /// - Parameter isCancelled: called ten times a second; true ends the processes.
    package func compile(_ programs: [ProgramSource], for device: DeviceInfo, isCancelled: () -> Bool) {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let count = min(processors, Self.mostProcesses, programs.count / Self.programsPerProcess)
        guard count > 1 else { return }
        let parts = (0..<count).map { part in
            stride(from: part, to: programs.count, by: count).map { programs[$0] }
        }
        let compilers = compilers(for: device, count: count, isCancelled)
        // If not all could be started, the caller compiles the other parts.
        for (compiler, part) in zip(compilers, parts) {
            try? compiler.socket.send(.compile(device: compiler.device, part))
        }
        for (compiler, part) in zip(compilers, parts) {
            let limit = timeLimit * part.count
            if wait(for: compiler.socket, limit, isCancelled), let message = try? compiler.socket.receive(),
                case .done? = try? message.answer()
            {
                idle.withLock { $0.append((device, compiler)) }
            } else {
                compiler.child.kill()
            }
        }
    }

    /// Idle processes, and new ones up to `count`, which load their drivers at the same time.
    private func compilers(
        for device: DeviceInfo, count: Int, _ isCancelled: () -> Bool
    ) -> [Compiler] {
        let ready = idle.withLock { idle in
            let ready = idle.filter { $0.device == device }.prefix(count).map(\.compiler)
            idle.removeAll { entry in ready.contains { $0.child === entry.compiler.child } }
            return ready
        }
        let children = (ready.count..<count).compactMap { _ -> DriverChild? in
            guard let child = try? DriverChild(command) else { return nil }
            try? child.control.send(.search(timeLimit: timeLimit))
            return child
        }
        return ready
            + children.compactMap { child in
                if let compiler = compiler(child, for: device, isCancelled) { return compiler }
                child.kill()
                return nil
            }
    }

    /// A process that has found the device; nil if it fails.
    private func compiler(
        _ child: DriverChild, for device: DeviceInfo, _ isCancelled: () -> Bool
    ) -> Compiler? {
        guard wait(for: child.control, timeLimit, isCancelled),
            case .devices(let found, _)? = try? child.control.receive().answer(),
            let place = DriverProcess.places(of: [device], in: found.map(\.info))[0],
            let (own, other) = MessageSocket.pair()
        else { return nil }
        own.setTimeLimit(timeLimit)
        guard (try? child.control.send(.connect, descriptor: other.descriptor)) != nil else { return nil }
        return Compiler(child: child, socket: own, device: place)
    }

    /// - Returns: false if there is no message within the time limit.
    private func wait(for socket: MessageSocket, _ limit: Duration, _ isCancelled: () -> Bool) -> Bool {
        var waited = WaitedTime()
        while !socket.hasMessage(within: Self.millisecondsBetweenQuestions) {
            waited.add()
            if isCancelled() || waited.duration >= limit { return false }
        }
        return true
    }
}
