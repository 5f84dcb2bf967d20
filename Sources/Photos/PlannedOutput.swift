import Foundation
import SystemPackage
import TintypeCodecs
import TintypeCompute
import TintypeFiles
import TintypeFilters
import TintypeImaging

/// How an output is rendered and written, known before the photo's samples are read.
struct PlannedOutput {
    /// The device's work.
    let render: RenderPlan
    /// Of the output's file.
    let settings: PhotoWriterSettings
    /// What the output loses. The reader has further notes.
    let notes: [PhotoNote]
    /// Open while the output is encoded.
    private let scratch: SharedFile?
    /// Kept, because it has an open file.
    private let following: AppendedGainMap?
    /// The most bytes of the file; nil for any.
    private let limit: Int?
    /// Whether the output is without loss only because the photo is.
    private let mayLose: Bool
    /// Whether rows are turned upright after the device.
    private let isTurned: Bool
    /// The geometry of the rows that the device gives.
    private let result: PhotoGeometry

    /// - Parameters:
    ///   - decoding: the draft's.
    ///   - gainMap: what became of the photo's gain map.
    ///   - scratchFolder: where data waits that cannot be written yet; nil is the place of temporary files.
    /// - Throws: `CodecError` if the scratch folder cannot be written.
    init(
        _ reader: PhotoReader, _ draft: RenderDraft, _ decoding: Decoding, _ gainMap: OutputGainMap.Outcome,
        scratchFolder: String?
    ) throws {
        let recipe = draft.recipe, format = draft.format, stages = draft.stages
        let layout = decoding.samples.layout
        let inSRGB = decoding.samples.inSRGB || reader.hasInks && reader.canBecomeSRGB
        let own = inSRGB ? reader.metadata.convertedToSRGB() : reader.fittingMetadata
        let shown = draft.isTurned ? own.upright() : own
        let kept = recipe.stripsMetadata ? shown.stripped() : shown
        let isGrey = !stages.haveColour(input: layout.hasColour)
        let (metadata, conversionNotes) = reader.carryOver(
            kept, to: format, hasColour: layout.hasColour || !isGrey)

        // A grey photo stays grey; a colour photo becomes grey only if its colour profile allows it. Readers of gain maps expect
        // colour.
        let goesGrey = isGrey && (metadata.allowsGreyOutput && !gainMap.isKept || !layout.hasColour)
        let coding =
            draft.isTurned ? reader.jpegCoding?.upright(from: reader.geometry.orientation) : reader.jpegCoding
        let written = PhotoWriter.layout(for: format, source: layout, grey: goesGrey, jpegCoding: coding)
        limit = recipe.maxByteCount
        mayLose = !recipe.isLossless
        isTurned = draft.isTurned
        result = draft.resultGeometry
        render = RenderPlan(
            stages, for: reader.geometry.divided(by: decoding.divisor), input: layout,
            output: isTurned ? UprightSink.layout(for: written, result) : written)

        let output = OutputMetadata(
            of: reader, saying: metadata, recipe,
            changesPixels: recipe.halvesSize || decoding.samples.inSRGB || isTurned || !stages.isEmpty,
            frame: draft.frame, layout: written, gainMap)
        notes =
            conversionNotes + output.notes
            + (draft.losesImage && limit == nil ? [.imageEncodedAgain(by: draft.format)] : [])
            + (output.metadata.isHighDynamicRange && layout.depth == .sixteen && written.depth == .eight
                ? [.highDynamicRangeIn8Bits] : [])
        var settings = PhotoWriterSettings(
            format: format, geometry: isTurned ? result.upright : result, layout: written,
            metadata: output.metadata, jpegQuality: Self.quality(coding, recipe, format))
        settings.jpegCodec = reader.limits.jpegCodec
        settings.restartRows = recipe.restartRows
        settings.pngLevel = recipe.pngLevel
        settings.isProgressive = recipe.isProgressive && format.codec.hasProgressiveFiles
        settings.isLossless =
            format.codec.hasLosslessFiles
            && (recipe.isLossless || reader.isLossless && recipe.quality == .keep)
        scratch =
            recipe.optimizesCodes && format.codec.optimizesCodes && !settings.isProgressive
            ? try Self.scratchFile(in: scratchFolder, draft) : nil
        settings.scratchDescriptor = scratch?.file.number
        let mapScratch =
            output.gainMap != nil && recipe.maxByteCount == nil
            ? try Self.scratchFile(in: scratchFolder, draft) : nil
        following = output.gainMap.map { AppendedGainMap($0, scratch: mapScratch) }
        settings.gainMap = following?.map
        self.settings = settings
    }

    /// Whether the output is held until its file is small enough.
    var isSized: Bool { limit != nil }

    /// The output as a device may encode it, or why it must be encoded here. One that cannot be written fails when it begins.
    func compressedImage() -> Result<CompressedImage, CodingObstacle> {
        if isTurned { return .failure(.turned) }
        if limit != nil { return .failure(.sized) }
        if settings.isProgressive { return .failure(.progressive) }
        guard let image = try? CompressedWriter.image(settings) else {
            return .failure(.format(settings.format))
        }
        return .success(image)
    }

    /// Begins to write the output to `descriptor`.
    ///
    /// - Parameter observer: sees every byte that is written.
    /// - Returns: takes the rows of `render`.
    /// - Throws: `CodecError` if the output cannot be written.
    func makeSink(_ descriptor: Int32, _ observer: (any ByteObserver)?) throws -> any PhotoSink {
        let writer: any PhotoSink =
            if let limit {
                try SizedSink(
                    settings, atMost: limit, mayLose: mayLose, to: descriptor, observer: observer)
            } else {
                try PhotoWriter(fileDescriptor: descriptor, settings: settings, observer: observer)
            }
        return isTurned ? UprightSink(result, layout: render.output, to: writer) : writer
    }

    static func scratchFile(in folder: String?, _ draft: RenderDraft) throws -> SharedFile {
        guard let folder else { return SharedFile(try OpenFile.temporary(for: draft.mostPixelBytes)) }
        do throws(Errno) {
            return SharedFile(try OpenFile.anonymous(in: folder))
        } catch {
            throw CodecError.writeFailed(error)
        }
    }

    private static func quality(
        _ coding: JPEGCoding?, _ recipe: Recipe, _ format: PhotoFormat
    ) -> JPEGQuality {
        switch recipe.quality {
        case .value(let value): .value(value)
        case .keep: coding.map(JPEGQuality.keep) ?? .value(format.codec.usualQuality)
        }
    }
}
