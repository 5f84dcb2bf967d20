import Dispatch
import Logging
import Tintype

/// Waits for a random time and holds no thread, so that the order of a gallery's operations can be seen.
// @unchecked: there are no properties of its own.
final class DelayOperation: AsyncOperation, @unchecked Sendable {
    private static let limit = 2.0

    override func main() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .random(in: 0...Self.limit)) { self.finish() }
    }

    override func cancelWork() { finish() }
}
