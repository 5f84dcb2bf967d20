import Tintype

/// Adds up the time that several calls take.
final class Stopwatch {
    private(set) var total = Duration.zero
    private let clock = ContinuousClock()

    func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = clock.now
        defer { total += clock.now - start }
        return try body()
    }
}

/// A decoder that measures the time spent in it.
final class TimedSource: StripSource {
    private let source: any StripSource
    private let stopwatch: Stopwatch

    init(_ source: any StripSource, _ stopwatch: Stopwatch) {
        self.source = source
        self.stopwatch = stopwatch
    }

    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    func read(into strip: Strip) throws { try stopwatch.measure { try source.read(into: strip) } }
}

/// An encoder that measures the time spent in it.
final class TimedSink: StripSink {
    private let sink: any StripSink
    private let stopwatch: Stopwatch

    init(_ sink: any StripSink, _ stopwatch: Stopwatch) {
        self.sink = sink
        self.stopwatch = stopwatch
    }

    var layout: PixelLayout { sink.layout }

    func write(_ strip: Strip) throws { try stopwatch.measure { try sink.write(strip) } }
}
