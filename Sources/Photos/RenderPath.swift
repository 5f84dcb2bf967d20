import Codecs
import Compute
import Files
import Filters
import Foundation
import Imaging

/// How one photo's samples are decoded, filtered and encoded.
package struct RenderPath {
    package let source: any StripSource
    package let plan: RenderPlan
    package let writer: PhotoWriter
    /// The output's format.
    let format: PhotoFormat
    /// Whether the writer copies the photo's compressed bytes while the source reads them.
    package let isCopy: Bool
    /// What the output loses. The reader has further notes.
    let notes: [PhotoNote]
    /// Open while the writer needs it.
    private let scratch: SharedFile?
    /// Whether the output gets Huffman codes of its own.
    var optimizesCodes: Bool { scratch != nil }

    /// Begins to read the photo's pixels, and to write the output to `descriptor`.
    ///
    /// - Parameters:
    ///   - scratchFolder: where data waits that cannot be written yet.
    ///   - observer: sees every byte that is written.
    /// - Throws: `CodecError` if the photo cannot be decoded or the output cannot be written; `Errno` if the
    ///   scratch folder cannot be used.
    package init(
        _ reader: PhotoReader, _ recipe: Recipe, to descriptor: Int32,
        scratchFolder: String = NSTemporaryDirectory(), observer: (any ByteObserver)? = nil
    ) throws {
        format = recipe.outputFormat(for: reader.format)
        var stages = recipe.chain.stages(
            for: recipe.halvesSize ? reader.geometry.halved : reader.geometry)
        isCopy = stages.isEmpty && Self.keepsCompressedImage(reader, recipe)
        if isCopy {
            scratch = nil
            // The writer observes the file from its first byte on, so it comes before the source.
            let stripped = recipe.stripsMetadata ? OutputMetadata(stripping: reader) : nil
            notes = stripped?.notes ?? []
            // To find damage, all data must be decoded, but to no more than one sample a block.
            let denominator = 8
            writer = try PhotoWriter(
                fileDescriptor: descriptor, copying: reader, readReducedBy: denominator,
                metadata: stripped?.metadata, observer: observer)
            source = try reader.makeReducedSource(layout: reader.layout, by: denominator)
            plan = RenderPlan([], for: source.geometry, input: source.layout, output: source.layout)
            return
        }
        let kept = recipe.stripsMetadata ? reader.metadata.stripped() : reader.metadata
        let (metadata, conversionNotes) = reader.carryOver(kept, to: format)
        let decoded = Self.decodedLayout(reader, format)
        let divisor = recipe.halvesSize ? 2 : Self.reduction(of: reader, before: &stages)
        source =
            divisor > 1
            ? try reader.makeReducedSource(layout: decoded, by: divisor)
            : try reader.makeSource(layout: decoded)

        let isGrey = !stages.haveColour(input: source.layout.hasColour)
        // A grey photo stays grey; a colour photo becomes grey only if its colour profile allows it.
        let goesGrey = isGrey && (metadata.allowsGreyOutput || !source.layout.hasColour)
        let layout = PhotoWriter.layout(
            for: format, source: source.layout, grey: goesGrey, jpegCoding: reader.jpegCoding)
        plan = RenderPlan(stages, for: source.geometry, input: source.layout, output: layout)

        let output = OutputMetadata(
            of: reader, saying: metadata, recipe, changesPixels: recipe.halvesSize || !stages.isEmpty,
            size: plan.outputGeometry, layout: layout)
        notes = conversionNotes + output.notes
        var settings = PhotoWriterSettings(
            format: format, geometry: plan.outputGeometry, layout: layout, metadata: output.metadata,
            jpegQuality: Self.quality(reader, recipe))
        settings.jpegCodec = reader.limits.jpegCodec
        scratch =
            recipe.optimizesCodes && format == .jpeg
            ? SharedFile(try OpenFile.anonymous(in: scratchFolder)) : nil
        settings.scratchDescriptor = scratch?.file.number
        writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings, observer: observer)
    }

    /// The divisor to which a JPEG is decoded before the first stage, if that resizes it; the stage then begins with the
    /// reduced photo.
    ///
    /// A reduced pixel is a mean of sRGB-encoded values, not of light, and a mean takes contrast from fine detail. So a
    /// pixel of the result averages at least four of them along each axis: of the finest detail that it shows, 2.6 % of
    /// the contrast is lost, of detail twice as large 0.6 %.
    private static func reduction(of reader: PhotoReader, before stages: inout [Stage]) -> Int {
        guard reader.format == .jpeg, case .resample(let resampling) = stages.first else { return 1 }
        let factor = min(resampling.columns.factor, resampling.rows.factor)
        let divisor = [8, 4, 2].first { factor >= Double(4 * $0) } ?? 1
        if divisor > 1 { stages[0] = .resample(resampling.afterReduction(by: divisor)) }
        return divisor
    }

    /// Whether a photo without filters keeps its compressed image; a CMYK photo then stays CMYK. A damaged
    /// photo is encoded again, so that its output is a valid file.
    private static func keepsCompressedImage(_ reader: PhotoReader, _ recipe: Recipe) -> Bool {
        reader.format == .jpeg && recipe.outputFormat(for: .jpeg) == .jpeg && recipe.quality == .keep
            && !recipe.halvesSize && !reader.limits.toleratesDamage
    }

    /// JPEG to JPEG keeps the planes; otherwise JPEGs are decoded to RGB or grey.
    private static func decodedLayout(_ reader: PhotoReader, _ format: PhotoFormat) -> PixelLayout {
        guard reader.format == .jpeg, format != .jpeg else { return reader.layout }
        return .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
    }

    private static func quality(_ reader: PhotoReader, _ recipe: Recipe) -> JPEGQuality {
        switch recipe.quality {
        case .value(let value): .value(value)
        case .keep: reader.jpegCoding.map(JPEGQuality.keep) ?? .value(Recipe.defaultQuality)
        }
    }
}
