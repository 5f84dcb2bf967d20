/// Threads that may help to decode or encode a photo.
package protocol CodecHelpers: AnyObject, Sendable {
    /// Threads that are free now, with the one that asks.
    var freeThreadCount: Int { get }

    /// Calls `body` with each number below `count`, on this thread and on free ones, and returns when all calls
    /// have returned.
    func perform(_ count: Int, _ body: @Sendable (Int) -> Void)
}
