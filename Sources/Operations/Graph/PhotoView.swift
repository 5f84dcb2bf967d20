import Logging

/// A view of photos on the main actor, such as a window's list.
///
/// A session holds it weakly. Calls arrive whenever the main actor is free: see `SerialMainQueue`.
@MainActor
public protocol PhotoView: AnyObject, Sendable {
    /// All photos, and their number, may have changed.
    func reloadAll()
    /// The photo at index `item` has changed.
    func reload(item: Int)
}

/// Passes reloads on to a view on the main actor.
package final class MainActorTarget: ReloadTarget {
    private weak let view: (any PhotoView)?

    package init(_ view: any PhotoView) { self.view = view }

    package func reloadAll() { MainActor.assumeIsolated { view?.reloadAll() } }
    package func reload(item: Int) { MainActor.assumeIsolated { view?.reload(item: item) } }
}

extension ReloadOperation {
    /// Reloads a view on the main actor. Add the operation to `OperationQueue.main`.
    public convenience init(
        _ scope: Scope, of view: any PhotoView, name: String? = nil, logger: Logger = Logger(label: "tintype")
    ) {
        self.init(scope, of: MainActorTarget(view), on: .main, name: name, logger: logger)
    }
}
