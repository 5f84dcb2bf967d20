import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// Compares filters with their definitions in double precision, and with pixels computed by hand.
struct ReferenceTests {
    private func render(_ filter: any Filter, _ photo: MemoryPhoto, to output: PixelLayout? = nil) throws
        -> MemoryPhoto
    {
        let plan = RenderPlan(
            FilterChain([filter]), for: photo.geometry, input: photo.layout, output: output ?? photo.layout)
        return try SIMDDevice(level: .baseline).render(plan, photo)
    }

    private func pixel(_ rgb: [UInt8], _ filter: any Filter) throws -> [UInt8] {
        let photo = MemoryPhoto(PhotoGeometry(width: 1, height: 1), layout: .interleaved(.rgb, .eight))
        photo.set(rgb)
        return try render(filter, photo).samples
    }

    @Test func sepiaTonesMidGrey() throws {
        // y = 100/255, so y^9 = 0.00022 and each value is 100 + 0.8 x (100 - 0.0556) x t, with the tones t of
        // `sepiaThatKeepsLuminanceFollowsItsFormula`: 108.93, 99.19, 81.69.
        #expect(try pixel([100, 100, 100], Sepia()) == [109, 99, 82])
        // 100 x (1.2808, 1.1624, 0.9496): the rows of the W3C matrix at 0.8, summed by hand.
        #expect(try pixel([100, 100, 100], Sepia(intensity: 0.8, keep: .none)) == [128, 116, 95])
    }

    @Test func sepiaTonesPureRed() throws {
        // 255 x (0.8 x .393 + .2, 0.8 x .349, 0.8 x .272) = 131.172, 71.196, 55.488.
        #expect(try pixel([255, 0, 0], Sepia(intensity: 0.8, keep: .none)) == [131, 71, 55])
    }

    @Test func noirKeepsBlackWhiteAndTheMiddle() throws {
        #expect(try pixel([0, 0, 0], Noir()) == [0, 0, 0])
        #expect(try pixel([255, 255, 255], Noir()) == [255, 255, 255])
        // y = 64/255 = .25098: (s(-1.24510) - s(-2.5)) / (s(2.5) - s(-2.5)) = (.22355 - .07586) / .84828 =
        // .17410, which is 44.4 of 255.
        #expect(try pixel([64, 64, 64], Noir()) == [44, 44, 44])
    }

    /// Every 15th step of each channel: 18 x 18 x 18 colours, in one row each.
    private static let cube: [[Int]] = (0..<18 * 18 * 18).map {
        [$0 / 324 * 15, $0 / 18 % 18 * 15, $0 % 18 * 15]
    }

    @Test(arguments: [0.25, 0.8, 1] as [Float])
    func sepiaOfCSSFollowsItsFormula(intensity: Float) throws {
        let a = Double(intensity)
        let matrix = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
        try compare(Sepia(intensity: intensity, keep: .none)) { rgb in
            (0..<3).map { row in
                let toned = zip(matrix[row], rgb).reduce(0) { $0 + $1.0 * $1.1 }
                return min(max(a * toned + (1 - a) * rgb[row], 0), 1)
            }
        }
    }

    @Test(arguments: [0.25, 0.8, 1] as [Float])
    func sepiaThatKeepsLuminanceFollowsItsFormula(intensity: Float) throws {
        let a = Double(intensity)
        // The sums of the W3C matrix's rows, 1.351, 1.203 and 0.937, over their luma, less 1.
        let tone = [0.1116966, -0.0100880, -0.2289713]
        try compare(Sepia(intensity: intensity, keep: .luminance)) { rgb in
            let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
            return zip(rgb, tone).map { (1 - a) * $0 + a * (luma + (luma - pow(luma, 9)) * $1) }
        }
    }

    @Test func sepiaThatKeepsLuminanceBlowsNoHighlights() throws {
        let sepia = Sepia(intensity: 1, keep: .luminance)
        #expect(try pixel([255, 255, 255], sepia) == [255, 255, 255])
        // CSS's sepia makes all of these 255 in red and green, and so one colour.
        var before = 0
        for grey in stride(from: UInt8(200), through: 254, by: 2) {
            let rgb = try pixel([grey, grey, grey], sepia).map { Int($0) }
            let luma = 0.2126 * Double(rgb[0]) + 0.7152 * Double(rgb[1]) + 0.0722 * Double(rgb[2])
            #expect(abs(luma - Double(grey)) <= 0.6, "\(grey): \(rgb)")
            #expect(rgb[1] > before && (rgb[0] < 255 || grey > 250), "\(grey): \(rgb)")
            before = rgb[1]
        }
    }

