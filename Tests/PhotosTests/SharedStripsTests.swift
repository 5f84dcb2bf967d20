import Dispatch
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeCodecs
@testable import TintypePhotos

struct SharedStripsTests {
    // nonisolated(unsafe): nothing changes it.
    private nonisolated(unsafe) static let photo = MemoryPhoto(
        noise: PhotoGeometry(width: 517, height: 1203), layout: .yCbCr(.s420), seed: 3)

    /// A source that counts its strips, and fails once it has given `most`.
    private final class CountedSource: StripSource {
        private let source: any StripSource
        private let most: Int
        let count = Locked(0)

        init(_ source: any StripSource, most: Int = .max) {
            self.source = source
            self.most = most
        }

        var geometry: PhotoGeometry { source.geometry }
        var layout: PixelLayout { source.layout }

        func read(into strip: Strip) throws {
            guard
                count.withLock({
                    $0 += 1; return $0
                }) <= most
            else { throw CodecError.truncated }
            try source.read(into: strip)
        }
    }

    /// Runs consumers at once, each on a thread of its own.
    private func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let threads = DispatchGroup()
        for consumer in 0..<count {
            DispatchQueue(label: "consumer").async(group: threads) { body(consumer) }
        }
        threads.wait()
    }

    /// Reads a source in strips of random heights.
    private static func samples(of source: any StripSource, seed: UInt64) throws -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let result = MemoryPhoto(source.geometry, layout: source.layout)
        let sink = result.makeSink()
        var row = 0
        while row < source.geometry.height {
            let strip = try Strip(
                layout: source.layout, width: source.geometry.width,
                rowCapacity: 16 * Int.random(in: 1...30, using: &random))
            try source.read(into: strip)
            try sink.write(strip)
            row = strip.endRow
        }
        return result.samples
    }

    @Test func everyConsumerGetsAllRowsAndEachIsDecodedOnce() throws {
        let source = CountedSource(Self.photo.makeSource())
        let strips = SharedStrips(source, consumerCount: 4)
        let results = Counter()
        run(4) { consumer in
            let samples = try? Self.samples(
                of: SharedSource(strips, consumer: consumer), seed: UInt64(consumer))
            if samples == Self.photo.samples { results.add() }
        }
        #expect(results.count == 4)
        let stripCount = (1203 + strips.stripRows - 1) / strips.stripRows
        #expect(source.count.withLock { $0 } == stripCount && stripCount > 6)
    }

    private final class Counter: Sendable {
        private let value = Locked(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test func aConsumerThatLeavesDoesNotHoldUpTheOthers() throws {
        let strips = SharedStrips(CountedSource(Self.photo.makeSource()), consumerCount: 3)
        let done = Counter()
        run(3) { consumer in
            let source = SharedSource(strips, consumer: consumer)
            if consumer < 2 {
                // One never begins, one ends after its first rows.
                if consumer == 1 {
                    try? source.read(into: Strip(layout: .yCbCr(.s420), width: 517, rowCapacity: 16))
                }
                return strips.leave(consumer)
            }
            if (try? Self.samples(of: source, seed: 1)) == Self.photo.samples { done.add() }
        }
        #expect(done.count == 1)
    }

    @Test func anErrorOfTheSourceReachesEveryConsumer() throws {
        let strips = SharedStrips(CountedSource(Self.photo.makeSource(), most: 3), consumerCount: 3)
        let failed = Counter()
        run(3) { consumer in
            do {
                _ = try Self.samples(of: SharedSource(strips, consumer: consumer), seed: UInt64(consumer))
            } catch CodecError.truncated {
                failed.add()
            } catch {}
            strips.leave(consumer)
        }
        #expect(failed.count == 3)
    }

    /// The means are summed sample by sample.
    @Test(arguments: ChromaSubsampling.common, [2, 4, 8])
    func planesAreAveraged(subsampling: ChromaSubsampling, divisor: Int) throws {
        for (width, height) in [(1, 1), (7, 9), (64, 32), (203, 149)] {
            let photo = MemoryPhoto(
                noise: PhotoGeometry(width: width, height: height), layout: .yCbCr(subsampling), seed: 7)
            let source = photo.makeSource().averaged(by: divisor)
            #expect(source.geometry == photo.geometry.divided(by: divisor))
            let result = MemoryPhoto(source.geometry, layout: source.layout)
            let strip = try Strip(layout: source.layout, width: source.geometry.width, rowCapacity: 32)
            let sink = result.makeSink()
            while strip.endRow < source.geometry.height {
                try source.read(into: strip)
                try sink.write(strip)
            }
            for (from, to) in zip(photo.strip.planes, result.strip.planes) {
                let rows = (height + from.subsampling.vertical - 1) / from.subsampling.vertical
                for row in 0..<(rows + divisor - 1) / divisor {
                    for x in 0..<to.width {
                        var sum = 0, count = 0
                        for y in row * divisor..<min((row + 1) * divisor, rows) {
                            for column in x * divisor..<min((x + 1) * divisor, from.width) {
                                sum += Int(from.row(y).load(fromByteOffset: column, as: UInt8.self))
                                count += 1
                            }
                        }
                        let mean = to.row(row).load(fromByteOffset: x, as: UInt8.self)
                        #expect(Int(mean) == (sum + count / 2) / count, "\(width)x\(height) at \(x), \(row)")
                    }
                }
            }
        }
    }
}
