import TintypeCodecs
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeRendering

/// How one photo becomes one output: what a device gets, what it does, and where its result goes.
package struct RenderPath {
    /// What takes the plan's output.
    package enum Target {
        case strips(any PhotoSink)
        /// The device encodes the output.
        case compressed(CompressedWriter)
    }

    package let input: RenderInput
    package let plan: RenderPlan
    package let target: Target
    /// Of the output's file.
    let writtenLayout: PixelLayout
    let writtenGeometry: PhotoGeometry
    /// The output's format.
    let format: PhotoFormat
    /// Whether the sink copies the photo's compressed bytes while the source reads them.
    package let isCopy: Bool
    /// Whether the output is held until its file is small enough.
    let isSized: Bool
    /// Bytes of memory for a copy, beside decoding.
    let copierByteCount: Int
    /// Whether the output gets codes of its own.
    let optimizesCodes: Bool
    /// Whether the output is progressive.
    let isProgressive: Bool
    /// What the output loses. The reader has further notes.
    private let notes: [PhotoNote]
    /// Kept, because it has what the target needs.
    private let output: PlannedOutput?
    /// Kept for a copy, because it has an open file.
    private let following: AppendedGainMap?

    /// Begins to read the photo's pixels, and to write the output to `descriptor`.
    ///
    /// - Parameter device: decodes and encodes what it can, as with `DeviceCodec.auto`; nil gets strips.
    /// - Throws: `CodecError` if the photo cannot be decoded, or the output cannot be written; `DeviceError`.
    package init(
        _ reader: PhotoReader, _ recipe: Recipe, to descriptor: Int32, on device: (any Device)? = nil
    ) throws {
        let draft = try RenderDraft(reader, recipe)
        let gainMap = try OutputGainMap.outcome(
            reader, draft, reading: reader.readGainMap, memory: nil
        ) { false }
        guard let decoding = draft.decoding else {
            try self.init(copying: reader, draft, gainMap, to: descriptor, scratchFolder: nil, observer: nil)
            return
        }
        let output = try PlannedOutput(reader, draft, decoding, gainMap, scratchFolder: nil)
        let coding = try device.flatMap {
            try CodingChoice(reader, [output], decoding.forDevice, on: $0, .auto).coding
        }
        try self.init(
            coding?.makeInput(reader) ?? .strips(reader.makeSource(decoding)), output,
            encodedAs: coding?.images[0], to: descriptor)
    }

    /// Begins to write an output.
    ///
    /// - Parameters:
    ///   - input: the photo, decoded as `output` says, or to be decoded by the device.
    ///   - image: what the device encodes; nil if the output is encoded here.
    ///   - observer: sees every byte that is written.
    /// - Throws: `CodecError` if the output cannot be written.
    init(
        _ input: RenderInput, _ output: PlannedOutput, encodedAs image: CompressedImage?,
        to descriptor: Int32,
        observer: (any ByteObserver)? = nil
    ) throws {
        self.input = input
        self.output = output
        target =
            try image.map { image in
                .compressed(
                    try CompressedWriter(
                        fileDescriptor: descriptor, image, settings: output.settings, observer: observer))
            } ?? .strips(output.makeSink(descriptor, observer))
        plan = output.render
        writtenLayout = output.settings.layout
        writtenGeometry = output.settings.geometry
        format = output.settings.format
        optimizesCodes = output.settings.scratchDescriptor != nil
        isProgressive = output.settings.isProgressive
        notes = output.notes
        following = nil
        isCopy = false
        isSized = output.isSized
        copierByteCount = 0
    }

    /// Begins to copy the photo's compressed bytes.
    ///
    /// - Parameters:
    ///   - gainMap: what becomes of the photo's gain map if its metadata are replaced.
    ///   - scratchFolder: as for `PlannedOutput`.
    init(
        copying reader: PhotoReader, _ draft: RenderDraft, _ gainMap: OutputGainMap.Outcome,
        to descriptor: Int32, scratchFolder: String?, observer: (any ByteObserver)?
    ) throws {
        // The writer observes the file from its first byte on, so it comes before the source.
        let stripped = draft.recipe.stripsMetadata ? OutputMetadata(stripping: reader, gainMap) : nil
        following = try stripped?.gainMap.map { map in
            try AppendedGainMap(map, scratch: PlannedOutput.scratchFile(in: scratchFolder, draft))
        }
        // To find damage, all data must be decoded, but to no more than one sample a block.
        let denominator = 8
        let writer = try PhotoWriter(
            fileDescriptor: descriptor, copying: reader, as: draft.format, readReducedBy: denominator,
            atMost: draft.recipe.maxByteCount ?? .max, metadata: stripped?.metadata,
            gainMap: following?.map, observer: observer)
        let source = try reader.makeReducedSource(layout: reader.layout, by: denominator)
        input = .strips(source)
        target = .strips(writer)
        plan = RenderPlan([], for: source.geometry, input: source.layout, output: source.layout)
        (writtenLayout, writtenGeometry) = (plan.output, plan.outputGeometry)
        format = draft.format
        optimizesCodes = false
        isProgressive = false
        notes = stripped?.notes ?? []
        output = nil
        isCopy = true
        isSized = false
        copierByteCount = reader.memoryByteCount(copyingAs: draft.format)
    }

    /// The gain map that follows the output.
    var gainMap: FollowingGainMap? { following?.map ?? output?.settings.gainMap }

    /// Whether encoding on this machine's threads takes longer than decoding.
    var needsHelpers: Bool { if case .strips(let sink) = target { sink.needsHelpers } else { false } }

    /// Lets idle threads help to encode: see `PhotoWriter.use`.
    func use(_ helpers: any CodecHelpers, memory byteCount: Int) {
        if case .strips(let sink) = target { sink.use(helpers, memory: byteCount) }
    }

    /// Completes the output's file, after its last row or byte.
    ///
    /// - Parameter isCancelled: polled between strips.
    /// - Throws: as `PhotoSink.finish`.
    package func finish(isCancelled: () -> Bool) throws {
        switch target {
        case .strips(let sink): try sink.finish(isCancelled: isCancelled)
        case .compressed(let writer): try writer.finish()
        }
    }

    /// What a device does for the output.
    var work: DeviceWork {
        if case .compressed = target { return DeviceWork(plan, input: input.format, output: format) }
        return DeviceWork(plan, input: input.format)
    }

    /// All notes for the user about the output, after its last row.
    func notes(_ reader: PhotoReader, _ recipe: Recipe) -> [PhotoNote] {
        let handlesGainMap =
            gainMap != nil || notes.contains { if case .gainMapLeftOut = $0 { true } else { false } }
        var notes = notes + reader.notes.compactMap { handlesGainMap ? $0.withoutGainMap : $0 }
        if reader.layout.hasAlpha, !format.hasAlpha { notes.append(.transparencyLeftOut(by: format)) }
        // Inks that become RGB have a note of their own.
        if recipe.convertsToSRGB, isCopy || !reader.hasInks, let detail = reader.obstacleToSRGB {
            notes.append(.notConvertedToSRGB(detail: detail))
        }
        let losesLateMetadata = reader.hasLateMetadata && !isCopy && !recipe.stripsMetadata
        return notes + (losesLateMetadata ? [.lateMetadataLeftOut] : [])
    }
}

extension PhotoNote {
    /// Nil if it is about nothing else.
    fileprivate var withoutGainMap: PhotoNote? {
        guard case .furtherPicturesLeftOut(let pictures) = self else { return self }
        let others = pictures.subtracting([.gainMap])
        return others.isEmpty ? nil : .furtherPicturesLeftOut(others)
    }
}
