import TintypeLocking

/// The kernels that PoCL has loaded for grids of all sizes.
///
/// PoCL (3.1 to 5.0, at least) loads a kernel once more where a grid is wider or higher than all before. If another launch of the
/// kernel runs meanwhile, the end of one launch is counted for the other, and an assertion ends the process
/// (`pocl_release_dlhandle_cache`). So a kernel runs on a grid as long as any photo's before its first launch.
final class LoadedKernels: Sendable {
    /// What PoCL tells kernels apart by.
    struct Key: Hashable {
        let program: Int
        let kernel: String
        let groupColumns, groupRows: Int
    }

    /// PoCL's kernels are the process's, not a device's.
    static let shared = LoadedKernels()
    /// Enough for photos of as many columns and strips of as many rows: PoCL compares the longer sides of grids.
    static let gridColumns = 1 << 16
    /// PoCL has at most 128 loaded, and unloads those that it has not used for longest.
    private static let largestCount = 96

    private let keys = Locked<Set<Key>>([])

    func contains(_ key: Key) -> Bool { keys.withLock { $0.contains(key) } }

    func insert(_ key: Key) {
        keys.withLock { keys in
            if keys.count >= Self.largestCount { keys = [] }
            keys.insert(key)
        }
    }
}
