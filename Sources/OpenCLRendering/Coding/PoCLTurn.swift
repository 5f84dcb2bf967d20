import Dispatch
import TintypeLocking

/// One photo's turn in PoCL, from its first command to its last.
///
/// PoCL loads a kernel anew where a grid is larger than all before, and fails if another launch of the kernel runs meanwhile: see
/// `LoadedKernels`. The codec's kernels cannot run on a larger grid before their first use, so photos take turns.
final class PoCLTurn: Sendable {
    private static let free = DispatchSemaphore(value: 1)
    private let isOver = Locked(false)

    /// Waits for the turn.
    init() { Self.free.wait() }

    func end() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst { Self.free.signal() }
    }

    deinit { end() }
}
