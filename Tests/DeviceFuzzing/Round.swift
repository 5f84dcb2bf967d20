import FuzzMutations
import TintypeCodecs
import TintypeImaging
import TintypePhotos

/// One JPEG, damaged in different ways. All of it depends on the seed and the round's number alone.
///
/// The photos of a round share a header, so that a device makes its tables and memory once, and each could find
/// what the one before has left there. The header of a tenth of all photos is damaged, in rounds of their own.
struct Round {
    let photo: ConformancePhoto
    let making: Making
    /// Whether the bits are cut into short subsequences, of which small photos have many.
    let isShort: Bool
    let hasDamagedHeader: Bool
    let photoCount: Int
    private let first: [UInt8]
    private var random: fuzz_random

    private static let firstEach = 8

    private static let layouts: [PixelLayout] =
        [1, 2, 4].flatMap { horizontal in
            [1, 2, 4].compactMap { vertical in
                ChromaSubsampling(horizontal: horizontal, vertical: vertical).map { .yCbCr($0) }
            }
        }.filter { PhotoWriter.canWrite($0, as: .jpeg) } + [.interleaved(.grey, .eight)]

    init(_ number: Int, seed: UInt64) throws {
        var start = fuzz_random(state: seed)
        var random = fuzz_random(state: fuzz_next(&start) ^ UInt64(number))
        random = fuzz_random(state: fuzz_next(&random))
        let isLarge = random.below(20) == 0
        photo = Self.draw(isLarge: isLarge, &random)
        making = Self.drawMaking(&random)
        isShort = random.below(2) == 0
        hasDamagedHeader = random.below(4) == 0
        photoCount = isLarge ? 16 : hasDamagedHeader ? 32 : 128
        let bytes = try photo.bytes()
        if hasDamagedHeader {
            let mutationCount = 1 + random.below(3)
            first = Self.damaged(bytes, random: &random) { photo, layout, random in
                for _ in 0..<mutationCount {
                    // Mostly, it can be read still. Everything after SOI may change otherwise.
                    if random.below(4) > 0 {
                        layout = fuzz_find_segments(&photo)
                        fuzz_mutate_segment(&photo, &layout, &random)
                    } else {
                        fuzz_mutate_scan(&photo, 2, &random)
                    }
                }
            }
        } else {
            first = bytes
        }
        self.random = random
    }

    private static func draw(isLarge: Bool, _ random: inout fuzz_random) -> ConformancePhoto {
        let most = isLarge ? (width: 512, height: 384) : (width: 128, height: 96)
        return ConformancePhoto(
            content: random.choice(ConformancePhoto.Content.allCases), layout: random.choice(layouts),
            geometry: PhotoGeometry(
                width: 1 + random.below(most.width), height: 1 + random.below(most.height)), format: .jpeg,
            quality: random.choice([1, 10, 25, 50, 75, 90, 95, 100]), optimizesCodes: random.below(3) == 0,
            restarts: random.choice([.none, .none, .none, .everyMCU, .rows(1), .rows(2)]))
    }

    private static func drawMaking(_ random: inout fuzz_random) -> Making {
        let divisor = random.choice([1, 1, 1, 1, 2, 4, 8])
        guard random.below(4) == 0 else {
            return Making(divisor: divisor, output: random.choice([.samples, .samples, .pixels]))
        }
        return Making(
            divisor: divisor,
            output: .file(
                quality: random.choice([nil, 50, 100]), optimizesCodes: random.below(2) == 0,
                restartRows: random.choice([nil, 1])))
    }

    /// Whether the photo is the round's first one, again and again: nothing may be left of those in between.
    func isFirst(_ index: Int) -> Bool { index % Self.firstEach == 0 }

    /// Photos have to be drawn in order.
    mutating func next(_ index: Int) -> [UInt8] {
        if isFirst(index) { return first }
        // One damage alone leaves the most photos whole.
        let mutationCount = random.below(2) == 0 ? 1 : 1 + random.below(4)
        return Self.damaged(first, random: &random) { photo, layout, random in
            for _ in 0..<mutationCount { fuzz_mutate_scan(&photo, layout.scan, &random) }
        }
    }

    private static func damaged(
        _ bytes: [UInt8], random: inout fuzz_random,
        _ damage: (inout fuzz_photo, inout fuzz_layout, inout fuzz_random) -> Void
    ) -> [UInt8] {
        // A mutation inserts less than this.
        let capacity = bytes.count + 1024
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            _ = buffer.initialize(from: bytes)
            var photo = fuzz_photo(bytes: buffer.baseAddress, count: bytes.count, capacity: capacity)
            var layout = fuzz_find_segments(&photo)
            damage(&photo, &layout, &random)
            count = photo.count
        }
    }
}

extension fuzz_random {
    fileprivate mutating func below(_ count: Int) -> Int { fuzz_below(&self, count) }

    fileprivate mutating func choice<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}

extension Round: CustomStringConvertible {
    var description: String {
        "\(photo), reduced by \(making.divisor), to \(making.output)"
            + (isShort ? ", short subsequences" : "") + (hasDamagedHeader ? ", a damaged header" : "")
    }
}
