import Dispatch
import TintypeImaging
import TintypeLocking

/// Decodes strips ahead on an idle worker, if there is one: a single photo, and the last ones of a batch, are
/// then decoded in parallel with their filtering and encoding.
///
/// The worker is released once a photo waits for it. Only one thread at a time may call this.
final class ReadAheadSource: StripSource {
    /// For fewer strips than this, a second thread costs more time than it saves.
    static let leastStrips = 6

    private let source: any StripSource
    private var workers: PhotoWorkers?
    private var leftWorkerCount = 0
    private var ahead: StripsAhead?
    /// The next row to deliver.
    private var nextRow = 0

    /// - Parameter workers: nil leaves everything to the caller's thread.
    init(_ source: any StripSource, workers: PhotoWorkers? = nil) {
        self.source = source
        self.workers = workers
    }

    /// Call it before the first row is read.
    ///
    /// - Parameter count: idle workers that are left to others.
    func use(_ workers: PhotoWorkers, leaving count: Int) {
        self.workers = workers
        leftWorkerCount = count
    }

    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    func read(into strip: Strip) throws { try PhotoPhase.host.measure { try fill(strip) } }

    private func fill(_ strip: Strip) throws {
        try shareWork(stripRows: strip.rowCapacity)
        strip.firstRow = nextRow
        strip.rowCount = 0
        strip.hasBlockPadding = true
        let end = min(nextRow + strip.rowCapacity, geometry.height)
        while nextRow < end {
            if let ready = try ahead?.next() {
                let rows = nextRow..<min(ready.endRow, end)
                // Includes the padding rows of the last blocks, below the photo.
                let wholeBlocks = rows.count.roundedUp(toMultipleOf: strip.rowGranularity)
                ready.copyRows(nextRow..<nextRow + wholeBlocks, to: strip)
                strip.hasBlockPadding = strip.hasBlockPadding && ready.hasBlockPadding
                nextRow = rows.upperBound
                if nextRow == ready.endRow { ahead?.giveBack(ready) }
            } else {
                let rest = strip.window(
                    atRow: strip.rowCount, rowCapacity: strip.rowCapacity - strip.rowCount)
                try source.read(into: rest)
                precondition(
                    rest.firstRow == nextRow && rest.rowCount > 0, "source rows must be in order")
                strip.hasBlockPadding = strip.hasBlockPadding && rest.hasBlockPadding
                nextRow = rest.endRow
            }
            strip.rowCount = nextRow - strip.firstRow
        }
    }

    func memoryByteCount(stripRows: Int) -> Int {
        var byteCount = source.memoryByteCount(stripRows: stripRows)
        if workers != nil, geometry.height >= Self.leastStrips * stripRows {
            let shape = StripShape(layout: layout, width: geometry.width, rowCapacity: stripRows)
            byteCount += StripsAhead.stripCount * shape.byteCount
        }
        return byteCount
    }

    /// Waits until the other thread no longer uses the source. Rows decoded ahead are lost.
    func abandon() {
        ahead?.stop()
        ahead = nil
    }

    /// Starts to read ahead if a worker is idle; stops if a photo waits for a worker.
    private func shareWork(stripRows: Int) throws(OutOfMemory) {
        guard let workers else { return }
        if workers.isSlotWanted {
            ahead?.stop()
        } else if ahead?.isOver ?? true, nextRow + Self.leastStrips * stripRows <= geometry.height,
            workers.freeThreadCount > 1 + leftWorkerCount, let slot = workers.takeIdleSlot()
        {
            ahead = try StripsAhead(source, from: nextRow, stripRows: stripRows, slot)
        }
    }
}

/// Decodes a few strips ahead, in the photo's order, on a thread of its own.
// @unchecked: only the queue uses the source while strips are due; a strip passes to the queue's thread with
// `decode`, and back through the semaphore `decoded`.
final class StripsAhead: @unchecked Sendable {
    /// One being read, one being decoded, and one to absorb delays of either side.
    static let stripCount = 3

    private let source: any StripSource
    private let slot: PhotoWorkers.Slot
    private let queue = DispatchQueue(label: "tintype.decoder")
    /// Counts decoded strips that `next` has not waited for yet.
    private let decoded = DispatchSemaphore(value: 0)
    /// Strips that are decoded or will be, in order; the first may be partly read.
    private var due: [Strip] = []
    private var isFirstDecoded = false
    private var nextRow: Int
    private var isStopped = false
    /// The error that ended decoding; later strips have no rows.
    private let failure = Locked<(any Error)?>(nil)

    init(
        _ source: any StripSource, from row: Int, stripRows: Int, _ slot: PhotoWorkers.Slot
    ) throws(OutOfMemory) {
        self.source = source
        self.slot = slot
        nextRow = row
        var strips: [Strip] = []
        for _ in 0..<Self.stripCount {
            strips.append(
                try Strip(layout: source.layout, width: source.geometry.width, rowCapacity: stripRows))
        }
        strips.forEach(decode)
    }

    /// Whether all strips were read and no more will follow.
    var isOver: Bool { isStopped && due.isEmpty }

    /// Waits for the first strip that was not given back yet; nil at the end.
    func next() throws -> Strip? {
        guard let strip = due.first else { return nil }
        if !isFirstDecoded { PhotoPhase.wait.measure { decoded.wait() } }
        isFirstDecoded = true
        if strip.rowCount == 0, let error = failure.withLock({ $0 }) { throw error }
        return strip
    }

    /// Returns a strip whose rows were all read.
    func giveBack(_ strip: Strip) {
        due.removeFirst()
        isFirstDecoded = false
        decode(into: strip)
    }

    /// Waits for the strip that is being decoded, and gives the worker back. Strips that are decoded can
    /// still be taken.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        PhotoPhase.wait.measure { queue.sync {} }
        slot.giveBack()
    }

    private func decode(into strip: Strip) {
        guard !isStopped, nextRow < source.geometry.height else { return }
        nextRow += strip.rowCapacity
        due.append(strip)
        let isLast = nextRow >= source.geometry.height
        queue.async { [self] in
            do {
                strip.rowCount = 0
                if failure.withLock({ $0 == nil }) { try source.read(into: strip) }
            } catch {
                strip.rowCount = 0
                failure.withLock { $0 = error }
            }
            if isLast { slot.giveBack() }
            decoded.signal()
        }
    }
}
