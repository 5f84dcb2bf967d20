import Dispatch
import Foundation
import Tintype
import TintypeLocking

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop; the second one ends the process at once.
// @unchecked: the sources are only kept alive here; everything else is immutable or Locked.
final class Interruption: @unchecked Sendable {
    private struct State {
        var signal: Int32?
        var stop: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let temporaries: TemporaryFiles
    private let willExit: @Sendable (Int32) -> Void
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameter willExit: called with the exit code before a signal ends the process at once.
    init(temporaries: TemporaryFiles, willExit: @escaping @Sendable (Int32) -> Void = { _ in }) {
        self.temporaries = temporaries
        self.willExit = willExit
        let queue = DispatchQueue(label: "Signal queue")
        for number in [SIGINT, SIGTERM, SIGHUP] where !(number == SIGHUP && Self.isIgnored(number)) {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [unowned self] in received(number) }
            source.resume()
            sources.append(source)
        }
    }

    /// The process's exit code where a signal has stopped the run: 130 for SIGINT, 143 for SIGTERM.
    var exitCode: Int32? { state.withLock { $0.signal }.map { 128 + $0 } }

    /// Sets how a signal stops the work. Without it, a signal ends the process.
    func onSignal(_ stop: (@Sendable () -> Void)?) {
        state.withLock { $0.stop = stop }
    }

    private func received(_ number: Int32) {
        let stop = state.withLock { state -> (@Sendable () -> Void)? in
            defer { state.signal = number }
            return state.signal == nil ? state.stop : nil
        }
        if let stop { return stop() }
        temporaries.removeAll()
        willExit(128 + number)
        _exit(128 + number)
    }

    /// `nohup` wants the run to outlive its terminal.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
