import TintypeCPURendering
import TintypeImaging
import TintypeLocking
import TintypeRendering

/// The checks of photos that a device decodes or encodes itself. The first of each kind is checked, and then a share of them, each
/// wholly: the CPU decodes, filters and encodes it as well.
final class CodingChecks: Sendable {
    private let coding: any CodingDevice
    /// Kinds of which a photo was right.
    private let proven = Locked<Set<Kind>>([])

    /// What decoders and encoders depend on. Kernels of filters have a test of their own.
    private struct Kind: Hashable {
        let decoded, encoded: PhotoFormat?
        /// 1 for strips.
        var divisor = 1
        /// What a shorter header leaves out, the encoder finds itself.
        var headerByteCount = 0
        let input, output: PixelLayout

        init(_ result: RenderOutput, from photo: RenderInput) {
            (decoded, encoded) = (photo.format, result.target.format)
            (input, output) = (result.plan.input, result.plan.output)
            if case .compressed(_, let divisor, _) = photo { self.divisor = divisor }
            if case .compressed(let image, _) = result.target { headerByteCount = image.header.count }
        }
    }

    init(_ coding: any CodingDevice) { self.coding = coding }

    /// The device's memory, and that of a check: copies of the photo and of its outputs, and what the CPU makes of them.
    func offer(for work: CodingWork) throws -> CodingOffer? {
        guard var offer = try coding.offer(for: work) else { return nil }
        let copies = work.outputs.reduce(work.input?.byteCount ?? 0) { sum, output in
            // Two of each output.
            sum + 2 * output.plan.wholeByteCount + SIMDDevice().memory(for: output.plan).byteCount
        }
        offer.memory = RenderMemory(
            stripRows: offer.memory.stripRows, byteCount: offer.memory.byteCount + copies)
        return offer
    }

    func render(
        _ outputs: [RenderOutput], from input: RenderInput, for checked: CheckedDevice,
        isCancelled: () -> Bool
    ) throws {
        try checked.checkTrusted()
        let isNew = proven.withLock { !$0.isSuperset(of: outputs.map { Kind($0, from: input) }) }
        guard let outputCount = checked.outputCountToCheckFrom(isNew: isNew) else {
            return try coding.render(outputs, from: input, isCancelled: isCancelled)
        }
        let photo = try WatchedInput(input, outputs[0].plan)
        let results = try outputs.map(WatchedOutput.init)
        do {
            defer { for (output, result) in zip(outputs, results) { output.failure = result.output.failure } }
            try coding.render(results.map(\.output), from: photo.input, isCancelled: isCancelled)
        }
        let complete = zip(outputs, results).filter { $0.0.failure == nil }
        var fault: DeviceError?
        for (_, result) in complete where fault == nil {
            fault = try PhotoPhase.host.measure { try result.fault(photo, checked, isCancelled) }
        }
        let works = complete.map { DeviceWork($0.0.plan, input: input.format, output: $0.0.target.format) }
        try checked.conclude(fault, works, madeBefore: outputCount)
        proven.withLock { $0.formUnion(complete.map { Kind($0.0, from: input) }) }
    }
}

extension RenderPlan {
    /// Bytes of all samples of the photo and of the result.
    fileprivate var wholeByteCount: Int {
        byteCount(
            ofInputRows: geometry.height.roundedUp(toMultipleOf: rowGranularity),
            outputRows: outputGeometry.height.roundedUp(toMultipleOf: rowGranularity))
    }
}

// MARK: Copies of what a device gets and gives

/// A photo that is copied while a device reads it.
private final class WatchedInput {
    let input: RenderInput
    /// The same photo, decoded on the CPU.
    let decoded: () throws -> any StripSource

    init(_ input: RenderInput, _ plan: RenderPlan) throws {
        switch input {
        case .strips(let source):
            let copy = try MemoryPhoto(allocating: plan.geometry, layout: plan.input)
            self.input = .strips(CopyingSource(source, copy))
            decoded = { copy.makeSource() }
        case .compressed(let image, let divisor, let source):
            let copying = CopyingData(source)
            self.input = .compressed(image, reducedBy: divisor, copying)
            decoded = {
                guard let decode = source.referenceDecoder else { preconditionFailure("nothing to compare") }
                return try decode(copying.data)
            }
        }
    }
}

/// An output that is copied while a device writes it.
private final class WatchedOutput {
    let output: RenderOutput
    private let plan: RenderPlan
    /// Compares the copy with what the CPU makes.
    private let compare: (_ render: (any StripSink) throws -> Void, CheckedDevice) throws -> DeviceError?

    init(_ original: RenderOutput) throws {
        plan = original.plan
        let plan = plan
        switch original.target {
        case .strips(let sink):
            let copy = try MemoryPhoto(
                allocating: plan.outputGeometry, layout: plan.output)
            output = RenderOutput(plan, to: CopyingSink(sink, copy))
            compare = { render, checked in
                let expected = try MemoryPhoto(
                    allocating: plan.outputGeometry, layout: plan.output)
                try render(expected.makeSink())
                return copy.firstDifference(from: expected).map { checked.wrongPixels(row: $0.row) }
            }
        case .compressed(let image, let sink):
            let copying = CopyingFile(sink)
            output = RenderOutput(plan, to: .compressed(image, copying))
            compare = { render, checked in
                guard let encode = sink.referenceEncoder else { preconditionFailure("nothing to compare") }
                let encoder = try encode()
                try render(encoder)
                return try encoder.finish() == copying.bytes ? nil : .wrongFile(device: checked.info.name)
            }
        }
    }

    /// - Returns: what is wrong with the output; nil if it is as the CPU makes it.
    /// - Throws: `CancellationError`, and what the CPU says of the photo.
    func fault(
        _ photo: WatchedInput, _ checked: CheckedDevice, _ isCancelled: () -> Bool
    ) throws -> DeviceError? {
        let source = try photo.decoded()
        return try compare(
            { sink in
                try SIMDDevice().render(plan, from: source, to: sink, isCancelled: isCancelled)
            }, checked)
    }
}

private final class CopyingSource: StripSource {
    private let source: any StripSource
    private let copy: any StripSink
    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    init(_ source: any StripSource, _ copy: MemoryPhoto) {
        self.source = source
        self.copy = copy.makeSink()
    }

    func read(into strip: Strip) throws {
        try source.read(into: strip)
        if strip.rowCount > 0 { try copy.write(strip) }
    }

    func memoryByteCount(stripRows: Int) -> Int { source.memoryByteCount(stripRows: stripRows) }
}

private final class CopyingSink: StripSink {
    private let sink: any StripSink
    private let copy: any StripSink
    var layout: PixelLayout { sink.layout }

    init(_ sink: any StripSink, _ copy: MemoryPhoto) {
        self.sink = sink
        self.copy = copy.makeSink()
    }

    func write(_ strip: Strip) throws {
        // Before the sink, which may change the samples.
        try copy.write(strip)
        try sink.write(strip)
    }
}

private final class CopyingData: CompressedSource {
    private let source: any CompressedSource
    private(set) var data: [UInt8] = []
    var mostByteCount: Int? { source.mostByteCount }

    init(_ source: any CompressedSource) { self.source = source }

    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.read(into: memory)
        data += memory.prefix(count)
        return count
    }
}

private final class CopyingFile: CompressedSink {
    private let sink: any CompressedSink
    private(set) var bytes: [UInt8] = []

    init(_ sink: any CompressedSink) { self.sink = sink }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        self.bytes += bytes
        try sink.write(bytes)
    }
}
