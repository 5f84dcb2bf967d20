import Dispatch

/// One photo's turn in PoCL, from its first command to its last.
///
/// PoCL loads a kernel anew where a grid is larger than all before, and fails if another launch of the kernel runs meanwhile: see
/// `LoadedKernels`. The codec's kernels cannot run on a larger grid before their first use, so photos take turns.
enum PoCLTurn {
    private static let free = DispatchSemaphore(value: 1)

    /// Waits for the turn.
    static func begin() { free.wait() }

    static func end() { free.signal() }
}
