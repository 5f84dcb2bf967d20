import Locking
import Synchronization

/// What crosses between the download thread and all others: commands to it, and how busy it is.
final class EngineLink: Sendable {
    enum Command: Sendable {
        case start(Waiter, DownloadRequest, WebAddress)
        case cancel(UInt64)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var lastID: UInt64 = 0
        /// Nil once the thread takes no more commands.
        var wakeUp: (@Sendable () -> Void)?
    }

    private let state: Locked<State>
    private let activeCountStorage = Atomic(0)

    /// - Parameter wakeUp: makes the thread look for commands.
    init(wakeUp: @escaping @Sendable () -> Void) {
        state = Locked(State(wakeUp: wakeUp))
    }

    /// Transfers on the wire.
    var activeCount: Int {
        get { activeCountStorage.load(ordering: .relaxed) }
        set { activeCountStorage.store(newValue, ordering: .relaxed) }
    }

    func makeID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// - Returns: false if the thread has stopped, and the command goes unheard.
    @discardableResult
    func send(_ command: Command) -> Bool {
        // Waking up under the lock: `close` cannot come between, so what is woken still exists.
        state.withLock { state in
            guard let wakeUp = state.wakeUp else { return false }
            state.commands.append(command)
            wakeUp()
            return true
        }
    }

    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// - Returns: commands that came too late to be heard.
    func close() -> [Command] {
        state.withLock { state in
            defer { (state.commands, state.wakeUp) = ([], nil) }
            return state.commands
        }
    }
}