    @Test(arguments: [
        Noir(), Noir(contrast: 20, midpoint: 0.2), Noir(contrast: 0.5, midpoint: 1), Noir(contrast: 0),
    ])
    func noirFollowsItsFormula(noir: Noir) throws {
        let c = Double(noir.contrast), m = Double(noir.midpoint)
        func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
        try compare(noir) { rgb in
            let y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
            guard c > 0 else { return [y, y, y] }
            let value =
                (logistic(c * (y - m)) - logistic(-c * m)) / (logistic(c * (1 - m)) - logistic(-c * m))
            return [value, value, value]
        }
    }

    /// All greys, so that values near black are there, over each kernel and both ends of their gains.
    @Test(arguments: [-10, -3, -0.1, 0.1, 1, 2, 2.01, 5, 10] as [Float])
    func exposureMultipliesLight(stops: Float) throws {
        try compare(Exposure(stops: stops), over: (0...255).map { [$0, $0, $0] }) { grey in
            grey.map { Reference.encoded(min(1, Reference.linear($0) * exp2(Double(stops)))) }
        }
    }

    /// Compares with a formula over colours: within 1 of 255 at 8 bits, within 2 of 65535 at 16.
    private func compare(
        _ filter: any Filter, over colours: [[Int]] = cube, _ formula: ([Double]) -> [Double]
    ) throws {
        let geometry = PhotoGeometry(width: colours.count, height: 1)
        let bytes = MemoryPhoto(geometry, layout: .interleaved(.rgb, .eight))
        bytes.set(colours.joined().map { UInt8($0) })
        let words = MemoryPhoto(geometry, layout: .interleaved(.rgb, .sixteen))
        words.set(colours.joined().map { UInt16($0) * 257 })
        let results = (try render(filter, bytes).samples, try render(filter, words).words)
        let expected = colours.flatMap { formula($0.map { Double($0) / 255 }) }
        let worstByte = zip(results.0, expected).map { abs(Double($0) - 255 * $1) }.max() ?? .infinity
        let worstWord = zip(results.1, expected).map { abs(Double($0) - 65535 * $1) }.max() ?? .infinity
        #expect(worstByte <= 1, "\(filter.recipe) at 8 bits")
        #expect(worstWord <= 2, "\(filter.recipe) at 16 bits")
    }

    @Test(
        arguments: [
            TiltShift(radius: .pixels(3), band: 0), TiltShift(radius: .pixels(0.6), falloff: 0),
            TiltShift(radius: .pixels(9), focus: 0.1, band: 0.2), TiltShift(radius: .fractionOfHeight(0.05)),
            TiltShift(radius: .pixels(14), focus: 1, band: 0, falloff: 0.5), TiltShift(radius: .pixels(4)),
            TiltShift(radius: .pixels(8), falloff: 0),
            TiltShift(radius: .pixels(17), focus: 0, band: 0, falloff: 0),
        ], TiltShift.Transition.allCases)
    func tiltShiftIsATrueGaussianInLinearLight(tiltShift: TiltShift, transition: TiltShift.Transition) throws
    {
        var tiltShift = tiltShift
        tiltShift.transition = transition
        for orientation in [Orientation.up, .down, .right, .left, .leftMirrored] {
            let geometry = PhotoGeometry(width: 83, height: 61, orientation: orientation)
            let photo = MemoryPhoto(noise: geometry, layout: .interleaved(.rgb, .eight), seed: 3)
            try expectWithinOne(of: tiltShift, photo)
        }
    }

    /// Sharp edges and corners, at which a downsampled blur has its greatest error.
    @Test(arguments: [4.0, 7.9, 8, 16, 33] as [Float], TiltShift.Transition.allCases)
    func edgesAndCornersAreBlurredAsByATrueGaussian(radius: Float, transition: TiltShift.Transition) throws {
        let photo = MemoryPhoto(PhotoGeometry(width: 150, height: 61), layout: .interleaved(.rgb, .eight))
        photo.set(
            (0..<150 * 61).flatMap { index in
                [UInt8](repeating: index % 150 < 77 || index / 150 < 29 ? 0 : 255, count: 3)
            })
        let tiltShift = TiltShift(
            radius: .pixels(radius), focus: 0, band: 0, falloff: 0, transition: transition)
        try expectWithinOne(of: tiltShift, photo, roundingFirst: true)
    }

