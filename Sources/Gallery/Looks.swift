import NIOPosix
import Tintype
import TintypeLocking

/// Pictures of photos with filters that are still being set. They are made of smaller copies, which stay in memory.
final class Looks: Sendable {
    /// The longer sides of copies, in pixels. A copy has the first that is not less than what is asked for, so that a few copies
    /// serve windows and cells of all sizes.
    static let sides = [160, 240, 320, 480, 640, 960, 1280, 1600, 2048, 2560]

    struct Picture: Sendable {
        let item: Int
        let bytes: [UInt8]
        /// The size of the whole photo with these filters, as shown.
        let width, height: Int
        /// Names of filters that need the photo's own pixels to be seen, joined by commas.
        let rough: String
    }

    private struct Key: Hashable {
        let item: Int
        let longSide: Int
        let generation: Int
    }

    /// A copy of a photo in 4:3 takes 0.2 MB for a cell of 320 pixels, and 3.7 for a view of 1280.
    static let byteLimit = 256 << 20

    private let copies = LeastUsedCache<Key, PhotoProxy>(byteLimit: byteLimit) { $0.byteCount }
    private let generation = Locked(0)
    private let limits: DecodeLimits
    private let memory: MemoryBudget
    private let threads: NIOThreadPool

    init(_ limits: DecodeLimits, _ memory: MemoryBudget, _ threads: NIOThreadPool) {
        self.limits = limits
        self.memory = memory
        self.threads = threads
    }

    var byteCount: Int { copies.byteCount }

    /// For other photos of the same numbers. Copies that are being made belong to the former ones.
    func forgetAll() {
        generation.withLock { $0 += 1 }
        copies.removeAll()
    }

    /// A photo's look.
    ///
    /// - Parameter longSide: the most pixels of its longer side.
    /// - Throws: `PhotoError` if the photo cannot be decoded; `CancellationError`.
    func picture(
        of item: Int, _ image: EncodedImage, longSide: Int, _ chain: FilterChain
    ) async throws -> Picture {
        let isCancelled = Locked(false), generation = generation.withLock { $0 }
        let longSide = min(max(1, longSide), Self.sides[Self.sides.count - 1])
        return try await withTaskCancellationHandler {
            try await threads.runIfActive { [self] in
                guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
                let isCancelled = { isCancelled.withLock { $0 } }
                let copy = try copy(of: item, image, for: chain, longSide, generation, isCancelled)
                let picture = try copy.filtered(by: chain, atMost: longSide, isCancelled: isCancelled)
                return Picture(
                    item: item, bytes: picture.bytes, width: picture.whole.width,
                    height: picture.whole.height,
                    rough: chain.needingPixels(of: copy.whole, at: copy.share).joined(separator: ","))
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// A copy that is large enough for what filters such as a crop leave of it.
    private func copy(
        of item: Int, _ image: EncodedImage, for chain: FilterChain, _ longSide: Int, _ generation: Int,
        _ isCancelled: @escaping () -> Bool
    ) throws -> PhotoProxy {
        let copy = try copy(of: item, image, longSide, generation, isCancelled)
        let wanted = min(longSide, copy.size(after: chain).longSide), left = copy.longSide(after: chain)
        guard left < wanted, copy.share < 1 else { return copy }
        return try self.copy(of: item, image, longSide * wanted / max(1, left), generation, isCancelled)
    }

    private func copy(
        of item: Int, _ image: EncodedImage, _ wanted: Int, _ generation: Int,
        _ isCancelled: @escaping () -> Bool
    ) throws -> PhotoProxy {
        let longSide = Self.sides.first { $0 >= wanted } ?? Self.sides[Self.sides.count - 1]
        let key = Key(item: item, longSide: longSide, generation: generation)
        if let copy = copies[key] { return copy }
        let copy = try PhotoProxy(
            of: image, fitting: longSide, limits: limits, memory: memory, isCancelled: isCancelled)
        copies[key] = copy
        return copy
    }
}
