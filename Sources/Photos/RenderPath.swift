import Foundation
import SystemPackage
import TintypeCodecs
import TintypeCompute
import TintypeFiles
import TintypeFilters
import TintypeImaging

/// How one photo's samples are decoded, filtered and encoded.
package struct RenderPath {
    package let source: any StripSource
    package let plan: RenderPlan
    /// Takes the plan's output.
    package let sink: any PhotoSink
    /// Layout and geometry of the output's file.
    let writtenLayout: PixelLayout
    let writtenGeometry: PhotoGeometry
    /// The output's format.
    let format: PhotoFormat
    /// Whether the sink copies the photo's compressed bytes while the source reads them.
    package let isCopy: Bool
    /// What the output loses. The reader has further notes.
    let notes: [PhotoNote]
    /// Open while the sink needs it.
    private let scratch: SharedFile?
    /// Whether the output gets Huffman codes of its own.
    var optimizesCodes: Bool { scratch != nil }

    package init(_ reader: PhotoReader, _ recipe: Recipe, to descriptor: Int32) throws {
        try self.init(reader, try RenderDraft(reader, recipe), to: descriptor)
    }

    /// Begins to read the photo's pixels, and to write the output to `descriptor`.
    ///
    /// - Parameters:
    ///   - decoded: the photo's pixels, decoded as the draft says; nil decodes them.
    ///   - scratchFolder: where data waits that cannot be written yet; nil is the place of temporary files.
    ///   - observer: sees every byte that is written.
    /// - Throws: `CodecError` if the photo cannot be decoded, or the output or the scratch folder cannot be written.
    package init(
        _ reader: PhotoReader, _ draft: RenderDraft, decoded: (any StripSource)? = nil,
        to descriptor: Int32, scratchFolder: String? = nil,
        observer: (any ByteObserver)? = nil
    ) throws {
        let recipe = draft.recipe
        format = draft.format
        guard let decoding = draft.decoding else {
            isCopy = true
            scratch = nil
            // The writer observes the file from its first byte on, so it comes before the source.
            let stripped = recipe.stripsMetadata ? OutputMetadata(stripping: reader) : nil
            notes = stripped?.notes ?? []
            // To find damage, all data must be decoded, but to no more than one sample a block.
            let denominator = 8
            sink = try PhotoWriter(
                fileDescriptor: descriptor, copying: reader, readReducedBy: denominator,
                metadata: stripped?.metadata, observer: observer)
            source = try reader.makeReducedSource(layout: reader.layout, by: denominator)
            plan = RenderPlan([], for: source.geometry, input: source.layout, output: source.layout)
            (writtenLayout, writtenGeometry) = (plan.output, plan.outputGeometry)
            return
        }
        isCopy = false
        let inSRGB = decoding.samples.inSRGB || reader.hasInks && reader.canBecomeSRGB
        let own = inSRGB ? reader.metadata.convertedToSRGB() : reader.fittingMetadata
        let shown = draft.isTurned ? own.upright() : own
        let kept = recipe.stripsMetadata ? shown.stripped() : shown
        let stages = draft.stages
        source = try decoded ?? reader.makeSource(decoding)
        let isGrey = !stages.haveColour(input: source.layout.hasColour)
        let (metadata, conversionNotes) = reader.carryOver(
            kept, to: format, hasColour: source.layout.hasColour || !isGrey)

        // A grey photo stays grey; a colour photo becomes grey only if its colour profile allows it.
        let goesGrey = isGrey && (metadata.allowsGreyOutput || !source.layout.hasColour)
        let coding =
            draft.isTurned ? reader.jpegCoding?.upright(from: reader.geometry.orientation) : reader.jpegCoding
        writtenLayout = PhotoWriter.layout(
            for: format, source: source.layout, grey: goesGrey, jpegCoding: coding)
        let result = draft.resultGeometry
        let rendered = draft.isTurned ? UprightSink.layout(for: writtenLayout, result) : writtenLayout
        plan = RenderPlan(stages, for: source.geometry, input: source.layout, output: rendered)
        writtenGeometry = draft.isTurned ? result.upright : result

        let output = OutputMetadata(
            of: reader, saying: metadata, recipe,
            changesPixels: recipe.halvesSize || decoding.samples.inSRGB || draft.isTurned || !stages.isEmpty,
            frame: draft.frame, layout: writtenLayout)
        notes = conversionNotes + output.notes
        var settings = PhotoWriterSettings(
            format: format, geometry: writtenGeometry, layout: writtenLayout, metadata: output.metadata,
            jpegQuality: Self.quality(coding, recipe))
        settings.jpegCodec = reader.limits.jpegCodec
        scratch =
            recipe.optimizesCodes && format.codec.optimizesCodes
            ? try Self.scratchFile(in: scratchFolder, draft) : nil
        settings.scratchDescriptor = scratch?.file.number
        let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings, observer: observer)
        sink = draft.isTurned ? UprightSink(result, layout: rendered, to: writer) : writer
    }

    private static func scratchFile(in folder: String?, _ draft: RenderDraft) throws -> SharedFile {
        guard let folder else { return SharedFile(try OpenFile.temporary(for: draft.mostPixelBytes)) }
        do throws(Errno) {
            return SharedFile(try OpenFile.anonymous(in: folder))
        } catch {
            throw CodecError.writeFailed(error)
        }
    }

    /// All notes for the user about the output, after its last row.
    func notes(_ reader: PhotoReader, _ recipe: Recipe) -> [PhotoNote] {
        var notes = notes + reader.notes
        if reader.layout.hasAlpha, !format.hasAlpha { notes.append(.transparencyLeftOut(by: format)) }
        // Inks that become RGB have a note of their own.
        if recipe.convertsToSRGB, isCopy || !reader.hasInks, let detail = reader.obstacleToSRGB {
            notes.append(.notConvertedToSRGB(detail: detail))
        }
        let losesLateMetadata = reader.hasLateMetadata && !isCopy && !recipe.stripsMetadata
        return notes + (losesLateMetadata ? [.lateMetadataLeftOut] : [])
    }

    private static func quality(_ coding: JPEGCoding?, _ recipe: Recipe) -> JPEGQuality {
        switch recipe.quality {
        case .value(let value): .value(value)
        case .keep: coding.map(JPEGQuality.keep) ?? .value(Recipe.defaultQuality)
        }
    }
}
