import Foundation
import TintypeCompute
import TintypeFilters
import TintypeLocking

/// Tests of devices that begin beside a run, which the CPU has begun: a GPU's start takes a second or more.
package final class LaterTests: Sendable {
    /// How far the tests are.
    package enum State: Sendable {
        case running
        /// The devices that take over from the CPU.
        case passed([DeviceInfo])
        /// The CPU goes on alone.
        case failed
    }

    private let selection: DeviceSelection
    private let chain: FilterChain
    private let pool: DevicePool
    private let current = Locked(State.running)

    /// - Parameter pool: has the CPU, until devices pass.
    init(_ selection: DeviceSelection, _ chain: FilterChain, _ pool: DevicePool) {
        self.selection = selection
        self.chain = chain
        self.pool = pool
    }

    var deviceCount: Int { selection.devices.count }

    package var state: State { current.withLock { $0 } }

    /// Starts the tests on a thread of their own. Call it once.
    ///
    /// - Parameter ended: gets the notes for the user, on that thread, once the devices are in use.
    package func start(ended: @escaping @Sendable (_ notes: [String], State) -> Void) {
        // Not Dispatch's: it runs no more threads than there are cores, and drivers may block this one.
        Thread.detachNewThread { [self] in
            var notes: [String] = []
            var passed: [any Device] = []
            do {
                passed = try DeviceRoster.usable(
                    selection.devices, selection.alternatives, chain, .cpu, &notes)
            } catch {
                notes.append("\(error)")
            }
            let isUseful = passed.contains { $0.info.kind != .simd }
            if isUseful { pool.use(passed) } else { notes.append(DeviceRoster.note(of: pool.devices[0])) }
            let state: State = isUseful ? .passed(passed.map(\.info)) : .failed
            current.withLock { $0 = state }
            ended(notes, state)
        }
    }
}
