import Foundation
import Locking

/// The temporary files of a run, for removal when a signal ends it.
public final class TemporaryFiles: Sendable {
    private let paths = Locked<Set<String>>([])

    public init() {}

    package func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

    package func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

    /// Removes all temporary files that still exist.
    public func removeAll() {
        paths.withLock { paths in
            for path in paths { unlink(path) }
            paths = []
        }
    }
}
