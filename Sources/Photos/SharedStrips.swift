import Foundation
import TintypeCompute
import TintypeImaging

/// Decodes a photo once for several consumers, each with a thread of its own.
///
/// The consumer that needs a strip first decodes it; the others wait for it. A strip is kept until all consumers have
/// read it, and only a few strips are kept, so the fastest consumer waits for the slowest. A consumer that ends
/// early must leave.
// @unchecked: `condition` guards the variables. Only the consumer that decodes uses the source and the next strip;
// the others read strips that are decoded.
final class SharedStrips: @unchecked Sendable {
    /// With more, consumers run longer before they wait, and find their own rows in the cache for longer. Measured:
    /// with 4, three outputs took more CPU time.
    private static let stripCount = 16
    /// A consumer that has found no strip free waits until so many are: threads that take turns at every strip lose
    /// their caches.
    private static let freeCount = 8

    private let source: any StripSource
    private let condition = NSCondition()
    /// A ring: strip `index` is at `index % stripCount`.
    private var strips: [Strip] = []
    private var decodedCount = 0
    private var isDecoding = false
    /// The strip that each consumer reads; those before it are no longer needed.
    private var positions: [Int]
    private var failure: (any Error)?
    /// Consumers that wait for free strips.
    private var waiterCount = 0

    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }
    let stripRows: Int
    /// Bytes of all strips, and of their source.
    var byteCount: Int {
        let shape = StripShape(layout: layout, width: geometry.width, rowCapacity: stripRows)
        return Self.stripCount * shape.byteCount + source.memoryByteCount(stripRows: stripRows)
    }

    /// Nothing is allocated or decoded yet.
    init(_ source: any StripSource, consumerCount: Int) {
        self.source = source
        let plan = RenderPlan([], for: source.geometry, input: source.layout, output: source.layout)
        stripRows = plan.usualStripRows
        positions = Array(repeating: 0, count: consumerCount)
    }

    /// Waits for a strip; the consumer has read all strips before it.
    ///
    /// - Throws: the error of the source, to every consumer that comes so far.
    func strip(_ index: Int, for consumer: Int) throws -> Strip {
        condition.lock()
        defer { condition.unlock() }
        positions[consumer] = index
        wakeWaiters()
        while index >= decodedCount {
            if let failure { throw failure }
            if isDecoding {
                PhotoPhase.wait.measure { condition.wait() }
            } else if heldCount < Self.stripCount {
                decodeNext()
            } else {
                waiterCount += 1
                while failure == nil, !isDecoding, index >= decodedCount,
                    heldCount > Self.stripCount - Self.freeCount
                {
                    PhotoPhase.wait.measure { condition.wait() }
                }
                waiterCount -= 1
            }
        }
        return strips[index % Self.stripCount]
    }

    /// Ends a consumer, so that no other one waits for it.
    func leave(_ consumer: Int) {
        condition.lock()
        positions[consumer] = .max
        wakeWaiters()
        condition.unlock()
    }

    /// Strips that a consumer has not read yet.
    private var heldCount: Int { decodedCount - (positions.min() ?? 0) }

    private func wakeWaiters() {
        if waiterCount > 0, heldCount <= Self.stripCount - Self.freeCount { condition.broadcast() }
    }

    /// Decodes a strip without the lock, and takes the lock again.
    private func decodeNext() {
        isDecoding = true
        let used = strips.count == Self.stripCount ? strips[decodedCount % Self.stripCount] : nil
        condition.unlock()
        let result = Result {
            let strip =
                try used
                ?? Strip(layout: layout, width: geometry.width, rowCapacity: stripRows)
            try source.read(into: strip)
            return strip
        }
        condition.lock()
        isDecoding = false
        switch result {
        case .success(let strip):
            if used == nil { strips.append(strip) }
            decodedCount += 1
        case .failure(let error): failure = error
        }
        condition.broadcast()
    }
}

/// One consumer's view of shared strips: all rows, in order.
final class SharedSource: StripSource {
    private let strips: SharedStrips
    private let consumer: Int
    private var nextRow = 0

    init(_ strips: SharedStrips, consumer: Int) {
        self.strips = strips
        self.consumer = consumer
    }

    var geometry: PhotoGeometry { strips.geometry }
    var layout: PixelLayout { strips.layout }

    func read(into strip: Strip) throws { try PhotoPhase.host.measure { try fill(strip) } }

    private func fill(_ strip: Strip) throws {
        strip.firstRow = nextRow
        strip.hasBlockPadding = true
        let end = min(nextRow + strip.rowCapacity, geometry.height)
        while nextRow < end {
            let ready = try strips.strip(nextRow / strips.stripRows, for: consumer)
            let rows = nextRow..<min(ready.endRow, end)
            // Includes the padding rows of the last blocks, below the photo.
            let wholeBlocks = rows.count.roundedUp(toMultipleOf: strip.rowGranularity)
            ready.copyRows(nextRow..<nextRow + wholeBlocks, to: strip)
            strip.hasBlockPadding = strip.hasBlockPadding && ready.hasBlockPadding
            nextRow = rows.upperBound
        }
        strip.rowCount = nextRow - strip.firstRow
        if nextRow == geometry.height { strips.leave(consumer) }
    }
}
