import Imaging
import Locking

/// Counts the pixels that all workers of a run have made so far.
public final class PixelCounter: Sendable {
    private struct State {
        var pixelCount = 0
        /// Of the photos at work: how many they are, their pixels, and how many of these are made.
        var (photosAtWork, pixelsAtWork, pixelsMade) = (0, 0, 0)
    }

    private let state = Locked(State())

    public init() {}

    public var pixelCount: Int { state.withLock { $0.pixelCount } }

    /// What the photos at work come to together: 1.5 where one is nearly through, and another at half.
    public var photosAtWork: Double {
        state.withLock { state in
            state.pixelsAtWork == 0
                ? 0 : Double(state.photosAtWork) * Double(state.pixelsMade) / Double(state.pixelsAtWork)
        }
    }

    func begin(_ pixels: Int) {
        state.withLock { state in
            state.photosAtWork += 1
            state.pixelsAtWork += pixels
        }
    }

    func add(_ pixels: Int) {
        state.withLock { state in
            state.pixelCount += pixels
            state.pixelsMade += pixels
        }
    }

    /// A photo of `pixels`, of which `made` were added, is not at work any more.
    func end(_ pixels: Int, made: Int) {
        state.withLock { state in
            state.photosAtWork -= 1
            state.pixelsAtWork -= pixels
            state.pixelsMade -= made
        }
    }
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
        counter.begin(pixelCount)
    }

    var layout: PixelLayout { sink.layout }

    func write(_ strip: Strip) throws {
        try sink.write(strip)
        count(strip.rowCount * (pixelCount / rowCount))
    }

    /// Counts what rounding has left out.
    func complete() {
        count(pixelCount - counted)
        counter.end(pixelCount, made: counted)
    }

    /// The photo has failed: its pixels do not count.
    func takeBack() {
        count(-counted)
        counter.end(pixelCount, made: 0)
    }

    private func count(_ pixels: Int) {
        counted += pixels
        counter.add(pixels)
    }
}
