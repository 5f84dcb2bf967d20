import Dispatch
import TintypeLocking
import TintypeRendering

/// A thread that makes one render's driver calls. Any of them may hang; a caller then stops waiting after a
/// time limit and continues without an answer.
final class DriverThread: Sendable {
    private let thread = DispatchQueue(label: "OpenCL driver")
    private let watch: DeviceWatch

    init(_ watch: DeviceWatch) { self.watch = watch }

    /// Runs `body` on the thread, after all earlier requests, and waits for the result.
    ///
    /// - Parameters:
    ///   - patience: a factor for the device's usual limit.
    ///   - body: must not use anything that the caller uses after this has thrown: `body` may still run
    ///     later.
    /// - Throws: `DeviceError.stoppedAnswering` if that takes too long; what `body` throws.
    func run<Value>(
        patience: Double = 1, _ body: @escaping () throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try start { (answer: DriverAnswer<Value>) throws(DeviceError) in answer.give(.success(try body())) }
            .wait(patience: patience)
    }

    /// Runs `body` on the thread without waiting.
    ///
    /// - Parameter body: gives the answer, at once or later. An error that it throws is the answer.
    func start<Value>(
        _ body: @escaping (DriverAnswer<Value>) throws(DeviceError) -> Void
    ) -> DriverAnswer<Value> {
        let answer = DriverAnswer<Value>(watch)
        goOn(with: answer, body)
        return answer
    }

    /// Runs `body` on the thread; its result is not used.
    func begin(_ body: @escaping () -> Void) {
        _ = start { (_: DriverAnswer<Void>) in body() }
    }

    /// Runs `body` on the thread to give an answer that is already awaited.
    func goOn<Value>(
        with answer: DriverAnswer<Value>,
        _ body: @escaping (DriverAnswer<Value>) throws(DeviceError) -> Void
    ) {
        let task = Task(body: body)
        thread.async { [watch] in
            do throws(DeviceError) {
                // A lost device gets no more calls.
                try watch.check()
                try task.body(answer)
            } catch {
                answer.give(.failure(error))
            }
        }
    }

    // @unchecked: passed to the thread. `run` documents the caller's duties.
    private struct Task<Value>: @unchecked Sendable {
        let body: (DriverAnswer<Value>) throws(DeviceError) -> Void
    }
}

/// The answer of a driver call: given once, or never.
// @unchecked: `result` is written once, before the semaphore is signalled. It is read after the signal, unless
// the device is lost.
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
        guard let result else { preconditionFailure("signalled without an answer") }
        return try result.get()
    }
}
