import Foundation
import TintypeLocking

/// Why a dependency cannot be added.
public enum DependencyError: Error, Equatable, Sendable {
    /// The operations would wait for each other forever: each for the next one named, the last for the first.
    case cycle([String])
}

extension DependencyError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .cycle(let members) where members.count == 1:
            "\(members[0]) cannot wait for itself. Remove the dependency."
        case .cycle(let members):
            "These operations would wait for each other forever: \((members + members.prefix(1)).joined(separator: " -> ")). "
                + "Leave out one of the dependencies."
        }
    }
}

extension Operation {
    /// Makes this operation wait until `operation` has finished, cancelled or not.
    ///
    /// Takes time proportional to the number of operations that `operation` waits for.
    ///
    /// - Throws: `DependencyError.cycle`, without changing anything.
    public func depends(on operation: Operation) throws(DependencyError) {
        if let asynchronous = self as? AsyncOperation {
            try asynchronous.connect(to: operation)
        } else {
            try DependencyGraph.connect(self, to: operation) { addDependency(operation) }
        }
    }
}

/// Adds dependencies between operations without cycles.
enum DependencyGraph {
    /// Held while a graph changes. Otherwise two threads could close a cycle together.
    private static let changes = Locked(())

    /// Runs blocks that make operations check again whether they are ready.
    static let rechecks: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "Readiness queue"
        return queue
    }()

    /// Calls `connect` unless it would close a cycle.
    ///
    /// - Throws: `DependencyError.cycle`, without calling `connect`.
    static func connect(
        _ dependent: Operation, to operation: Operation, _ connect: () -> Void
    ) throws(DependencyError) {
        let cycle = changes.withLock { _ in
            let path = path(from: operation, to: dependent)
            if path == nil { connect() }
            return path
        }
        guard let cycle else { return }
        // The path runs from `operation` to `dependent`; the error names `dependent` first.
        let members = [dependent] + cycle.dropLast()
        throw .cycle(
            members.map { "\(($0 as? AsyncOperation)?.description ?? $0.name ?? "\(type(of: $0))")" })
    }

    /// The operations from `start` to `end`, each waiting for the next; nil if `start` does not wait for
    /// `end`.
    private static func path(from start: Operation, to end: Operation) -> [Operation]? {
        // Not recursive: chains may be thousands long.
        var path: [Operation] = []
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(start)]
        var branches: [[Operation]] = [[start]]
        while var branch = branches.popLast() {
            guard let operation = branch.popLast() else {
                if !path.isEmpty { path.removeLast() }
                continue
            }
            branches.append(branch)
            path.append(operation)
            if operation === end { return path }
            branches.append(operation.dependencies.filter { seen.insert(ObjectIdentifier($0)).inserted })
        }
        return nil
    }
}
