import Dispatch
import Locking
import Rendering

/// Whether a device still answers. One that does not in time is given up for good.
///
/// A hung driver cannot be helped: whatever is asked of it may hang too. So nothing is, not even that it
/// releases what it holds.
final class DeviceWatch: Sendable {
    /// Time that a device may take for one strip, a compilation aside, where nobody says otherwise.
    static let usualLimit = Duration.seconds(30)
    /// How often a thread that waits asks whether its render was cancelled: soon enough for a person.
    private static let secondsBetweenQuestions = 0.1

    private struct State {
        var limit = DeviceWatch.usualLimit
        /// How long a thread had waited in vain when the device was given up.
        var lostAfter: Duration?
        /// Renders that share the device.
        var renderCount = 0
        /// What threads are asleep on, by identity.
        var sleepers: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    private let name: String
    private let state = Locked(State())

    /// - Parameter name: the device's, for messages.
    init(name: String) { self.name = name }

    /// Time that the device may take for one strip of one render.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Whether the device was given up.
    var isLost: Bool { state.withLock { $0.lostAfter != nil } }

    func renderBegins() { state.withLock { $0.renderCount += 1 } }
    func renderEnds() { state.withLock { $0.renderCount -= 1 } }

    /// Sleeps until `semaphore` is signalled. Where that takes too long, gives the device up, and wakes all
    /// others who wait for it.
    ///
    /// - Parameters:
    ///   - patience: how many times the usual limit this may take.
    ///   - isCancelled: asked ten times a second.
    /// - Returns: false where `isCancelled` ended the wait.
    /// - Throws: `DeviceError.stoppedAnswering`.
    func wait(
        for semaphore: DispatchSemaphore, patience: Double, isCancelled: () -> Bool = { false }
    ) throws(DeviceError) -> Bool {
        let seconds = state.withLock { state in
            state.sleepers[ObjectIdentifier(semaphore)] = semaphore
            // Those who share a device wait for each other's work too.
            return state.limit / .seconds(1) * patience * Double(max(1, state.renderCount))
        }
        defer { _ = state.withLock { $0.sleepers.removeValue(forKey: ObjectIdentifier(semaphore)) } }
        let start = ContinuousClock.now
        while !isLost {
            let waited = start.duration(to: .now)
            let secondsLeft = seconds - waited / .seconds(1)
            let nap = min(max(secondsLeft, 0), Self.secondsBetweenQuestions)
            if semaphore.wait(timeout: .now() + nap) == .success { break }
            if secondsLeft <= 0 { giveUp(after: waited) }
            if isCancelled() { return false }
        }
        try check()
        return true
    }

    /// Throws where the device was given up.
    func check() throws(DeviceError) {
        if let waited = state.withLock({ $0.lostAfter }) {
            throw .stoppedAnswering(device: name, after: waited)
        }
    }

    private func giveUp(after waited: Duration) {
        let sleepers = state.withLock { state in
            state.lostAfter = state.lostAfter ?? waited
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.signal() }
    }
}
