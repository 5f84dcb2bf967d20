import CTintypeSharing
import Glibc
import TintypeLocking

/// A running driver process.
final class DriverChild: Sendable {
    /// The process could not be started.
    struct StartFailure: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "it cannot be started: \(String(cString: strerror(code)))" }
    }

    /// For a message that stops in its middle.
    private static let controlLimit = Duration.seconds(30)

    let control: MessageSocket
    /// The memory that it shares.
    let blocks = MappedBlocks()
    private let processIdentifier: pid_t
    private let idleSockets = Locked<[MessageSocket]>([])
    /// Why it has ended.
    private let ending = Locked<String?>(nil)

    /// - Parameter command: a program and its arguments.
    init(_ command: [String]) throws(StartFailure) {
        guard let (own, other) = MessageSocket.pair() else { throw StartFailure(code: errno) }
        own.setTimeLimit(Self.controlLimit)
        control = own
        processIdentifier = try Self.spawn(command, control: other.descriptor)
    }

    deinit { _ = end() }

    func takeIdleSocket() -> MessageSocket? { idleSockets.withLock { $0.popLast() } }

    func giveBack(_ socket: MessageSocket) { idleSockets.withLock { $0.append(socket) } }

    /// Waits for the process's end, and brings it about if it does not come by itself.
    ///
    /// - Returns: how it has ended.
    func end() -> String {
        ending.withLock { ending in
            if let ending { return ending }
            let reason = collected(within: 200) ?? killed()
            ending = reason
            return reason
        }
    }

    /// Ends the process at once.
    func kill() { ending.withLock { $0 = $0 ?? killed() } }

    private func killed() -> String {
        Glibc.kill(processIdentifier, SIGKILL)
        // A process that hangs in its driver's kernel module does not even end then. It is left to itself.
        _ = collected(within: 1000)
        return "it stopped answering"
    }

    /// How the process has ended; nil if it has not after some milliseconds.
    private func collected(within milliseconds: Int) -> String? {
        for _ in 0...milliseconds {
            var status: Int32 = 0
            let result = waitpid(processIdentifier, &status, WNOHANG)
            if result == processIdentifier {
                let signal = status & 0x7F
                return signal == 0
                    ? "exit code \(status >> 8 & 0xFF)"
                    : strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
            }
            if result < 0, errno != EINTR { return "it has ended" }
            usleep(1000)
        }
        return nil
    }

    /// Starts a program with the control socket as its descriptor 3, without any other but the standard streams.
    /// What it prints goes to this process's standard error, because standard output has results.
    private static func spawn(_ command: [String], control: Int32) throws(StartFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, control, DriverServer.controlDescriptor)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        csharing_close_from(&actions, DriverServer.controlDescriptor + 1)
        // A group of its own: Ctrl-C is for this process, which ends the other one when it is done.
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)

        var arguments = command.map { strdup($0) } + [nil]
        // A crash is reported in a line of this process's, not by Swift.
        var variables =
            environmentVariables().filter { !$0.hasPrefix("SWIFT_BACKTRACE=") }
            .map { strdup($0) } + [strdup("SWIFT_BACKTRACE=enable=no"), nil]
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw StartFailure(code: code) }
        return child
    }

    private static func environmentVariables() -> [String] {
        var texts: [String] = []
        var next = environ
        while let text = next.pointee {
            texts.append(String(cString: text))
            next += 1
        }
        return texts
    }
}
