/// Renders of a device that its driver has failed, one after the other.
///
/// A fault in a GPU may break the driver's context: every call fails from then on, and only a new process has another
/// context.
struct FailuresInARow {
    /// So many are taken for a broken context; a single one may be the photo's.
    private static let limit = 2

    /// Increases with each failure that counts.
    private(set) var number = 0
    private var count = 0

    /// Counts a failure. Those of renders that ran at the same time are one, because they may have had one cause.
    ///
    /// - Parameter number: the failures' number when the render began.
    /// - Returns: whether the process should be ended.
    mutating func add(after number: Int) -> Bool {
        guard number == self.number else { return false }
        self.number += 1
        count += 1
        guard count >= Self.limit else { return false }
        count = 0
        return true
    }

    /// A render has succeeded.
    mutating func end() { count = 0 }
}
