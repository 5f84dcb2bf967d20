import Tintype

/// Filters of one pixel. The values are computed by hand from the definitions in the filters' documentation.
@MainActor func checkColours(_ report: Report) async {
    await report.check("invert") { try await pixel(10, 100, 255, Invert()) == [245, 155, 0] }
    await report.check("brightness multiplies") {
        try await near(pixel(10, 100, 255, Brightness(amount: 0.5)), [5, 50, 128])
    }
    await report.check("no contrast is grey") {
        try await near(pixel(10, 100, 255, Contrast(amount: 0)), [128, 128, 128])
    }
    // 0.2126 of 255.
    await report.check("grayscale of red") {
        try await near(pixel(255, 0, 0, Grayscale(amount: 1)), [54, 54, 54])
    }
    await report.check("no saturation is grey") {
        let result = try await pixel(200, 30, 90, Saturate(amount: 0))
        return near([result[0], result[0]], [result[1], result[2]])
    }
    await report.check("half a turn of the hue makes red bluish green") {
        let result = try await pixel(200, 0, 0, HueRotate(angle: 180))
        return result[0] < result[1] && result[0] < result[2]
    }
    // The rows of the matrix in W3C Filter Effects at 0.8 have the sums 1.2808, 1.1624 and 0.9496.
    await report.check("sepia of CSS") {
        try await near(pixel(100, 100, 100, Sepia(intensity: 0.8, keep: .none)), [128, 116, 95])
    }
    await report.check("sepia keeps the brightness, and warms") {
        let result = try await pixel(100, 100, 100, Sepia())
        let luma = 0.2126 * Double(result[0]) + 0.7152 * Double(result[1]) + 0.0722 * Double(result[2])
        return abs(luma - 100) < 2 && result[0] > result[1] && result[1] > result[2]
    }
    await report.check("threshold is black or white") {
        let dark = try await pixel(101, 101, 101, Threshold(level: 0.4))
        let light = try await pixel(103, 103, 103, Threshold(level: 0.4))
        return dark == [0, 0, 0] && light == [255, 255, 255]
    }
    await report.check("two levels are all or nothing") {
        try await pixel(100, 150, 255, Posterize(levels: 2)) == [0, 255, 255]
    }
    // 100 is 0.1274 in linear light; twice that is 0.2548, which sRGB encodes as 138.3.
    await report.check("a stop doubles the light") {
        try await near(pixel(100, 100, 100, Exposure(stops: 1)), [138, 138, 138])
    }
    // The square root of 64 / 255 is 0.501.
    await report.check("gamma brightens mid-tones") {
        try await near(pixel(0, 64, 255, Gamma(amount: 2)), [0, 128, 255])
    }
    await report.check("levels stretch") {
        try await near(pixel(64, 128, 191, Levels(black: 0.25, white: 0.75)), [0, 128, 255])
    }
    await report.check("levels with the output turned are a negative") {
        try await near(
            pixel(0, 100, 255, Levels(black: 0, white: 1, outputBlack: 1, outputWhite: 0)), [255, 155, 0])
    }
    await report.check("curves of one channel leave the others") {
        guard let curve = CurvePoints([.init(0, 1), .init(1, 0)]) else { return false }
        return try await near(pixel(100, 100, 100, Curves(red: curve)), [155, 100, 100])
    }
    // Black becomes 0.2, white 1 - 0.06.
    await report.check("fade lifts black and lowers white") {
        let black = try await pixel(0, 0, 0, Fade(amount: 1))
        let white = try await pixel(255, 255, 255, Fade(amount: 1))
        return near(black, [51, 51, 51]) && near(white, [240, 240, 240])
    }
    await report.check("noir has no colour, and keeps black and white") {
        let result = try await pixel(200, 90, 10, Noir())
        let ends = try await pixel(255, 255, 255, Noir()) + pixel(0, 0, 0, Noir())
        return Set(result).count == 1 && ends == [255, 255, 255, 0, 0, 0]
    }
    await report.check("more contrast makes dark tones of noir darker") {
        try await pixel(60, 60, 60, Noir(contrast: 12))[0] < pixel(60, 60, 60, Noir(contrast: 3))[0]
    }
    await report.check("duotone has its colours at the ends") {
        let tone = Duotone(shadows: PlainColour(10, 20, 30), highlights: PlainColour(200, 210, 220))
        let black = try await pixel(0, 0, 0, tone)
        let white = try await pixel(255, 255, 255, tone)
        return near(black, [10, 20, 30]) && near(white, [200, 210, 220])
    }
    await report.check("split-tone keeps black and white, and tints between") {
        let ends = try await pixel(0, 0, 0, SplitTone()) + pixel(255, 255, 255, SplitTone())
        let middle = try await pixel(180, 180, 180, SplitTone())
        return ends == [0, 0, 0, 255, 255, 255] && middle[0] > middle[2]
    }
    await report.check("vibrance spreads pale colours, and leaves grey") {
        let pale = try await pixel(120, 100, 100, Vibrance(amount: 1))
        let grey = try await pixel(90, 90, 90, Vibrance(amount: 1))
        return pale[0] > 120 && pale[1] < 100 && grey == [90, 90, 90]
    }
    await report.check("warm is red, cool is blue") {
        let warm = try await pixel(128, 128, 128, WhiteBalance(temperature: 40))
        let cool = try await pixel(128, 128, 128, WhiteBalance(temperature: -40))
        return warm[0] > warm[2] && cool[0] < cool[2]
    }
    await report.check("a table of colours is looked up") {
        let table = ColourTable(.line, size: 2, values: [1, 1, 1, 0, 0, 0])
        return try await near(pixel(10, 100, 255, LookUp(table)), [245, 155, 0])
    }
    await report.check("alpha passes through") {
        let pixels = Pixels([10, 20, 30, 77], width: 1, height: 1)
        return try await pixels.filtered(by: Invert(), on: .cpu).bytes == [245, 235, 225, 77]
    }
}

