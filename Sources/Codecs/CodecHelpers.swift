/// Threads that may help to decode a photo.
package protocol DecodingHelpers: AnyObject, Sendable {
    /// Threads that are free now, with the one that decodes.
    var freeThreadCount: Int { get }

    /// Calls `body` with each number below `count`, on this thread and on free ones, and returns when all calls
    /// have returned.
    func perform(_ count: Int, _ body: @Sendable (Int) -> Void)
}
