import Files
import Foundation
import Locking
import Logging

/// The base of all of Tintype's operations: it is finished when its work says so, not when `main` returns.
///
/// A subclass overrides `main`, which begins the work, and calls `finish` once the work has ended, from any
/// thread; what waits for the network returns from `main` at once, so it holds no thread. Work that was
/// cancelled calls `finish` too. Each operation logs, at debug level, `<Type NAME> Start`, `Cancel`, and at
/// last either `Done` or `Cancelled`.
///
/// An operation lets go of its dependencies when it finishes: a long chain would else keep every image it has
/// made, and would be released recursively.
// @unchecked: what is added here is immutable and Sendable, or Locked; Foundation guards its own state.
open class AsyncOperation: Operation, @unchecked Sendable {
    public enum State: Sendable {
        /// Not begun. Whether it may begin is `isReady`'s to say.
        case ready
        case executing
        case finished
    }

    private struct Progress {
        var state = State.ready
        var isCancelled = false
        /// Whether Foundation has miscounted what this operation waits for; see `removeDependency`.
        var hasLostCount = false
    }

    public let logger: Logger
    private let progress = Locked(Progress())

    /// - Parameter name: of the photo, for logs and messages.
    public init(name: String, logger: Logger = Logger(label: "tintype")) {
        self.logger = logger
        super.init()
        self.name = name
    }

    // An unfinished dependency would keep a pointer to an operation that is gone.
    deinit { dropDependencies() }

    public final var state: State { progress.withLock { $0.state } }

    public final override var isExecuting: Bool { state == .executing }
    public final override var isFinished: Bool { state == .finished }
    public final override var isAsynchronous: Bool { true }

    open override var description: String { "<\(type(of: self)) \(name ?? "")>" }

    /// Begins, or, where it was cancelled before, ends at once. Called by the queue.
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

    /// Ends the operation; only the first call counts.
    ///
    /// - Parameter wasCancelled: whether the work was left undone; nil where being cancelled means just that.
    public final func finish(wasCancelled: Bool? = nil) {
        dropDependencies()
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        let previous = progress.withLock { progress in
            let previous = progress.state
            guard previous != .finished else { return previous }
            progress.state = .finished
            // Under the lock: nothing is logged behind the last line.
            log(wasCancelled ?? progress.isCancelled ? "Cancelled" : "Done")
            return previous
        }
        guard previous != .finished else { return }
        if previous == .executing { didChangeValue(for: \.isExecuting) }
        didChangeValue(for: \.isFinished)
    }

    /// Asks the operation to end soon; one that has finished stays as it is.
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

    /// Whether it was asked to end, even where that was after it had finished.
    final var isUnwanted: Bool { progress.withLock { $0.isCancelled } }

    /// Called once, on the thread that cancels, where the work has begun. Work that polls `isCancelled` needs
    /// nothing here.
    open func cancelWork() {}

    private func log(_ event: String) { logger.debug("\("\(self)".printableName) \(event)") }

    // MARK: Dependencies

    /// As `depends(on:)`, for graphs that a program spells out.
    ///
    /// - Precondition: no cycle would come of it: its members would wait for each other forever.
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

    /// Waits for `operation` no longer, whether it has finished or not.
    ///
    /// Foundation goes on counting an unfinished operation that was removed, and would never start this one;
    /// so from then on readiness is found by looking at the dependencies that are left.
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
