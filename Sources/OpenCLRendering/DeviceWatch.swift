import Dispatch
import TintypeLocking
import TintypeRendering

/// Watches whether a device still answers. A device that exceeds its time limit is marked as lost for good.
///
/// Any call of a hung driver may hang too. So a lost device gets no more calls, not even to release its
/// objects.
final class DeviceWatch: Sendable {
    /// The default time limit for one strip, without compilation.
    static let usualLimit = Duration.seconds(30)
    /// How often a waiting thread checks for cancellation: fast enough for a person.
    private static let secondsBetweenQuestions = 0.1

    private struct State {
        var limit = DeviceWatch.usualLimit
        /// How long a thread had waited when the device was marked as lost.
        var lostAfter: Duration?
        /// Renders that share the device.
        var renderCount = 0
        /// The semaphores that threads wait on, by identity.
        var sleepers: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    private let name: String
    private let state = Locked(State())

    /// - Parameter name: the device's name, for messages.
    init(name: String) { self.name = name }

    /// The time limit for one strip of one render.
    var limit: Duration {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = newValue } }
    }

    /// Whether the device is marked as lost.
    var isLost: Bool { state.withLock { $0.lostAfter != nil } }

    func renderBegins() { state.withLock { $0.renderCount += 1 } }
    func renderEnds() { state.withLock { $0.renderCount -= 1 } }

    /// Waits until `semaphore` is signalled. If that takes too long, marks the device as lost and wakes all
    /// threads that wait for it.
    ///
    /// - Parameters:
    ///   - patience: a factor for the usual limit.
    ///   - isCancelled: called ten times a second.
    /// - Returns: false if `isCancelled` ended the wait.
    /// - Throws: `DeviceError.stoppedAnswering`.
    func wait(
        for semaphore: DispatchSemaphore, patience: Double, isCancelled: () -> Bool = { false }
    ) throws(DeviceError) -> Bool {
        let seconds = state.withLock { state in
            state.sleepers[ObjectIdentifier(semaphore)] = semaphore
            // Renders that share a device also wait for each other's work.
            return state.limit / .seconds(1) * patience * Double(max(1, state.renderCount))
        }
        defer { _ = state.withLock { $0.sleepers.removeValue(forKey: ObjectIdentifier(semaphore)) } }
        var waited = WaitedTime()
        while !isLost {
            waited.add()
            let secondsLeft = seconds - waited.duration / .seconds(1)
            let nap = min(max(secondsLeft, 0), Self.secondsBetweenQuestions)
            if semaphore.wait(timeout: .now() + nap) == .success { break }
            if secondsLeft <= 0 { giveUp(after: waited.duration) }
            if isCancelled() { return false }
        }
        try check()
        return true
    }

    /// Throws if the device is marked as lost.
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
