import SystemPackage
import TintypeCodecs
import TintypeCompute
import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeRendering
import TintypeResources
import TintypeStages

/// A photo's HDR gain map as it follows an output, with what the filters do to it. It is small, so the CPU renders it, before
/// the photo.
struct OutputGainMap {
    /// A JPEG.
    let file: [UInt8]
    let mention: GainMapMention

    /// What became of a photo's map.
    enum Outcome {
        /// The photo has none, or the output's format.
        case none
        case kept(OutputGainMap)
        case leftOut(GainMapObstacle)

        var hasMap: Bool { if case .none = self { false } else { true } }
        var isKept: Bool { if case .kept = self { true } else { false } }
    }

    /// - Parameters:
    ///   - map: reads the photo's map.
    ///   - memory: the budget that photos share.
    ///   - isCancelled: polled between strips.
    /// - Throws: `CodecError` if the photo cannot be read; `CancellationError`.
    static func outcome(
        _ reader: PhotoReader, _ draft: RenderDraft, reading map: () throws -> GainMap?,
        memory: MemoryBudget?,
        _ isCancelled: () -> Bool
    ) throws -> Outcome {
        // A copy of the whole file has its map.
        guard draft.decoding != nil || draft.recipe.stripsMetadata, draft.format.codec.gainMaps != nil
        else { return .none }
        do {
            guard let map = try map() else { return .none }
            return .kept(
                try OutputGainMap(map, of: reader, draft, memory: memory, isCancelled: isCancelled))
        } catch let obstacle as Obstacle {
            return .leftOut(obstacle.obstacle)
        } catch is OutOfMemory {
            return .leftOut(.memory)
        } catch let error as CodecError {
            switch error {
            case .readFailed: throw error
            case .outOfMemory, .needsTooMuchMemory: return .leftOut(.memory)
            default: return .leftOut(.damaged)
            }
        }
    }

    private struct Obstacle: Error {
        let obstacle: GainMapObstacle
    }

    private init(
        _ map: GainMap, of photo: PhotoReader, _ draft: RenderDraft, memory: MemoryBudget?,
        isCancelled: () -> Bool
    ) throws {
        if let obstacle = map.obstacle { throw Obstacle(obstacle: obstacle) }
        let recipe = draft.recipe
        if map.meaning.standard == .apple(needsMakerNote: true), recipe.stripsMetadata {
            throw Obstacle(obstacle: .meaningLeftOut)
        }
        var limits = photo.limits
        limits.toleratesDamage = false
        let reader = try PhotoReader(bytes: map.file, limits: limits)
        guard reader.geometry.width <= photo.geometry.width, reader.geometry.height <= photo.geometry.height
        else { throw Obstacle(obstacle: .largerThanPhoto) }
        guard reader.geometry.hasShape(of: photo.geometry) else { throw Obstacle(obstacle: .otherShape) }
        // It would be put on white, which is the greatest ratio.
        guard !reader.layout.hasAlpha else { throw Obstacle(obstacle: .transparent) }
        let size = recipe.halvesSize ? reader.geometry.halved : reader.geometry
        let stored = PhotoGeometry(
            width: size.width, height: size.height, orientation: photo.geometry.orientation)
        let plan = recipe.chain.gainMapPlan(
            photo: recipe.halvesSize ? photo.geometry.halved : photo.geometry, map: stored,
            neutral: map.meaning.neutralColour(isGrey: map.isGrey))
        let stages: [Stage], changesColours: Bool
        switch plan {
        case .kept(let kept, let inGrey): (stages, changesColours) = (kept, inGrey)
        case .leftOut(let filter): throw Obstacle(obstacle: .filter(name: filter))
        }
        // Ratios of red, green and blue are those of the photo's own primaries.
        let losesColour = !map.isGrey && (changesColours || draft.decoding?.samples.inSRGB == true)
        guard !losesColour || map.meaning.hasEqualChannels else { throw Obstacle(obstacle: .channelsDiffer) }
        mention = map.mention
        let canBeCopied = reader.canBeCopied(as: draft.format, replacingMetadata: true)
        if canBeCopied, stages.isEmpty, !draft.isTurned, !losesColour, !recipe.halvesSize {
            file = try Self.lending(reader.memoryByteCount(decodingTo: reader.layout), memory, isCancelled) {
                try PhotoWriter.copy(of: reader, metadata: map.metadata)
            }
        } else {
            let render = try MapRender(
                reader, map.metadata, stored, stages, as: draft.format, isGrey: losesColour || map.isGrey,
                isTurned: draft.isTurned, halves: recipe.halvesSize)
            file = try Self.lending(map.file.count + render.memoryByteCount, memory, isCancelled) {
                try render.file(isCancelled)
            }
        }
        if let limit = recipe.maxByteCount, file.count > limit / 4 { throw Obstacle(obstacle: .tooLarge) }
    }

    private static func lending<Result>(
        _ byteCount: Int, _ memory: MemoryBudget?, _ isCancelled: () -> Bool, to body: () throws -> Result
    ) throws -> Result {
        guard let memory else { return try body() }
        guard byteCount <= memory.byteCount else {
            throw CodecError.needsTooMuchMemory(
                reason: "its gain map", byteCount: byteCount, limit: memory.byteCount)
        }
        return try PhotoPhase.wait.measure {
            try memory.lend(byteCount, isCancelled: isCancelled) { try PhotoPhase.host.measure(body) }
        }
    }
}

