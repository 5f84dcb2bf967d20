import Foundation
import Logging

/// A view that displays photos and reloads them. Called on the serial main queue only.
public protocol ReloadTarget: AnyObject, Sendable {
    /// All photos may have changed.
    func reloadAll()
    /// The photo at index `item` has changed.
    func reload(item: Int)
}

/// Makes a view reload one photo or all photos. Runs on the serial main queue only.
// @unchecked: every property added here is immutable and Sendable.
public final class ReloadOperation: AsyncOperation, @unchecked Sendable {
    /// The photos that are reloaded.
    public enum Scope: Hashable, Sendable {
        /// All photos.
        case all
        /// The photo at this index.
        case item(Int)
    }

    /// The photos that are reloaded.
    public let scope: Scope
    private let target: any ReloadTarget
    private let mainQueue: SerialMainQueue

    /// - Parameters:
    ///   - mainQueue: the queue that this operation will be added to.
    ///   - name: the photo's name, for logs; nil names the scope.
    public init(
        _ scope: Scope, of target: any ReloadTarget, on mainQueue: SerialMainQueue, name: String? = nil,
        logger: Logger = Logger(label: "tintype")
    ) {
        self.scope = scope
        self.target = target
        self.mainQueue = mainQueue
        super.init(name: name ?? scope.name, logger: logger)
    }

    /// Reloads the view.
    ///
    /// - Precondition: runs on the serial main queue that was given to `init`.
    public override func main() {
        precondition(mainQueue.isCurrent, "\(self) was added to another queue than its main queue")
        defer { finish() }
        guard !isCancelled else { return }
        switch scope {
        case .all: target.reloadAll()
        case .item(let item): target.reload(item: item)
        }
    }
}

extension ReloadOperation.Scope {
    fileprivate var name: String {
        switch self {
        case .all: "all"
        case .item(let item): "item \(item)"
        }
    }
}
