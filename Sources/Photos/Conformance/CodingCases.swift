import TintypeCodecs
import TintypeFilters
import TintypeImaging

/// The photos and outputs in which devices that code could differ. Not all combinations: each two choices meet.
enum CodingCases {
    /// The parts of a run, in order.
    enum Part: String, CaseIterable, Sendable {
        case jpegs = "JPEGs"
        case jpegsToPNGs = "JPEGs to PNGs"
        case pngs = "PNGs to JPEGs"
        case damaged = "damaged JPEGs"
    }

    static func all(_ part: Part, isQuick: Bool) -> [CodingCase] {
        switch part {
        case .jpegs: jpegs(isQuick: isQuick)
        case .jpegsToPNGs: jpegsToPNGs(isQuick: isQuick)
        case .pngs: pngs(isQuick: isQuick)
        case .damaged: damaged(isQuick: isQuick)
        }
    }

    /// What each device that codes can do.
    static var usual: CodingCase {
        let photo = ConformancePhoto(
            content: .mixed, layout: .yCbCr(.s420), geometry: PhotoGeometry(width: 9, height: 9),
            format: .jpeg)
        return CodingCase(photo: photo, recipes: [Recipe(chain(["sepia"]), format: .jpeg)])
    }

    // MARK: Choices

    /// All that an encoder writes: a scan of 4 x 4 luma blocks an MCU is not allowed.
    private static let planes: [PixelLayout] =
        [4, 2, 1].flatMap { horizontal in
            [4, 2, 1].compactMap { vertical in
                ChromaSubsampling(horizontal: horizontal, vertical: vertical).map { .yCbCr($0) }
            }
        }.filter { PhotoWriter.canWrite($0, as: .jpeg) } + [.interleaved(.grey, .eight)]

    private static let pngLayouts: [PixelLayout] = [
        .interleaved(.rgb, .eight), .interleaved(.grey, .eight), .interleaved(.rgba, .eight),
        .interleaved(.rgb, .sixteen), .interleaved(.greyAlpha, .sixteen),
    ]

    /// Sizes, by the size of an MCU. In this order, each reduction of few cases meets a size that can be reduced so far.
    private static let sizes: [@Sendable (_ mcu: (width: Int, height: Int)) -> (width: Int, height: Int)] = [
        { _ in (17, 33) }, { _ in (1, 1) }, { _ in (7, 9) }, { _ in (203, 131) },
        { (5 * $0.width + 1, 3 * $0.height - 1) }, { (4 * $0.width - 1, 4 * $0.height + 1) },
        // Many groups of subsequences.
        { _ in (1063, 941) },
        { _ in (5, 1031) }, { _ in (16, 16) },
        { _ in (1031, 5) },
    ]

    private static let qualities = [90, 1, 25, 50, 75, 95, 100]
    private static let restarts: [ConformancePhoto.Restarts] = [.none, .everyMCU, .rows(1), .rows(3)]
    private static let filters = [
        "sepia", "", "noir", "tilt-shift:radius=3,band=0.2,falloff=0.2,transition=mix",
    ]
    /// Where a decoder reduces the photo to 1, 1/2, 1/4, 1/8: a resizing leaves less than a quarter of that.
    private static let resizings: [(filter: String?, halves: Bool)] = [
        (nil, false), (nil, true), ("resize:scale=6%", false), ("resize:scale=3%", false),
    ]
    /// Of outputs; nil keeps the photo's own tables.
    private static let outputQualities: [Int?] = [nil] + qualities
    private static let restartRows = [nil, 1, 3]

    /// What is chosen of an output.
    private static let outputCounts = [
        resizings.count, filters.count, outputQualities.count, 2, restartRows.count, 2,
    ]

    private static func rows(_ counts: [Int], isQuick: Bool) -> [[Int]] {
        isQuick ? PairwiseRows.each(counts) : PairwiseRows.all(counts)
    }

    // MARK: Cases

    /// What is chosen of a JPEG.
    private static let jpegCounts = [
        planes.count, sizes.count, ConformancePhoto.Content.allCases.count, qualities.count, 2,
        restarts.count,
    ]

    private static func jpegs(isQuick: Bool) -> [CodingCase] {
        rows(jpegCounts + outputCounts, isQuick: isQuick).map { row in
            CodingCase(photo: jpeg(row), recipes: recipes(row.dropFirst(jpegCounts.count)))
        }
    }

