import Testing
import TintypeImaging

@testable import TintypeCodecs

struct BoxAverageTests {
    /// 35 x 27: the last column and row have no second one.
    @Test(arguments: ["rgb-8", "grey-8"])
    func equalsPillowsReduce(name: String) throws {
        let expected = try Pixels(pam: Fixture.bytes("\(name)-half.pam"))
        for rowCapacity in [8, 16, 32] {
            let reader = try PhotoReader(bytes: Fixture.bytes("\(name).png"), limits: DecodeLimits())
            let half = BoxAverageSource(try reader.makeSource(layout: reader.layout), factor: 2)
            #expect(try Pixels(half, rowCapacity: rowCapacity) == expected)
        }
    }

    @Test func sixteenBitsAreAveragedInFull() throws {
        let source = Rows(
            .interleaved(.grey, .sixteen), width: 2, samples: [[65535, 65534], [65535, 65535]])
        // (3 x 65535 + 65534 + 2) / 4
        #expect(try Pixels(BoxAverageSource(source, factor: 2)).samples == [65535])
    }

    @Test func colourCountsAsFarAsItIsSeen() throws {
        // One opaque red pixel among transparent white ones; then four that differ; then nothing to see.
        let source = Rows(
            .interleaved(.rgba, .eight), width: 5,
            samples: [
                [255, 0, 0, 255, 255, 255, 255, 0] + [10, 20, 30, 100, 50, 60, 70, 200] + [9, 9, 9, 0],
                [255, 255, 255, 0, 255, 255, 255, 0] + [90, 0, 0, 50, 0, 0, 0, 50] + [8, 8, 8, 0],
            ])
        // (10x100 + 50x200 + 90x50) / 400 = 38.75; (20x100 + 60x200) / 400 = 35; (30x100 + 70x200) / 400 =
        // 42.5
        #expect(
            try Pixels(BoxAverageSource(source, factor: 2)).samples == [255, 0, 0, 64] + [39, 35, 43, 100] + [
                0, 0, 0, 0,
            ])
    }

    @Test func keepsTheOrientation() {
        let source = Rows(.interleaved(.grey, .eight), width: 3, samples: [[1, 2, 3]], orientation: .right)
        #expect(
            BoxAverageSource(source, factor: 2).geometry
                == PhotoGeometry(width: 2, height: 1, orientation: .right))
    }
}

/// A source of given rows.
private final class Rows: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private let samples: [[UInt16]]
    private var nextRow = 0

    init(_ layout: PixelLayout, width: Int, samples: [[UInt16]], orientation: Orientation = .up) {
        self.layout = layout
        self.samples = samples
        geometry = PhotoGeometry(width: width, height: samples.count, orientation: orientation)
    }

    func read(into strip: Strip) throws {
        strip.firstRow = nextRow
        strip.rowCount = min(strip.rowCapacity, samples.count - nextRow)
        for row in 0..<strip.rowCount {
            for (index, sample) in samples[nextRow + row].enumerated() {
                let start = strip.planes[0].row(row)
                switch layout.depth {
                case .eight: start.storeBytes(of: UInt8(sample), toByteOffset: index, as: UInt8.self)
                case .sixteen: start.storeBytes(of: sample, toByteOffset: 2 * index, as: UInt16.self)
                }
            }
        }
        nextRow += strip.rowCount
    }
}
