import Imaging
import Synchronization

/// Counts the pixels that all workers of a run have made so far.
public final class PixelCounter: Sendable {
    private let count = Atomic<Int>(0)

    public init() {}

    public var pixelCount: Int { count.load(ordering: .relaxed) }

    package func add(_ pixels: Int) { count.wrappingAdd(pixels, ordering: .relaxed) }
}

/// Passes strips on to an encoder, and counts the photo's pixels as they come.
final class CountingSink: StripSink {
    private let sink: any StripSink
    private let counter: PixelCounter
    private let rowCount: Int
    private let pixelCount: Int
    private var counted = 0

    /// - Parameters:
    ///   - rowCount: rows that will be written.
    ///   - pixelCount: what they count for together: the photo's pixels as it was read.
    init(_ sink: any StripSink, rowCount: Int, pixelCount: Int, counter: PixelCounter) {
        self.sink = sink
        self.counter = counter
        self.rowCount = rowCount
        self.pixelCount = pixelCount
    }

    var layout: PixelLayout { sink.layout }

    func write(_ strip: Strip) throws {
        try sink.write(strip)
        count(strip.rowCount * (pixelCount / rowCount))
    }

    /// Counts what rounding has left out.
    func complete() { count(pixelCount - counted) }

    /// The photo has failed: its pixels do not count.
    func takeBack() { count(-counted) }

    private func count(_ pixels: Int) {
        counted += pixels
        counter.add(pixels)
    }
}