/// A map that is written after an output, with the file that this needs.
struct AppendedGainMap {
    let map: FollowingGainMap
    private let scratch: SharedFile?

    /// - Parameter scratch: empty; nil for an output that is made in memory.
    init(_ map: OutputGainMap, scratch: SharedFile?) {
        self.scratch = scratch
        self.map = FollowingGainMap(file: map.file, scratchDescriptor: scratch?.file.number)
    }
}

/// Renders a map.
private struct MapRender {
    private let source: any StripSource
    private let plan: RenderPlan
    private let settings: PhotoWriterSettings
    private let isTurned: Bool
    private let decoderByteCount: Int

    /// - Parameters:
    ///   - metadata: the map's.
    ///   - stored: the map's size and the photo's orientation.
    ///   - format: the output's.
    ///   - isGrey: whether the map is grey, or becomes so.
    init(
        _ reader: PhotoReader, _ metadata: PhotoMetadata, _ stored: PhotoGeometry, _ stages: [Stage],
        as format: PhotoFormat, isGrey: Bool, isTurned: Bool, halves: Bool
    ) throws {
        self.isTurned = isTurned
        let result = stages.result(of: stored)
        let grey = PixelLayout.interleaved(.grey, .eight)
        let becomesGrey = isGrey && !reader.canDecode(to: grey)
        let stages = becomesGrey ? Grayscale().stages(for: stored) + stages : stages
        let input: PixelLayout =
            isGrey && !becomesGrey
            ? grey
            : isTurned && !reader.layout.canTurnUpright(result) ? reader.layout.withoutPlanes : reader.layout
        let coding = isTurned ? reader.jpegCoding?.upright(from: stored.orientation) : reader.jpegCoding
        // Colours of another format's map are ratios of each pixel.
        let written =
            coding == nil && !isGrey && format == .jpeg
            ? .yCbCr(.s444) : PhotoWriter.layout(for: format, source: input, grey: isGrey, jpegCoding: coding)
        plan = RenderPlan(
            stages, for: stored, input: input,
            output: isTurned ? UprightSink.layout(for: written, result) : written)
        decoderByteCount = reader.memoryByteCount(decodingTo: input)
        settings = PhotoWriterSettings(
            format: format, geometry: isTurned ? result.upright : result, layout: written,
            metadata: metadata,
            jpegQuality: coding.map(JPEGQuality.keep) ?? .value(format.codec.usualQuality))
        let rows =
            halves
            ? try reader.makeReducedSource(layout: input, by: 2) : try reader.makeSource(layout: input)
        source = OrientedSource(rows, stored)
    }

    /// An upper estimate, with the encoded map.
    var memoryByteCount: Int {
        let pixels = StripShape(
            layout: settings.layout, width: settings.geometry.width, rowCapacity: settings.geometry.height
        ).byteCount
        return decoderByteCount + SIMDDevice().memory(for: plan).byteCount + (isTurned ? 3 : 1) * pixels
            + PhotoWriter.memoryByteCount(settings.format, settings.layout, settings.geometry)
    }

    func file(_ isCancelled: () -> Bool) throws -> [UInt8] {
        let file = try PhotoWriter.file(settings, atMost: .max) { writer in
            let sink: any PhotoSink =
                isTurned ? UprightSink(plan.outputGeometry, layout: plan.output, to: writer) : writer
            try SIMDDevice().render(plan, from: source, to: sink, isCancelled: isCancelled)
            try sink.finish(isCancelled: isCancelled)
        }
        guard let file else { preconditionFailure("there is no limit") }
        return file
    }
}

/// Rows that are shown as those of another photo.
private final class OrientedSource: StripSource {
    let geometry: PhotoGeometry
    var layout: PixelLayout { rows.layout }
    private let rows: any StripSource

    init(_ rows: any StripSource, _ geometry: PhotoGeometry) {
        self.rows = rows
        self.geometry = geometry
    }

    func read(into strip: Strip) throws { try rows.read(into: strip) }
    func memoryByteCount(stripRows: Int) -> Int { rows.memoryByteCount(stripRows: stripRows) }
}

extension PhotoGeometry {
    /// Whether the sides have the same ratio, but for rounding.
    fileprivate func hasShape(of other: PhotoGeometry) -> Bool {
        let tolerance = 1.1
        let ratio = Double(width) * Double(other.height) / (Double(height) * Double(other.width))
        let rounding = 1 + 1 / Double(min(width, height))
        return ratio < tolerance * rounding && 1 / ratio < tolerance * rounding
    }
}

extension GainMapMetadata {
    /// - Parameter isGrey: whether the map has one channel, whatever its metadata say.
    fileprivate func neutralColour(isGrey: Bool) -> PlainColour {
        let values = neutral.map { UInt8(($0 * 255).rounded()) }
        return values.count == 3 && !isGrey
            ? PlainColour(values[0], values[1], values[2]) : PlainColour(values[0], values[0], values[0])
    }
}
