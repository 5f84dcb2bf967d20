import Glibc
import SystemPackage
import TintypeFiles
import TintypeLocking

/// A thread that can be joined, unlike Foundation's `Thread`.
final class JoinableThread: Sendable {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let handle: Locked<pthread_t?>

    /// - Parameter name: the name in `ps -L`, at most 15 bytes.
    /// - Throws: `DownloadError.library`.
    init(name: String, _ run: @escaping @Sendable () -> Void) throws(DownloadError) {
        let body = Unmanaged.passRetained(Body(name, run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                blockSignals()
                nameThisThread(body.name)
                body.run()
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw .library(reason: "no thread: \(Errno(rawValue: code))")
        }
        handle = Locked(thread)
    }

    /// Waits until the thread has ended; any number of callers may. On the thread itself it returns at once.
    func join() {
        handle.withLock { handle in
            guard let thread = handle else { return }
            if pthread_equal(thread, pthread_self()) != 0 {
                pthread_detach(thread)
            } else {
                pthread_join(thread, nil)
            }
            handle = nil
        }
    }
}

/// Leaves signals to the program's own threads. SIGPIPE from a broken TLS connection would end the process.
private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}

/// Names the thread for debugging; failures are ignored. Swift imports neither `prctl` nor
/// `pthread_setname_np`.
private func nameThisThread(_ name: String) {
    try? OpenFile("/proc/thread-self/comm", .writeOnly).write(Array(name.utf8))
}
