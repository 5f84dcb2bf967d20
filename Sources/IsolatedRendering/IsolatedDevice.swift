import Glibc
import TintypeImaging
import TintypeLocking
import TintypeOpenCLRendering
import TintypeRendering

/// A device in a process of its own, which shares the strips' memory with this one. A driver that crashes costs
/// the photos in progress one attempt, and not the run.
///
/// This process decodes into strips and encodes from them, as with a device of its own. It compares the results of
/// self-tests, too.
package final class IsolatedDevice: CompilingDevice, CodingDevice {
    package let info: DeviceInfo
    package var abilities: DeviceAbilities {
        DeviceAbilities(compiling: self, coding: isCoding ? self : nil)
    }
    private let index: Int
    private let isCoding: Bool
    /// Nil for a strip of the input and one of the output.
    private let stripMemory: StripMemory?
    private let process: DriverProcess
    let failures = Locked(FailuresInARow())
    /// The last works that the device was asked about, and its offers: photos of one kind cost no further question.
    let offers = Locked<[(work: CodingWork, offer: CodingOffer?)]>([])
    /// Whether a program that could not be compiled was tried again. A compiler that crashes may end in an error only,
    /// because LLVM catches signals; in a new process it has another chance.
    private let hasBuiltAgain = Locked(false)

    init(_ found: FoundDevice, index: Int, in process: DriverProcess) {
        info = found.info
        self.index = index
        self.process = process
        isCoding = found.isCoding
        stripMemory = found.stripMemory
    }

    package func memory(for plan: RenderPlan) -> RenderMemory {
        stripMemory?.memory(for: plan) ?? plan.memoryOfStrips
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        if plan.isIdentity {
            return try plan.passOn(source, to: sink, isCancelled: isCancelled)
        }
        if try run(plan, onlyProven: true, from: source, to: sink, isCancelled) { return }
        try selfTest(plan, isCancelled)
        _ = try run(plan, onlyProven: false, from: source, to: sink, isCancelled)
    }

    /// A driver that crashes is tested once more. With photos, `DevicePool` does the same.
    package func selfTest(_ plan: RenderPlan) throws {
        do {
            try selfTest(plan, { false })
        } catch DeviceError.driverEnded(_, _, isRestarted: true) {
            try selfTest(plan, { false })
        }
    }

    private func selfTest(_ plan: RenderPlan, _ isCancelled: () -> Bool) throws {
        try withConnection { connection in
            try process.testing.run(plan, deviceName: info.name) { plan, source, sink in
                _ = try run(plan, onlyProven: false, from: source, to: sink, connection, isCancelled)
            }
            try onLink(connection) { (socket) throws(ConnectionLost) in try socket.send(.proven) }
        }
    }

    /// - Returns: false, before anything is read, if a program of the plan has not been proven.
    private func run(
        _ plan: RenderPlan, onlyProven: Bool, from source: any StripSource, to sink: any StripSink,
        _ isCancelled: () -> Bool
    ) throws -> Bool {
        try withConnection { connection in
            try run(plan, onlyProven: onlyProven, from: source, to: sink, connection, isCancelled)
        }
    }

    /// The connection is used again unless `body` throws. The driver process notices when it is closed, and ends the
    /// render.
    func withConnection<Result>(_ body: (DriverConnection) throws -> Result) throws -> Result {
        let failureNumber = failures.withLock { $0.number }
        let connection = try process.connect(for: index)
        let result: Result
        do {
            result = try body(connection)
        } catch let error as DeviceError {
            guard let reason = reasonToRestart(after: error, failureNumber) else { throw error }
            throw process.end(connection.child, device: index, reason: reason)
        }
        process.giveBack(connection, device: index)
        return result
    }

    /// - Parameter number: of the failures before the render.
    /// - Returns: why the process should be ended after a failure; nil if it may go on.
    private func reasonToRestart(after error: DeviceError, _ number: Int) -> String? {
        switch error {
        case .buildFailed(let kernel, _, _):
            let isFirst = hasBuiltAgain.withLock { hasBuiltAgain in
                defer { hasBuiltAgain = true }
                return !hasBuiltAgain
            }
            return isFirst ? "its compiler failed in \(kernel)" : nil
        case .callFailed(let call, let code, _) where !error.isCertainLackOfMemory:
            return failures.withLock { $0.add(after: number) }
                ? "\(call) failed again, with OpenCL error \(code)" : nil
        default: return nil
        }
    }

    package func compile(_ plans: [RenderPlan], isCancelled: () -> Bool) {
        // Whatever fails here fails again, with a message, in the render.
        guard let programs = try? uncompiledPrograms(of: plans) else { return }
        process.compile(programs, for: info, isCancelled: isCancelled)
    }

    private func uncompiledPrograms(of plans: [RenderPlan]) throws -> [ProgramSource] {
        try withConnection { connection in
            try onLink(connection) { (socket) throws(ConnectionLost) in
                try socket.send(.uncompiled(device: connection.device, plans))
            }
            guard case .programs(let programs) = try nextAnswer(connection, { false }).0 else {
                throw ended(connection)
            }
            return programs
        }
    }

    /// - Returns: as the other `run`.
    private func run(
        _ plan: RenderPlan, onlyProven: Bool, from source: any StripSource, to sink: any StripSink,
        _ connection: DriverConnection, _ isCancelled: () -> Bool
    ) throws -> Bool {
        try onLink(connection) { (socket) throws(ConnectionLost) in
            try socket.send(.render(device: connection.device, proven: onlyProven, plan))
        }
        return try answerQuestions(
            about: [RenderOutput(plan, to: sink)], from: .strips(source), connection, isCancelled,
            mayBeUnproven: onlyProven)
    }

    /// Waits for the driver process, which says at least once a second that it works.
    func nextAnswer(
        _ connection: DriverConnection, _ isCancelled: () -> Bool
    ) throws -> (Answer, descriptor: OwnedDescriptor?) {
        var waited = WaitedTime()
        let limit = max(process.timeLimit, DriverServer.timeBetweenWords * 2)
        while !connection.socket.hasMessage(within: 100) {
            if isCancelled() { throw CancellationError() }
            waited.add()
            guard waited.duration < limit else {
                _ = ended(connection)
                throw DeviceError.stoppedAnswering(device: info.name, after: waited.duration)
            }
        }
        return try onLink(connection) { (socket) throws(ConnectionLost) in
            let message = try socket.receive()
            do throws(MalformedMessage) {
                return (try message.answer(), message.descriptor)
            } catch {
                throw ConnectionLost(error)
            }
        }
    }

    func strip(
        at place: StripPlace, _ descriptor: OwnedDescriptor?, _ connection: DriverConnection
    ) throws(DeviceError) -> Strip {
        try onLink(connection) { (_) throws(ConnectionLost) in
            try connection.child.blocks.strip(at: place, descriptor: descriptor)
        }
    }

    /// Ends a driver process that is not in order.
    func ended(_ connection: DriverConnection) -> DeviceError {
        process.end(connection.child, device: index)
    }

    /// Turns a lost connection into what happened to the driver process. It goes on if this one is to blame.
    func onLink<Result>(
        _ connection: DriverConnection, _ body: (MessageSocket) throws(ConnectionLost) -> Result
    ) throws(DeviceError) -> Result {
        do {
            return try body(connection.socket)
        } catch {
            switch error.ownFailure {
            case .tooLong(let byteCount):
                throw .tooLarge(device: info.name, byteCount: byteCount, limit: MessageSocket.usualLimit)
            case .outOfResources(let call): throw .outOfResources(call: call, device: info.name)
            case nil: throw ended(connection)
            }
        }
    }
}
