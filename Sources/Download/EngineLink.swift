import Synchronization
import TintypeLocking

/// Connects the download thread with all others: commands to it, and its number of transfers.
final class EngineLink: Sendable {
    enum Command: Sendable {
        case start(Waiter, DownloadRequest, WebAddress)
        case cancel(UInt64)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var lastID: UInt64 = 0
        /// Nil once the thread accepts no more commands.
        var wakeUp: (@Sendable () -> Void)?
    }

    private let state: Locked<State>
    private let activeCountStorage = Atomic(0)

    /// - Parameter wakeUp: makes the thread check for commands.
    init(wakeUp: @escaping @Sendable () -> Void) {
        state = Locked(State(wakeUp: wakeUp))
    }

    /// Number of active transfers.
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

    /// - Returns: false if the thread has stopped and ignores the command.
    @discardableResult
    func send(_ command: Command) -> Bool {
        // Called under the lock, so that `close` cannot destroy the handle in between.
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

    /// - Returns: commands that were not taken.
    func close() -> [Command] {
        state.withLock { state in
            defer { (state.commands, state.wakeUp) = ([], nil) }
            return state.commands
        }
    }
}
