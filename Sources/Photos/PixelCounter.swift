import TintypeImaging
import TintypeLocking

/// Counts the pixels that all workers of a run have encoded so far.
public final class PixelCounter: Sendable {
    private struct State {
        var pixelCount = 0
        /// Photos at work, their pixels, and how many of these pixels are encoded.
        var (photosAtWork, pixelsAtWork, pixelsMade) = (0, 0, 0)
    }

    private let state = Locked(State())

    public init() {}

    /// Pixels of input photos that were encoded. Those of a photo that fails are subtracted again.
    public var pixelCount: Int { state.withLock { $0.pixelCount } }

    /// Completed fraction of the photos at work, times their number: 1.5 if one of two is nearly done and the
    /// other, of the same size, is half done.
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

    /// Removes a photo of `pixels`, of which `made` were added, from those at work.
    func end(_ pixels: Int, made: Int) {
        state.withLock { state in
            state.photosAtWork -= 1
            state.pixelsAtWork -= pixels
            state.pixelsMade -= made
        }
    }
}

/// The pixels of one output, as they are encoded.
final class CountedPixels {
    private let counter: PixelCounter
    private let pixelCount: Int
    private var counted = 0

    /// - Parameter pixelCount: pixels of the input photo.
    init(_ pixelCount: Int, _ counter: PixelCounter) {
        self.counter = counter
        self.pixelCount = pixelCount
        counter.begin(pixelCount)
    }

    /// Counts rows of the output.
    func add(_ rows: Int, of rowCount: Int) { count(rows * (pixelCount / rowCount)) }

    /// Counts the rest.
    func complete() {
        count(pixelCount - counted)
        counter.end(pixelCount, made: counted)
    }

    /// Removes the pixels of a photo that has failed.
    func takeBack() {
        count(-counted)
        counter.end(pixelCount, made: 0)
    }

    private func count(_ pixels: Int) {
        counted += pixels
        counter.add(pixels)
    }
}

/// Passes strips on to an encoder, and counts the photo's pixels.
final class CountingSink: StripSink {
    private let sink: any StripSink
    private let rowCount: Int
    private let pixels: CountedPixels
    var layout: PixelLayout { sink.layout }

    /// - Parameter rowCount: rows that will be written.
    init(_ sink: any StripSink, rowCount: Int, _ pixels: CountedPixels) {
        self.sink = sink
        self.rowCount = rowCount
        self.pixels = pixels
    }

    func write(_ strip: Strip) throws {
        try PhotoPhase.host.measure { try sink.write(strip) }
        pixels.add(strip.rowCount, of: rowCount)
    }
}
