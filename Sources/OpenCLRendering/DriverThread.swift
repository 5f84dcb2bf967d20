import Dispatch
import Locking
import Rendering

/// A thread for one render's calls of a driver, which may hang in any of them: whoever asks waits for so
/// long only, and goes on without an answer.
final class DriverThread: Sendable {
    private let thread = DispatchQueue(label: "OpenCL driver")
    private let watch: DeviceWatch

    init(_ watch: DeviceWatch) { self.watch = watch }

    /// Has the thread run `body`, after all that was asked of it before, and waits for the result.
    ///
    /// - Parameters:
    ///   - patience: how many times the device's usual limit this may take.
    ///   - body: must reach nothing that the caller touches should this throw: it may go on one day.
    /// - Throws: `DeviceError.stoppedAnswering` where that takes too long; what `body` throws.
    func run<Value>(
        patience: Double = 1, _ body: @escaping () throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try start { (answer: DriverAnswer<Value>) throws(DeviceError) in answer.give(.success(try body())) }
            .wait(patience: patience)
    }

    /// Has the thread run `body`, and does not wait.
    ///
    /// - Parameter body: gives the answer, at once or later; an error that it throws is the answer.
    func start<Value>(
        _ body: @escaping (DriverAnswer<Value>) throws(DeviceError) -> Void
    ) -> DriverAnswer<Value> {
        let answer = DriverAnswer<Value>(watch)
        goOn(with: answer, body)
        return answer
    }

    /// Has the thread run `body`, whose result nobody waits for.
    func begin(_ body: @escaping () -> Void) {
        _ = start { (_: DriverAnswer<Void>) in body() }
    }

    /// Has the thread run `body`, with an answer that somebody waits for already.
    func goOn<Value>(
        with answer: DriverAnswer<Value>,
        _ body: @escaping (DriverAnswer<Value>) throws(DeviceError) -> Void
    ) {
        let task = Task(body: body)
        thread.async { [watch] in
            do throws(DeviceError) {
                // Of a device that was given up nothing more is asked.
                try watch.check()
                try task.body(answer)
            } catch {
                answer.give(.failure(error))
            }
        }
    }

    // @unchecked: handed over to the thread; see `run` for what the caller must keep to.
    private struct Task<Value>: @unchecked Sendable {
        let body: (DriverAnswer<Value>) throws(DeviceError) -> Void
    }
}

/// What a driver will have answered: once, or never.
// @unchecked: `result` is written once, before the semaphore is signalled, and read after it was, by a device that
// was not given up.
final class DriverAnswer<Value>: @unchecked Sendable {
    private let watch: DeviceWatch
    private let isGiven = DispatchSemaphore(value: 0)
    private let isAnswered = Locked(false)
    private var result: Result<Value, DeviceError>?

    fileprivate init(_ watch: DeviceWatch) { self.watch = watch }

    /// The first answer counts.
    func give(_ result: Result<Value, DeviceError>) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        guard isFirst else { return }
        self.result = result
        isGiven.signal()
    }

    /// Waits for the answer; to be called once.
    ///
    /// - Throws: `DeviceError.stoppedAnswering` where it takes too long; the answer where it is an error.
    func wait(patience: Double = 1) throws(DeviceError) -> Value {
        _ = try watch.wait(for: isGiven, patience: patience)
        return try value()
    }

    /// As the other, and asks meanwhile whether to go on waiting.
    ///
    /// - Throws: `CancellationError` too.
    func wait(patience: Double = 1, isCancelled: () -> Bool) throws -> Value {
        guard try watch.wait(for: isGiven, patience: patience, isCancelled: isCancelled) else {
            throw CancellationError()
        }
        return try value()
    }

    private func value() throws(DeviceError) -> Value {
        guard let result else { preconditionFailure("an answer is given before it is signalled") }
        return try result.get()
    }
}
