import NIOPosix
import Tintype
import TintypeLocking

/// Pictures of photos with filters that are still being set. They are made of smaller copies, which stay in memory.
final class Looks: Sendable {
    /// What a picture is for.
    enum Size: String, Decodable, CaseIterable, Sendable {
        /// A cell of the grid.
        case cell
        /// The large view.
        case view

        /// The copy's longer side has at least this many pixels, and less than twice as many.
        var longSide: Int {
            switch self {
            case .cell: 256
            case .view: 1280
            }
        }
    }

    struct Picture: Sendable {
        let item: Int
        let bytes: [UInt8]
        /// The size of the whole photo with these filters, as shown.
        let width, height: Int
    }

    private struct Key: Hashable {
        let item: Int
        let size: Size
    }

    /// A copy of a photo in 4:3 takes 0.2 to 0.6 MB for the grid, and 3.7 to 15 for the large view.
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
    /// - Throws: `PhotoError` if the photo cannot be decoded; `CancellationError`.
    func picture(
        of item: Int, _ image: EncodedImage, _ size: Size, _ chain: FilterChain
    ) async throws -> Picture {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await threads.runIfActive { [self] in
                guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
                let copy = try copy(of: item, image, size)
                let picture = try copy.filtered(by: chain) { isCancelled.withLock { $0 } }
                return Picture(
                    item: item, bytes: picture.bytes, width: picture.whole.width, height: picture.whole.height
                )
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func copy(of item: Int, _ image: EncodedImage, _ size: Size) throws -> PhotoProxy {
        let key = Key(item: item, size: size)
        if let copy = copies[key] { return copy }
        let copy = try PhotoProxy(of: image, longSide: size.longSide, limits: limits, memory: memory)
        copies[key] = copy
        return copy
    }
}
