import Foundation
import Glibc

/// A program that a test runs. Foundation's `Process` passes on the calling thread's blocked signals, so a
/// server started from a test could not be stopped.
final class ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let id: pid_t
    private var status: Int32?

    /// - Parameter path: absolute. Its output goes nowhere.
    init(_ path: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // Mainly the tests' sockets: if they stayed open here, peers would not see them close.
        for descriptor in Int32(3)..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, &words, environ)
        guard code == 0 else {
            throw Failure(description: "\(path) did not start: \(String(cString: strerror(code)))")
        }
        self.id = id
    }

    /// Runs a program to its end.
    static func run(_ path: String, _ arguments: [String]) throws {
        let code = try ChildProcess(path, arguments).wait()
        guard code == 0 else { throw Failure(description: "\(path) \(arguments) ended with \(code).") }
    }

    var isRunning: Bool {
        guard status == nil else { return false }
        var code: Int32 = 0
        if waitpid(id, &code, WNOHANG) == id { status = code }
        return status == nil
    }

    /// Kills it: nginx overlooks a SIGTERM while it starts.
    func stop() {
        guard isRunning else { return }
        kill(id, SIGKILL)
        _ = wait()
    }

    private func wait() -> Int32 {
        if let status { return status }
        var code: Int32 = 0
        while waitpid(id, &code, 0) == -1, errno == EINTR {}
        status = code
        return code
    }
}