    /// Outputs of RGB, so planes are converted.
    private static func jpegsToPNGs(isQuick: Bool) -> [CodingCase] {
        rows(jpegCounts + [resizings.count, filters.count], isQuick: isQuick).map { row in
            let choices = Array(row.dropFirst(jpegCounts.count))
            let recipe = recipe(filters[choices[1]], resizings[choices[0]], format: .png)
            return CodingCase(photo: jpeg(row), recipes: [recipe])
        }
    }

    /// - Parameter row: choices of `jpegCounts`, and any others.
    private static func jpeg(_ row: [Int]) -> ConformancePhoto {
        let layout = planes[row[0]], size = sizes[row[1]](ConformancePhoto.mcu(layout))
        return ConformancePhoto(
            content: ConformancePhoto.Content.allCases[row[2]], layout: layout,
            geometry: PhotoGeometry(width: size.width, height: size.height), format: .jpeg,
            quality: qualities[row[3]], optimizesCodes: row[4] == 1, restarts: restarts[row[5]])
    }

    private static func pngs(isQuick: Bool) -> [CodingCase] {
        let counts = [pngLayouts.count, sizes.count, ConformancePhoto.Content.allCases.count]
        return rows(counts + outputCounts, isQuick: isQuick).map { row in
            let layout = pngLayouts[row[0]], size = sizes[row[1]](ConformancePhoto.mcu(layout))
            let photo = ConformancePhoto(
                content: ConformancePhoto.Content.allCases[row[2]], layout: layout,
                geometry: PhotoGeometry(width: size.width, height: size.height), format: .png)
            return CodingCase(photo: photo, recipes: recipes(row.dropFirst(counts.count)))
        }
    }

    /// - Parameter row: choices of `outputCounts`.
    private static func recipes(_ row: ArraySlice<Int>) -> [Recipe] {
        let row = Array(row), resizing = resizings[row[0]]
        var first = recipe(filters[row[1]], resizing, format: .jpeg)
        first.quality = outputQualities[row[2]].map(Recipe.Quality.value) ?? .keep
        first.optimizesCodes = row[3] == 1
        first.restartRows = restartRows[row[4]]
        if first.chain.filters.isEmpty, !first.halvesSize, first.quality == .keep {
            // Otherwise the photo's bytes would be copied.
            first.quality = .value(Recipe.defaultQuality)
        }
        guard row[5] == 1 else { return [first] }
        var second = recipe("invert", resizing, format: .jpeg)
        var third = recipe("noir", resizing, format: .jpeg)
        second.quality = .value(60)
        third.optimizesCodes = !first.optimizesCodes
        return [first, second, third]
    }

    private static func recipe(
        _ filter: String, _ resizing: (filter: String?, halves: Bool), format: PhotoFormat
    ) -> Recipe {
        let texts = [resizing.filter, filter].compactMap(\.self).filter { !$0.isEmpty }
        return Recipe(chain(texts), format: format, halvesSize: resizing.halves)
    }

    private static func chain(_ texts: [String]) -> FilterChain {
        do { return try FilterChain(parsing: texts, reading: .none) } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func damaged(isQuick: Bool) -> [CodingCase] {
        func photo(_ layout: PixelLayout, _ width: Int, _ height: Int) -> ConformancePhoto {
            ConformancePhoto(
                content: .mixed, layout: layout, geometry: PhotoGeometry(width: width, height: height),
                format: .jpeg)
        }
        var photos = [
            photo(.yCbCr(.s420), 203, 131), photo(.yCbCr(.s420), 120, 90),
            photo(.interleaved(.grey, .eight), 203, 131), photo(.yCbCr(.s444), 61, 47),
        ]
        photos[1].restarts = .rows(1)
        photos[2].optimizesCodes = true
        photos[2].quality = 100
        photos[3].restarts = .everyMCU
        let formats = [PhotoFormat.jpeg, .png]
        let choices = photos.flatMap { photo in formats.map { (photo, Recipe(chain(["invert"]), format: $0)) }
        }
        return JPEGDamage.all.enumerated().flatMap { number, damage in
            // Quickly, each damage once.
            let chosen = isQuick ? [choices[number % choices.count]] : choices
            return chosen.map { CodingCase(photo: $0, damage: damage, recipes: [$1]) }
        }
    }
}
