import Dispatch
import Synchronization

/// Whether a device still answers. One that does not in time is given up for good.
///
/// A hung driver cannot be helped: whatever is asked of it may hang too. So nothing is, not even that it
/// releases what it holds.
final class DeviceWatch: Sendable {
    /// Time that a device may take for one strip, a compilation aside, where nobody says otherwise.
    static let usualLimit = Duration.seconds(30)

    private struct State {
        var limit = DeviceWatch.usualLimit
        var isLost = false
        /// Renders that share the device.
        var renderCount = 0
        /// What threads are asleep on, by identity.
        var sleepers: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    private let name: String
    private let state = Mutex(State())

    /// - Parameter name: the device's, for messages.
    init(name: String) { self.name = name }

    /// Time that the device may take for one strip of one render.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Whether the device was given up.
    var isLost: Bool { state.withLock { $0.isLost } }

    func renderBegins() { state.withLock { $0.renderCount += 1 } }
    func renderEnds() { state.withLock { $0.renderCount -= 1 } }

    /// Sleeps until `semaphore` is signalled. Where that takes too long, gives the device up, and wakes all
    /// others who wait for it.
    ///
    /// - Parameter patience: how many times the usual limit this may take.
    /// - Throws: `DeviceError.stoppedAnswering`.
    func wait(for semaphore: DispatchSemaphore, patience: Double) throws(DeviceError) {
        let (seconds, isLost) = state.withLock { state in
            state.sleepers[ObjectIdentifier(semaphore)] = semaphore
            // Those who share a device wait for each other's work too.
            return (state.limit / .seconds(1) * patience * Double(max(1, state.renderCount)), state.isLost)
        }
        defer { _ = state.withLock { $0.sleepers.removeValue(forKey: ObjectIdentifier(semaphore)) } }
        if !isLost, semaphore.wait(timeout: .now() + seconds) == .timedOut { giveUp() }
        try check()
    }

    /// Throws where the device was given up.
    func check() throws(DeviceError) {
        let (limit, isLost) = state.withLock { ($0.limit, $0.isLost) }
        if isLost { throw .stoppedAnswering(device: name, limit: limit) }
    }

    private func giveUp() {
        let sleepers = state.withLock { state in
            state.isLost = true
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.signal() }
    }
}
