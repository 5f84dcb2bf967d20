import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging
import TintypeStages

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// Resampling against its definition in double precision, in photos of every orientation.
struct ResizeTests {
    private static let layout = PixelLayout.interleaved(.rgba, .sixteen)

    /// Samples of noise by shown row, column and channel, and what a filter makes of them.
    private func render(
        _ filter: any Filter, width: Int, height: Int, _ orientation: Orientation
    ) throws -> (photo: [[[Double]]], result: [[[Double]]]) {
        let swaps = orientation.swapsAxes
        let geometry = PhotoGeometry(
            width: swaps ? height : width, height: swaps ? width : height, orientation: orientation)
        let photo = MemoryPhoto(noise: geometry, layout: Self.layout, seed: 7)
        let plan = RenderPlan(
            FilterChain([filter]), for: geometry, input: Self.layout, output: Self.layout)
        let result = MemoryPhoto(plan.outputGeometry, layout: Self.layout)
        try SIMDDevice(level: .baseline).render(
            plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return (photo.shownPixels, result.shownPixels)
    }

    /// The sum of `values` at one place of the result, with weights that add up to 1.
    private func sum(_ values: [[Double]], at place: Double, step: Double, _ kernel: ResamplingKernel)
        -> [Double]
    {
        let scale = max(step, 1)
        let weights = values.indices.map { index in
            let x = abs(Double(index) + 0.5 - place) / scale
            switch kernel {
            case .box:
                let low = max(Double(index), place - step / 2),
                    high = min(Double(index) + 1, place + step / 2)
                return max(high - low, 0)
            case .catmullRom:
                return x < 1
                    ? 1.5 * pow(x, 3) - 2.5 * x * x + 1
                    : x < 2 ? -0.5 * pow(x, 3) + 2.5 * x * x - 4 * x + 2 : 0
            case .lanczos:
                return x == 0 ? 1 : x < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
            }
        }
        let total = weights.reduce(0, +)
        var sum = [0.0, 0, 0, 0]
        for index in values.indices where weights[index] != 0 {
            for channel in 0..<4 { sum[channel] += weights[index] / total * values[index][channel] }
        }
        return sum
    }

    private func resized(
        _ photo: [[[Double]]], x: Range<Double>, y: Range<Double>, width: Int, height: Int,
        _ kernel: ResamplingKernel
    ) -> [[[Double]]] {
        let light = photo.map { row in
            row.map { pixel in pixel[..<3].map { Reference.linear($0) * pixel[3] } + [pixel[3]] }
        }
        func axis(_ lines: [[[Double]]], _ range: Range<Double>, _ count: Int) -> [[[Double]]] {
            let step = (range.upperBound - range.lowerBound) / Double(count)
            return lines.map { line in
                (0..<count).map {
                    sum(line, at: range.lowerBound + (Double($0) + 0.5) * step, step: step, kernel)
                }
            }
        }
        func transposed(_ lines: [[[Double]]]) -> [[[Double]]] {
            lines[0].indices.map { column in lines.map { $0[column] } }
        }
        let wide = axis(light, x, width)
        return transposed(axis(transposed(wide), y, height)).map { row in
            row.map { pixel in
                pixel[..<3].map {
                    pixel[3] > 0 ? Reference.encoded(min(max($0 / pixel[3], 0), 1)) : 0
                } + [min(max(pixel[3], 0), 1)]
            }
        }
    }

    /// Within 1 of 255 in colours that are not almost transparent, and in alpha.
    private func expect(_ result: [[[Double]]], is expected: [[[Double]]], _ comment: Comment) {
        #expect(result.count == expected.count && result[0].count == expected[0].count, comment)
        guard result.count == expected.count, result[0].count == expected[0].count else { return }
        var worst = 0.0
        for (row, expectedRow) in zip(result, expected) {
            for (pixel, expectedPixel) in zip(row, expectedRow) {
                let channels = expectedPixel[3] > 0.05 ? 0..<4 : 3..<4
                for channel in channels {
                    worst = max(worst, abs(pixel[channel] - expectedPixel[channel]))
                }
            }
        }
        #expect(worst <= 0.25 / 255, comment)
    }

    @Test(arguments: Orientation.allCases)
    func everyKernelGivesItsDefinition(orientation: Orientation) throws {
        for kernel in ResamplingKernel.allCases {
            for (width, height) in [(13, 7), (50, 9), (5, 90), (1, 1), (61, 34), (100, 71)] {
                var resize = Resize()
                (resize.width, resize.height) = (Float(width), Float(height))
                (resize.fit, resize.enlarge, resize.kernel) = (.stretch, .yes, kernel)
                let (photo, result) = try render(resize, width: 61, height: 34, orientation)
                let expected = resized(
                    photo, x: 0..<61, y: 0..<34, width: width, height: height, kernel)
                expect(result, is: expected, "\(kernel) to \(width) x \(height)")
            }
        }
    }

    @Test(arguments: Orientation.allCases)
    func fillCropsWhatIsTooLong(orientation: Orientation) throws {
        var resize = Resize()
        (resize.width, resize.height, resize.fit) = (20, 20, .fill)
        let (photo, result) = try render(resize, width: 61, height: 34, orientation)
        let expected = resized(photo, x: 13.5..<47.5, y: 0..<34, width: 20, height: 20, .lanczos)
        expect(result, is: expected, "fill")
    }

    /// Also if what is left out is an odd number of pixels.
    @Test(arguments: Orientation.allCases)
    func fillWithoutAChangeOfScaleKeepsPixels(orientation: Orientation) throws {
        var resize = Resize()
        (resize.width, resize.height, resize.fit) = (20, 34, .fill)
        let (photo, result) = try render(resize, width: 61, height: 34, orientation)
        #expect(result == photo.map { Array($0[21..<41]) })
    }

    @Test(arguments: Orientation.allCases)
    func aCropKeepsItsPixels(orientation: Orientation) throws {
        let crop = try #require(try FilterChain(parsing: ["crop:width=20,height=9,x=1,y=0.2"]).filters.first)
        let (photo, result) = try render(crop, width: 61, height: 34, orientation)
        #expect(result == photo[5..<14].map { Array($0[41...]) })
    }

    @Test(arguments: [
        (20000, 500, "width=2000,height=2000,fit=stretch", 2000, 2000),
        (10000, 100, "width=1000,height=1000,fit=fill", 1000, 1000), (100, 65000, "width=1000", 101, 65535),
    ])
    func narrowPhotosAreEnlarged(
        width: Int, height: Int, settings: String, resultWidth: Int, resultHeight: Int
    ) throws {
        let chain = try FilterChain(parsing: ["resize:\(settings),enlarge=yes"])
        var photo = PhotoGeometry(width: width, height: height)
        for stage in chain.stages(for: photo) { photo = stage.result(of: photo) }
        #expect((photo.width, photo.height) == (resultWidth, resultHeight))
    }

    /// The size of a photo of 4000 x 3000 pixels, also if it is stored turned.
    @Test(arguments: [
        ("resize", 2048, 1536), ("resize:long=1000", 1000, 750), ("resize:short=1000", 1333, 1000),
        ("resize:width=1000", 1000, 750), ("resize:height=1000", 1333, 1000),
        ("resize:width=1000,height=100", 133, 100), ("resize:long=1000,width=3000", 1000, 750),
        ("resize:width=1000,height=100,fit=fill", 1000, 100),
        ("resize:width=1000,height=100,fit=stretch", 1000, 100), ("resize:scale=25%", 1000, 750),
        ("resize:scale=1.5", 6000, 4500), ("resize:long=8000", 4000, 3000),
        ("resize:long=8000,enlarge=yes", 8000, 6000), ("resize:long=1", 1, 1),
        ("crop", 3000, 3000), ("crop:aspect=3:2", 4000, 2667), ("crop:aspect=2:3", 2000, 3000),
        ("crop:width=500", 500, 3000), ("crop:width=9000,height=10", 4000, 10),
        ("crop:width=1000,height=1000,aspect=2", 1000, 500),
        ("crop+resize:long=500", 500, 500),
    ])
    func sizesFollowTheShownPhoto(text: String, width: Int, height: Int) throws {
        let chain = try FilterChain(parsing: [text])
        for orientation in Orientation.allCases {
            let swaps = orientation.swapsAxes
            var photo = PhotoGeometry(
                width: swaps ? 3000 : 4000, height: swaps ? 4000 : 3000, orientation: orientation)
            for stage in chain.stages(for: photo) { photo = stage.result(of: photo) }
            #expect((photo.shownWidth, photo.shownHeight) == (width, height), "\(orientation)")
        }
    }
}
