import Glibc

/// Splits the time of the calling thread, while it works on a photo, into phases.
///
/// Code of any module tells the phase, `PhotoPhase.measure`, and needs to know nothing of the photo. On a thread without a clock
/// that does nothing.
package final class PhaseClock {
    private var times = PhotoTimes()
    fileprivate private(set) var phase = PhotoPhase.plan
    private var last = PhaseClock.now

    private init() {}

    /// Starts the thread's clock. The caller keeps it, and ends it on the same thread.
    package static func start() -> PhaseClock {
        let clock = PhaseClock()
        pthread_setspecific(key, Unmanaged.passUnretained(clock).toOpaque())
        return clock
    }

    package func end() -> PhotoTimes {
        pthread_setspecific(Self.key, nil)
        _ = enter(.plan)
        return times
    }

    /// - Returns: the phase until now.
    fileprivate func enter(_ next: PhotoPhase) -> PhotoPhase {
        let now = Self.now, before = phase
        times.add(now - last, to: before)
        (last, phase) = (now, next)
        return before
    }

    /// Moves a part of the thread's current phase, which another thread has measured, to another phase.
    package static func count(_ part: Duration, as phase: PhotoPhase) {
        guard let clock = current else { return }
        let nanoseconds = Int(part / .nanoseconds(1))
        clock.times.add(nanoseconds, to: phase)
        clock.times.add(-nanoseconds, to: clock.phase)
    }

    private static let key = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "cannot create a thread's variable: error \(code)")
        return key
    }()

    fileprivate static var current: PhaseClock? {
        pthread_getspecific(key).map { Unmanaged<PhaseClock>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Nanoseconds of a clock that takes some 25 of them to read.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

extension PhotoPhase {
    /// Calls `body`, whose time belongs to this phase, but for the phases that it tells itself.
    package func measure<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let clock = PhaseClock.current, clock.phase != self else { return try body() }
        let outer = clock.enter(self)
        defer { _ = clock.enter(outer) }
        return try body()
    }
}