    /// Lines and edges across all rows: where sigma grows, and from one factor of downsampling to the next.
    @Test(arguments: [Orientation.up, .left])
    func linesAreBlurredByEachRowsOwnSigma(orientation: Orientation) throws {
        let across = 96, along = 420
        let swaps = orientation.swapsAxes
        let geometry = PhotoGeometry(
            width: swaps ? along : across, height: swaps ? across : along, orientation: orientation)
        let photo = MemoryPhoto(geometry, layout: .interleaved(.rgb, .eight))
        photo.set(
            (0..<across * along).flatMap { index in
                let place = swaps ? index / along : index % across
                return [UInt8](repeating: place % 32 == 5 || place > 61 ? 255 : 0, count: 3)
            })
        try expectWithinOne(of: TiltShift(radius: .pixels(10)), photo, roundingFirst: true)
    }

    /// Downsampled pixels that are larger than the photo, in one direction and in both.
    @Test(arguments: [(1, 300), (300, 1), (3, 40), (70, 9)])
    func aBlurMayBeWiderThanThePhoto(width: Int, height: Int) throws {
        for orientation in [Orientation.up, .right] {
            let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
            let photo = MemoryPhoto(noise: geometry, layout: .interleaved(.rgb, .eight), seed: 5)
            for radius in [Length.fractionOfHeight(1), .fractionOfHeight(0.3), .pixels(100)] {
                let filter = TiltShift(radius: radius, focus: 0, band: 0, falloff: 0)
                try expectWithinOne(of: filter, photo)
                try expectWithinOne(of: TiltShift(radius: radius, transition: .mix), photo)
            }
        }
    }

    private func expectWithinOne(
        of tiltShift: TiltShift, _ photo: MemoryPhoto, roundingFirst: Bool = false
    ) throws {
        let result = try render(tiltShift, photo).samples
        let expected = Reference.tiltShift(photo.samples.map { Double($0) / 255 }, tiltShift, photo.geometry)
        let worst = zip(result, expected).map { sample, value in
            abs(Double(sample) - (roundingFirst ? (255 * value).rounded() : 255 * value))
        }.max()
        let told = "\(tiltShift.recipe), \(photo.geometry): \(worst ?? .infinity) of 255"
        #expect(worst ?? .infinity <= 1, "\(told)")
    }

    @Test func transparentPixelsLendNoColourToABlur() throws {
        // Left half opaque grey, right half transparent red: red must not bleed into visible pixels.
        let geometry = PhotoGeometry(width: 32, height: 8)
        let photo = MemoryPhoto(geometry, layout: .interleaved(.rgba, .eight))
        photo.set((0..<256).flatMap { $0 % 32 < 16 ? [90, 90, 90, 255] : [255, 0, 0, 0] as [UInt8] })
        let result = try render(TiltShift(radius: .pixels(2), focus: 0, band: 0, falloff: 0), photo).samples
        for pixel in 0..<256 where result[4 * pixel + 3] > 2 {
            let colour = result[4 * pixel..<4 * pixel + 3].map { Int($0) }
            #expect(colour.allSatisfy { abs($0 - 90) <= 1 }, "pixel \(pixel % 32): \(colour)")
        }
        // Half way across the edge the alpha is a half.
        #expect(abs(Int(result[4 * 15 + 3]) + Int(result[4 * 16 + 3]) - 255) <= 1)
    }

    /// A sharpened or resampled alpha may exceed 1 beside an edge, and the premultiplied colours with it.
    @Test(
        arguments: [
            "sharpen:radius=1,amount=5", "resize:scale=60%", "resize:scale=2.3,enlarge=yes",
            "resize:scale=60%,kernel=catmull-rom", "resize:scale=60%,kernel=box",
            "resize:width=70,height=20,fit=stretch,enlarge=yes",
        ])
    func aPlainColourStaysBesideTransparency(text: String) throws {
        for orientation in [Orientation.up, .right] {
            // A corner is opaque grey; the rest is transparent red.
            let photo = MemoryPhoto(
                PhotoGeometry(width: 40, height: 30, orientation: orientation),
                layout: .interleaved(.rgba, .eight))
            photo.set(
                (0..<1200).flatMap {
                    $0 % 40 < 21 && $0 / 40 < 16 ? [90, 90, 90, 255] : [255, 0, 0, 0] as [UInt8]
                })
            let filter = try #require(try FilterChain(parsing: [text]).filters.first)
            let result = try render(filter, photo).samples
            var visibleCount = 0
            for pixel in stride(from: 0, to: result.count, by: 4) where result[pixel + 3] > 12 {
                let colour = result[pixel..<pixel + 3].map { Int($0) }
                visibleCount += 1
                #expect(colour.allSatisfy { abs($0 - 90) <= 1 }, "pixel \(pixel / 4): \(colour)")
            }
            #expect(visibleCount > 100)
        }
    }

