import NIOPosix
import Tintype
import TintypeLocking

/// Pictures of photos with filters that are still being set. They are made of smaller copies, which stay in memory.
final class Looks: Sendable {
    /// The longer sides of copies, in pixels: cells of the grid have the first, large views the others. A copy serves all
    /// wishes up to its own.
    static let sides = [160, 240, 320, 480, 640, 960, 1280, 1600, 2048, 2560]

    struct Picture: Sendable {
        let item: Int
        let bytes: [UInt8]
        /// The size of the whole photo with these filters, as shown.
        let width, height: Int
    }

    private struct Key: Hashable {
        let item: Int
        let longSide: Int
    }

    /// A copy of a photo in 4:3 takes 0.2 MB for a cell of 320 pixels, and 3.7 for a view of 1280.
    static let byteLimit = 256 << 20

    private let copies = LeastUsedCache<Key, PhotoProxy>(byteLimit: byteLimit) { $0.byteCount }
    private let limits: DecodeLimits
    private let memory: MemoryBudget
    private let threads: NIOThreadPool

    init(_ limits: DecodeLimits, _ memory: MemoryBudget, _ threads: NIOThreadPool) {
        self.limits = limits
        self.memory = memory
        self.threads = threads
    }

    var byteCount: Int { copies.byteCount }

    /// For other photos of the same numbers.
    func forgetAll() { copies.removeAll() }

    /// A photo's look.
    ///
    /// - Parameter longSide: the pixels that its longer side has at least, up to the most that copies have.
    /// - Throws: `PhotoError` if the photo cannot be decoded; `CancellationError`.
    func picture(
        of item: Int, _ image: EncodedImage, longSide: Int, _ chain: FilterChain
    ) async throws -> Picture {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await threads.runIfActive { [self] in
                guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
                let copy = try copy(of: item, image, longSide)
                let picture = try copy.filtered(by: chain) { isCancelled.withLock { $0 } }
                return Picture(
                    item: item, bytes: picture.bytes, width: picture.whole.width, height: picture.whole.height
                )
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func copy(of item: Int, _ image: EncodedImage, _ wanted: Int) throws -> PhotoProxy {
        let longSide = Self.sides.first { $0 >= wanted } ?? Self.sides[Self.sides.count - 1]
        let key = Key(item: item, longSide: longSide)
        if let copy = copies[key] { return copy }
        let copy = try PhotoProxy(of: image, fitting: longSide, limits: limits, memory: memory)
        copies[key] = copy
        return copy
    }
}
