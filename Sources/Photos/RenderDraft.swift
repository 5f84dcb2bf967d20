import TintypeCodecs
import TintypeFilters
import TintypeImaging
import TintypeStages

/// What decoded samples are.
struct DecodedSamples: Hashable {
    let layout: PixelLayout
    /// Whether they are converted to sRGB.
    let inSRGB: Bool
}

/// How a photo is decoded: to which samples, and by how much both sides are divided.
struct Decoding: Hashable {
    let samples: DecodedSamples
    /// 1, 2, 4 or 8.
    let divisor: Int
    /// By how much the decoder divides both sides; the rest is averaged. Less than `divisor` if another output of the
    /// photo needs more pixels.
    var decodedDivisor: Int

    /// The decoding that outputs of the photo share.
    var shared: Decoding {
        Decoding(samples: samples, divisor: decodedDivisor, decodedDivisor: decodedDivisor)
    }
    /// By how much both sides are divided after the shared decoding.
    var averages: Int { divisor / decodedDivisor }
}

/// What an output needs of a photo, known from its header.
package struct RenderDraft {
    let recipe: Recipe
    /// The output's format.
    let format: PhotoFormat
    /// The stages for the photo as it is decoded.
    let stages: [Stage]
    /// Whether the output is turned so that it needs no orientation.
    let isTurned: Bool
    /// The geometry after the stages, before the photo is turned.
    let resultGeometry: PhotoGeometry
    /// How the photo lies in the output, as both are stored.
    let frame: FrameChange
    /// Nil if the photo's compressed bytes are copied.
    private(set) var decoding: Decoding?
    /// Whether they would have been, but could not.
    let losesImage: Bool

    /// As many bytes as pixels of the output's format need without compression.
    var mostPixelBytes: Int {
        resultGeometry.pixelCount * format.codec.mostBytesPerPixel
    }

    /// - Parameter keepsImage: whether the compressed image may be copied.
    /// - Throws: `CodecError.needsTooMuchMemory` if a filter would need long tables for the sides of such a photo.
    package init(_ reader: PhotoReader, _ recipe: Recipe, keepsImage: Bool = true) throws(CodecError) {
        try Self.checkTables(reader, recipe)
        let stages = Self.stages(reader, recipe)
        self.init(
            reader, recipe, Self.samples(reader, recipe, stages), stages,
            Self.frame(reader, recipe, stages), keepsImage: keepsImage)
    }

    private init(
        _ reader: PhotoReader, _ recipe: Recipe, _ samples: DecodedSamples, _ stages: [Stage],
        _ frame: FrameChange, keepsImage: Bool = true
    ) {
        self.recipe = recipe
        self.frame = frame
        format = recipe.outputFormat(for: reader.format)
        isTurned = Self.isTurned(reader, recipe)
        resultGeometry = Self.resultGeometry(reader, recipe, stages)
        var stages = stages
        let isKept =
            stages.isEmpty && !samples.inSRGB && !isTurned && Self.keepsCompressedImage(reader, recipe)
        losesImage = isKept && !keepsImage
        if isKept && keepsImage {
            decoding = nil
        } else {
            let divisor = recipe.halvesSize ? 2 : Self.reduction(of: reader, before: &stages)
            decoding = Decoding(samples: samples, divisor: divisor, decodedDivisor: divisor)
        }
        self.stages = stages
    }

    /// Resamplings and blurs have tables of rows and columns, which are made with their stages.
    private static func checkTables(_ reader: PhotoReader, _ recipe: Recipe) throws(CodecError) {
        let filters = recipe.chain.filters, length = max(reader.geometry.width, reader.geometry.height)
        let limit = reader.limits.memoryLimit(for: reader.geometry, decodedTo: reader.layout)
        // Usual photos need no closer look, which takes time.
        guard MaskedBlur.tableBytesPerRow * filters.count * length > limit else { return }
        let byteCount = length * filters.reduce(0) { $0 + $1.tableBytesPerRow }
        guard byteCount <= limit else {
            throw .needsTooMuchMemory(reason: "very long", byteCount: byteCount, limit: limit)
        }
    }

    private static func stages(_ reader: PhotoReader, _ recipe: Recipe) -> [Stage] {
        recipe.chain.stages(for: recipe.halvesSize ? reader.geometry.halved : reader.geometry)
    }

    private static func resultGeometry(
        _ reader: PhotoReader, _ recipe: Recipe, _ stages: [Stage]
    ) -> PhotoGeometry {
        stages.result(of: recipe.halvesSize ? reader.geometry.halved : reader.geometry)
    }

    /// - Parameter stages: for the photo itself: a stage after another output's has another part of other pixels.
    private static func frame(_ reader: PhotoReader, _ recipe: Recipe, _ stages: [Stage]) -> FrameChange {
        let whole = FrameChange(of: reader.geometry)
        let stored = stages.reduce(
            recipe.halvesSize ? whole.resized(to: reader.geometry.halved) : whole
        ) { change, stage in
            guard case .resample(let resampling) = stage else { return change }
            let size = resampling.result(of: change.output)
            return stage.showsWholePhoto
                ? change.resized(to: size)
                : change.showing(columns: resampling.columns.range, rows: resampling.rows.range, as: size)
        }
        return isTurned(reader, recipe) ? stored.upright() : stored
    }

    private static func isTurned(_ reader: PhotoReader, _ recipe: Recipe) -> Bool {
        let keepsOrientation = recipe.outputFormat(for: reader.format).codec.carriesOrientation
        return (recipe.turnsUpright || !keepsOrientation) && reader.geometry.orientation != .up
    }

    /// JPEG to JPEG keeps the planes, unless colours are converted or chroma cannot be turned; otherwise planes are
    /// decoded to RGB.
    private static func samples(
        _ reader: PhotoReader, _ recipe: Recipe, _ stages: [Stage]
    ) -> DecodedSamples {
        let format = recipe.outputFormat(for: reader.format)
        let inSRGB = (recipe.convertsToSRGB || !format.carries(.profile)) && reader.canBecomeSRGB
        let keepsPlanes =
            !inSRGB && format.hasPlanes
            && (!isTurned(reader, recipe)
                || reader.layout.canTurnUpright(resultGeometry(reader, recipe, stages)))
        return DecodedSamples(
            layout: keepsPlanes ? reader.layout : reader.layout.withoutPlanes, inSRGB: inSRGB)
    }

    /// The drafts of several outputs. Those of the same samples share a decoding: the largest that any of them needs.
    ///
    /// - Returns: for each output its draft, or its error: see `init`.
    static func drafts(_ reader: PhotoReader, _ recipes: [Recipe]) -> [Result<RenderDraft, CodecError>] {
        let errors = recipes.map { recipe -> CodecError? in
            do throws(CodecError) {
                try checkTables(reader, recipe)
                return nil
            } catch {
                return error
            }
        }
        var sound = drafts(ofSound: zip(recipes, errors).filter { $1 == nil }.map(\.0), reader)[...]
        return errors.map { error in error.map { .failure($0) } ?? .success(sound.removeFirst()) }
    }

    private static func drafts(ofSound recipes: [Recipe], _ reader: PhotoReader) -> [RenderDraft] {
        var stages = recipes.map { Self.stages(reader, $0) }
        let samples = zip(recipes, stages).map { Self.samples(reader, $0, $1) }
        let frames = zip(recipes, stages).map { frame(reader, $0, $1) }
        cascade(&stages, samples)
        var drafts = recipes.indices.map {
            RenderDraft(reader, recipes[$0], samples[$0], stages[$0], frames[$0])
        }
        let decodings = Dictionary(grouping: drafts.compactMap(\.decoding), by: \.samples)
        for index in drafts.indices {
            guard let samples = drafts[index].decoding?.samples else { continue }
            drafts[index].decoding?.decodedDivisor = decodings[samples]?.map(\.divisor).min() ?? 1
        }
        return drafts
    }

    /// Lets outputs begin with the resizing of a larger one, where it cannot be seen: a device then resizes the whole
    /// photo once.
    private static func cascade(_ outputs: inout [[Stage]], _ samples: [DecodedSamples]) {
        let resizings = outputs.map { stages -> Resampling? in
            guard case .resample(let resampling) = stages.first, !resampling.onlyMoves else { return nil }
            return resampling
        }
        func size(_ index: Int) -> Int { resizings[index].map { $0.columns.count * $0.rows.count } ?? 0 }
        let largestFirst = outputs.indices.sorted { (size($0), $1) > (size($1), $0) }
        /// The stages up to an output's own resizing.
        var resized = outputs.map { Array($0.prefix(1)) }
        for (place, index) in largestFirst.enumerated() {
            guard let resizing = resizings[index] else { continue }
            // The smallest that is large enough.
            for larger in largestFirst[..<place].reversed() where samples[larger] == samples[index] {
                guard let rest = resizings[larger].flatMap(resizing.after) else { continue }
                resized[index] = resized[larger] + [.resample(rest)]
                outputs[index].replaceSubrange(0..<1, with: resized[index])
                break
            }
        }
    }

    /// The divisor by which the photo's decoder reduces it before the first stage, if that resizes it; the stage then
    /// begins with the reduced photo.
    ///
    /// A reduced pixel is a mean of sRGB-encoded values, not of light, and a mean takes contrast from fine detail. So a
    /// pixel of the result averages at least four of them along each axis: of the finest detail that it shows, 2.6 % of
    /// the contrast is lost, of detail twice as large 0.6 %.
    private static func reduction(of reader: PhotoReader, before stages: inout [Stage]) -> Int {
        guard case .resample(let resampling) = stages.first else { return 1 }
        let factor = min(resampling.columns.factor, resampling.rows.factor)
        let divisor = reader.reductions.filter { factor >= Double(4 * $0) }.max() ?? 1
        if divisor > 1 { stages[0] = .resample(resampling.afterReduction(by: divisor)) }
        return divisor
    }

    /// Whether a photo without filters keeps its compressed image; a CMYK photo then stays CMYK. A damaged
    /// photo is encoded again, so that its output is a valid file.
    private static func keepsCompressedImage(_ reader: PhotoReader, _ recipe: Recipe) -> Bool {
        let format = recipe.outputFormat(for: reader.format)
        return reader.canBeCopied(
            as: format, replacingMetadata: recipe.stripsMetadata, upright: recipe.turnsUpright)
            && recipe.quality == .keep
            && !recipe.halvesSize && !reader.limits.toleratesDamage
    }
}

extension PhotoReader {
    /// - Precondition: no source was made before.
    func makeSource(_ decoding: Decoding) throws(CodecError) -> any StripSource {
        decoding.divisor > 1
            ? try makeReducedSource(
                layout: decoding.samples.layout, by: decoding.divisor, inSRGB: decoding.samples.inSRGB)
            : try makeSource(layout: decoding.samples.layout, inSRGB: decoding.samples.inSRGB)
    }
}