/// Settings that leave every photo as it is.
@MainActor func checkNeutralSettings(_ report: Report) async {
    let neutral: [any Filter] = [
        Invert(amount: 0), Brightness(amount: 1), Contrast(amount: 1), Grayscale(amount: 0),
        Saturate(amount: 1),
        HueRotate(angle: 360), Sepia(intensity: 0), Exposure(stops: 0), Gamma(amount: 1),
        Levels(black: 0, white: 1), Curves(master: .identity), Fade(amount: 0), SplitTone(amount: 0),
        Vignette(amount: 0), Blur(radius: 0), Sharpen(amount: 0), Median(amount: 0), Bloom(amount: 0),
        Grain(amount: 0), Vibrance(amount: 0), WhiteBalance(temperature: 0), Border(size: 0),
        TiltShift(radius: 0),
    ]
    for filter in neutral {
        await report.check("\(filter.recipe) changes nothing") { try await filtered(filter) == picture }
        // The radii of these are a share of the height, and too small here.
        if ["blur", "tilt-shift"].contains(filter.name) { continue }
        await report.check("\(filter.name) changes something by default") {
            try await filtered(FilterCatalog.filter(named: filter.name)) != picture
        }
    }
}

/// Filters of a pixel and its place or its neighbours.
@MainActor func checkPlaces(_ report: Report) async {
    await report.check("a vignette darkens corners and no centre") {
        let white = Pixels([UInt8](repeating: 255, count: 41 * 31 * 3), width: 41, height: 31, layout: .rgb8)
        let result = try await white.filtered(by: Vignette(), on: .cpu)
        return colour(result, 0, 0)[0] < 200 && colour(result, 20, 15) == [255, 255, 255]
    }
    await report.check("a blur spreads a dot, and is symmetric") {
        var dot = [UInt8](repeating: 0, count: 11 * 11)
        dot[5 * 11 + 5] = 255
        let result = try await Pixels(dot, width: 11, height: 11, layout: .grey8).filtered(
            by: Blur(radius: 1.5), on: .cpu
        ).bytes
        return result[60] < 200 && result[59] > 0 && result[59] == result[61] && result[49] == result[71]
            && result[60] > result[59]
    }
    await report.check("a blur of one colour is that colour") {
        let plain = Pixels([UInt8](repeating: 90, count: 300), width: 10, height: 10, layout: .rgb8)
        return try await plain.filtered(by: Blur(radius: 4), on: .cpu) == plain
    }
    await report.check("tilt-shift keeps the middle row and blurs the top") {
        let stripes = (0..<30).flatMap { y in [UInt8](repeating: y % 2 == 0 ? 0 : 255, count: 8) }
        let pixels = Pixels(stripes, width: 8, height: 30, layout: .grey8)
        let result = try await pixels.filtered(by: TiltShift(radius: 3), on: .cpu).bytes
        return result[15 * 8] == stripes[15 * 8] && result[0] > 60 && result[8] < 230
    }
    await report.check("sharpening makes an edge steeper") {
        let edge = Pixels([80, 80, 80, 160, 160, 160], width: 6, height: 1, layout: .grey8)
        let result = try await edge.filtered(by: Sharpen(amount: 1), on: .cpu).bytes
        return result[2] < 80 && result[3] > 160
    }
    await report.check("a median removes a wrong pixel") {
        var bytes = [UInt8](repeating: 50, count: 25)
        bytes[12] = 255
        return try await Pixels(bytes, width: 5, height: 5, layout: .grey8).filtered(by: Median(), on: .cpu)
            .bytes
            == [UInt8](repeating: 50, count: 25)
    }
    await report.check("light of a lamp blooms into the dark") {
        var bytes = [UInt8](repeating: 0, count: 21 * 21)
        bytes[10 * 21 + 10] = 255
        let result = try await Pixels(bytes, width: 21, height: 21, layout: .grey8)
            .filtered(by: Bloom(amount: 1, radius: 2, threshold: 0), on: .cpu).bytes
        return result[10 * 21 + 11] > 0 && result[0] == 0
    }
    await report.check("grain is the same for a seed") {
        try await filtered(Grain(seed: 3)) == filtered(Grain(seed: 3))
    }
    await report.check("grain is another for another seed") {
        try await filtered(Grain(seed: 3)) != filtered(Grain(seed: 4))
    }
    await report.check("a wet plate is blind to red") {
        try await pixel(255, 0, 0, WetPlate(grain: 0))[0] < pixel(0, 0, 255, WetPlate(grain: 0))[0]
    }
}

