import Glibc

/// A value that one thread at a time can access.
///
/// It uses `pthread_mutex_t`. The standard library's `Mutex` is a futex on Linux, which the thread sanitizer
/// does not see, so the sanitizer would report false races.
// @unchecked: the value is accessed under the lock only.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// On the heap, because a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        value = .allocate(capacity: 1)
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "cannot create a mutex: error \(code)")
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Waits until no other thread uses the value, and passes it to `body`. `body` must not call this again.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
