import Foundation
import Logging
import TintypeFiles
import TintypeLocking

/// The base of all of Tintype's operations: it finishes when `finish` is called, not when `main` returns.
///
/// A subclass overrides `main` to begin its work, and calls `finish` from any thread once the work has ended
/// or was cancelled. An operation that waits for the network returns from `main` at once, so it holds no
/// thread. Each operation logs, at debug level, `<Type NAME> Start`, `Cancel`, and finally `Done` or
/// `Cancelled`.
///
/// An operation drops its dependencies and its input when it finishes. Otherwise a long chain would keep all of its
/// images, and would be released recursively.
// @unchecked: every property added here is immutable and Sendable, or Locked; Foundation guards its own
// state.
open class AsyncOperation: Operation, @unchecked Sendable {
    /// The stage that an operation has reached.
    public enum State: Sendable {
        /// Not begun. `isReady` tells whether it may begin.
        case ready
        /// Begun and not finished.
        case executing
        /// `finish` was called. A cancelled operation finishes, too.
        case finished
    }

    private struct Progress {
        var state = State.ready
        var isCancelled = false
        /// Whether Foundation's count of unfinished dependencies is wrong; see `removeDependency`.
        var hasLostCount = false
    }

    /// Logs the start, cancellation and end of the operation, at level debug.
    public let logger: Logger
    private let progress = Locked(Progress())

    /// - Parameter name: the photo's name, for logs and messages.
    public init(name: String, logger: Logger = Logger(label: "tintype")) {
        self.logger = logger
        super.init()
        self.name = name
    }

    // An unfinished dependency would keep a dangling pointer to this operation.
    deinit { dropDependencies() }

    /// The stage that the operation has reached. Any thread may read it.
    public final var state: State { progress.withLock { $0.state } }

    public final override var isExecuting: Bool { state == .executing }
    public final override var isFinished: Bool { state == .finished }
    public final override var isAsynchronous: Bool { true }

    open override var description: String { "<\(type(of: self)) \(name ?? "")>" }

    /// Begins the operation, or ends it at once if it was cancelled before. Called by the queue.
    public final override func start() {
        guard !isFinished else { return }
        willChangeValue(for: \.isExecuting)
        let begins = progress.withLock { progress in
            precondition(progress.state == .ready, "an operation runs once")
            guard !progress.isCancelled else { return false }
            progress.state = .executing
            log("Start")
            return true
        }
        guard begins else { return finish() }
        didChangeValue(for: \.isExecuting)
        main()
    }

    /// Ends the operation. Later calls do nothing.
    ///
    /// - Parameter wasCancelled: whether to log `Cancelled` instead of `Done`; nil decides by whether
    ///   `cancel` was called.
    public final func finish(wasCancelled: Bool? = nil) {
        dropDependencies()
        releaseInput()
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        let previous = progress.withLock { progress in
            let previous = progress.state
            guard previous != .finished else { return previous }
            progress.state = .finished
            // Under the lock, so that this is the operation's last line in the log.
            log(wasCancelled ?? progress.isCancelled ? "Cancelled" : "Done")
            return previous
        }
        guard previous != .finished else { return }
        if previous == .executing { didChangeValue(for: \.isExecuting) }
        didChangeValue(for: \.isFinished)
    }

    /// Asks the operation to end soon. Has no effect on an operation that has finished.
    public final override func cancel() {
        let stateThen = progress.withLock { progress in
            guard !progress.isCancelled else { return State.finished }
            progress.isCancelled = true
            if progress.state != .finished { log("Cancel") }
            return progress.state
        }
        super.cancel()
        if stateThen == .executing { cancelWork() }
    }

    /// Whether `cancel` was called, even after the operation had finished.
    final var isUnwanted: Bool { progress.withLock { $0.isCancelled } }

    /// Called once, on the cancelling thread, if the work has begun. Work that polls `isCancelled` need not
    /// override it.
    open func cancelWork() {}

    /// Releases what the operation worked on. Called when it finishes, with or without having begun.
    func releaseInput() {}

    private func log(_ event: String) { logger.debug("\("\(self)".printableName) \(event)") }

    // MARK: Dependencies

    /// Like `depends(on:)`, but a cycle is a programmer's error.
    ///
    /// - Precondition: the dependency closes no cycle, whose members would wait for each other forever.
    open override func addDependency(_ operation: Operation) {
        do throws(DependencyError) {
            try connect(to: operation)
        } catch {
            preconditionFailure(error.description)
        }
    }

    final func connect(to operation: Operation) throws(DependencyError) {
        try DependencyGraph.connect(self, to: operation) { super.addDependency(operation) }
        if progress.withLock({ $0.hasLostCount }) { recheckReadiness(after: operation) }
    }

    /// Removes a dependency, finished or not.
    ///
    /// Foundation still counts an unfinished dependency after its removal, and would never start this
    /// operation. From then on, `isReady` checks the remaining dependencies itself.
    open override func removeDependency(_ operation: Operation) {
        guard dependencies.contains(operation) else { return }
        if !operation.isFinished { progress.withLock { $0.hasLostCount = true } }
        super.removeDependency(operation)
        guard progress.withLock({ $0.hasLostCount }) else { return }
        for left in dependencies where !left.isFinished { recheckReadiness(after: left) }
    }

    open override var isReady: Bool {
        guard progress.withLock({ $0.hasLostCount }) else { return super.isReady }
        return isCancelled || dependencies.allSatisfy(\.isFinished)
    }

    private func recheckReadiness(after operation: Operation) {
        let recheck = BlockOperation { [weak self] in
            self?.willChangeValue(for: \.isReady)
            self?.didChangeValue(for: \.isReady)
        }
        recheck.addDependency(operation)
        DependencyGraph.rechecks.addOperation(recheck)
    }

    private func dropDependencies() {
        for operation in dependencies { super.removeDependency(operation) }
    }
}