    @Test func rowsThatTheMaskLeavesSharpKeepTheirSamples() throws {
        let geometry = PhotoGeometry(width: 50, height: 100)
        for layout in [PixelLayout.yCbCr(.s420), .yCbCr(.s444), .interleaved(.rgb, .sixteen)] {
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 9)
            let tiltShift = TiltShift(radius: .pixels(5), focus: 0.5, band: 0.4, falloff: 0.1)
            let result = try render(tiltShift, photo)
            for (before, after) in zip(photo.strip.planes, result.strip.planes) {
                for row in 30..<70 {
                    let at = row / before.subsampling.vertical
                    let byteCount = before.width * before.bytesPerSample
                    let same = memcmp(before.row(at), after.row(at), byteCount) == 0
                    // Noise has colours outside RGB; they are not limited where nothing changes.
                    #expect(same, "row \(row), \(layout)")
                }
            }
        }
    }
}

/// The definitions in double precision, without optimisations.
enum Reference {
    static func linear(_ x: Double) -> Double { x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4) }
    static func encoded(_ x: Double) -> Double {
        x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
    }

    /// Interleaved RGB in 0...1.
    static func tiltShift(_ samples: [Double], _ filter: TiltShift, _ photo: PhotoGeometry) -> [Double] {
        let (width, height) = (photo.width, photo.height)
        let byRow = !photo.orientation.swapsAxes
        let (along, across) = byRow ? (height, width) : (width, height)
        let sigma = filter.radius.pixels(inHeight: photo.shownHeight)
        let sharp = samples.map(linear)
        func index(_ place: Int, _ other: Int) -> Int {
            3 * (byRow ? place * width + other : other * width + place)
        }
        // By channel, then across the mask's axis.
        let lines = (0..<3).map { channel in
            (0..<across).map { other in (0..<along).map { sharp[index($0, other) + channel] } }
        }
        var result = samples
        for place in 0..<along {
            let m = mask(x: byRow ? 0 : place, y: byRow ? place : 0, filter, photo)
            guard m > 0 else { continue }
            // A row, or column, of the photo under its own gaussian: along the mask's axis, then across it.
            let weights = weights(sigma: filter.transition == .lens ? m * sigma : sigma)
            for channel in 0..<3 {
                let column = lines[channel].map { sum(weights, around: place, of: $0) }
                for other in 0..<across {
                    let blur = sum(weights, around: other, of: column)
                    let at = index(place, other) + channel
                    result[at] = encoded(filter.transition == .lens ? blur : m * blur + (1 - m) * sharp[at])
                }
            }
        }
        return result
    }

    /// A gaussian out to six sigmas: the centre's weight, then those at distance 1, 2, ...
    private static func weights(sigma: Double) -> [Double] {
        guard sigma >= 0.1 else { return [1] }
        let raw = (0...Int((6 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = 2 * raw.reduce(0, +) - raw[0]
        return raw.map { $0 / sum }
    }

    /// The weighted sum around a place; beyond the ends, the first and the last value count again.
    private static func sum(_ weights: [Double], around centre: Int, of values: [Double]) -> Double {
        let last = values.count - 1, inside = min(weights.count, values.count)
        var sum = weights[0] * values[centre], rest = 1 - weights[0]
        for distance in 1..<max(inside, 1) {
            sum +=
                weights[distance] * (values[max(centre - distance, 0)] + values[min(centre + distance, last)])
            rest -= 2 * weights[distance]
        }
        return sum + rest / 2 * (values[0] + values[last])
    }

    /// The blur's share, worked out from where EXIF 2.32 says the stored row 0 and column 0 are shown.
    private static func mask(x: Int, y: Int, _ filter: TiltShift, _ photo: PhotoGeometry) -> Double {
        let shownRow: Int
        switch photo.orientation {
        case .up, .upMirrored: shownRow = y
        case .down, .downMirrored: shownRow = photo.height - 1 - y
        case .leftMirrored, .right: shownRow = x
        case .rightMirrored, .left: shownRow = photo.width - 1 - x
        }
        let place = (Double(shownRow) + 0.5) / Double(photo.shownHeight)
        let distance = abs(place - Double(filter.focus)) - Double(filter.band) / 2
        return filter.falloff > 0 ? min(max(distance / Double(filter.falloff), 0), 1) : distance > 0 ? 1 : 0
    }
}
