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

/// The seconds that a file may take, however damaged it is: two, and five times as many in code that is not optimised or that a
/// sanitizer watches. Processors that are shared with others take up to twice as long.
package let damagedFileSeconds: Double = {
    #if DEBUG
        let isSlow = true
    #else
        let isSlow = dlsym(nil, "__asan_init") != nil
    #endif
    return isSlow ? 10 : 2
}()
