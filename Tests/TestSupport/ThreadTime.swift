import Foundation

/// The seconds of processor time that `body` takes on this thread. Other tests run at the same time.
package func threadSeconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
}

/// The seconds that a file may take, however damaged it is: two, and five times as many in code that a sanitizer watches.
package let damagedFileSeconds: Double = {
    let isWatched = dlsym(nil, "__asan_init") != nil
    return isWatched ? 10 : 2
}()