/// Filters that give a photo another size.
@MainActor func checkSizes(_ report: Report) async {
    func size(_ filter: any Filter) async throws -> [Int] {
        let geometry = try await filtered(filter).geometry
        return [geometry.width, geometry.height]
    }
    await report.check("a width keeps the aspect ratio") { try await size(Resize(width: 20)) == [20, 15] }
    await report.check("a height does, too") { try await size(Resize(height: 10)) == [13, 10] }
    await report.check("a long side") { try await size(Resize(long: 8)) == [8, 6] }
    await report.check("a short side") { try await size(Resize(short: 6)) == [8, 6] }
    await report.check("half a photo") { try await size(Resize(scale: 0.5)) == [20, 15] }
    await report.check("inside of both") { try await size(Resize(width: 20, height: 5)) == [7, 5] }
    await report.check("exactly both") {
        try await size(Resize(width: 20, height: 5, fit: .fill)) == [20, 5]
    }
    await report.check("a small photo is not enlarged") { try await size(Resize(width: 80)) == [40, 30] }
    await report.check("unless asked for") { try await size(Resize(width: 80, enlarge: .yes)) == [80, 60] }
    await report.check("a square") { try await size(Crop()) == [30, 30] }
    await report.check("a crop has the samples of its part") {
        let part = try await filtered(Crop(width: 10, height: 8, x: 0, y: 1))
        return part.geometry == PhotoGeometry(width: 10, height: 8)
            && colour(part, 0, 0) == colour(picture, 0, 22)
            && colour(part, 9, 7) == colour(picture, 9, 29)
    }
    await report.check("a crop in the centre") {
        try await colour(filtered(Crop(width: 10, height: 10)), 0, 0) == colour(picture, 15, 10)
    }
    await report.check("a frame is around the photo") {
        let result = try await filtered(Border(size: 2, colour: PlainColour(1, 2, 3)))
        return result.geometry == PhotoGeometry(width: 44, height: 34) && colour(result, 0, 0) == [1, 2, 3]
            && colour(result, 2, 2) == colour(picture, 0, 0) && colour(result, 43, 33) == [1, 2, 3]
    }
    await report.check("a watermark is where it should be") {
        var mark = Watermark(Picture(width: 2, height: 2, rgba: [UInt8](repeating: 255, count: 16)))
        mark.position = .bottomRight
        mark.opacity = 1
        mark.margin = 0
        let result = try await filtered(mark)
        return colour(result, 39, 29) == [255, 255, 255] && colour(result, 0, 0) == colour(picture, 0, 0)
    }
}
