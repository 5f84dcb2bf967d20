import TintypeImaging
import TintypeRendering

extension OpenCLDevice: CodingDevice {
    package func offer(for work: CodingWork) throws -> CodingOffer? {
        guard let prepared = try prepare(work) else { return nil }
        return CodingOffer(
            decodes: prepared.work.input != nil, encodes: prepared.work.outputs.map { $0.image != nil },
            memory: prepared.memory.ofHost(sharesHostMemory: sharesHostMemory))
    }

    package func render(
        _ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool
    ) throws {
        guard let prepared = try prepare(CodingWork(outputs, from: input)) else {
            preconditionFailure("the device has offered nothing")
        }
        let byteCount =
            prepared.memory.deviceByteCount + CodedRenderer.filterMemory(of: prepared.work, on: self)
        let isRegular = try withCodingLane(for: prepared.work, byteCount, isCancelled) { lane in
            try render(outputs, from: input, prepared, on: lane, isCancelled)
        }
        guard isRegular else { throw IrregularImage() }
        if let failure = outputs.last?.failure, outputs.allSatisfy({ $0.failure != nil }) { throw failure }
    }

    private typealias Prepared = (work: CodingWork, tables: CodedRenderer.Tables, memory: CodedMemory)

    /// - Returns: false if the photo's data are irregular.
    private func render(
        _ outputs: [RenderOutput], from input: RenderInput, _ prepared: Prepared, on lane: OpenCLLane,
        _ isCancelled: () -> Bool
    ) throws -> Bool {
        try withLane(lane, isCancelled) { (lane) throws(DeviceError) in
            try CodedRenderer.renderer(prepared.work, prepared.tables, lane: lane)
        } _: { renderer in
            for (programs, output) in zip(renderer.programs, outputs) where !programs.areProven {
                try selfTest(output.plan, isCancelled)
            }
            return try renderer.run(outputs, from: input, isCancelled: isCancelled)
        }
    }

    /// What the codec's kernels need of a work-group.
    private static let codingLocalMemory = 40 << 10
    private static let codingGroupItems = 256

    /// The part of the work that the device does itself, and what it needs for that; nil for none.
    private func prepare(_ work: CodingWork) throws -> Prepared? {
        guard localMemoryByteCount >= Self.codingLocalMemory, groupLimit >= Self.codingGroupItems else {
            return nil
        }
        let decoder = try work.input.flatMap { try decoderTables($0, work.outputs[0].plan) }
        let encoders = try work.outputs.map(encoderTables)
        let own = work.part(decodes: decoder != nil, encodes: encoders.map { $0 != nil }).rounded
        guard !own.isOfStrips else { return nil }
        let tables = CodedRenderer.Tables(decoder: decoder, encoders: encoders)
        let memory = CodedMemory(own, tables)
        return memory.fits(self) ? (own, tables, memory) : nil
    }

    private func decoderTables(
        _ input: CodingWork.Input, _ plan: RenderPlan
    ) throws -> JPEGDecoderTables? {
        guard input.image.format == .jpeg, input.byteCount != nil else { return nil }
        return try codingTables.decoder(
            input.image.header, reducedBy: input.divisor, to: plan.input, self)
    }

    private func encoderTables(_ output: CodingWork.Output) throws -> JPEGEncoderTables? {
        guard let image = output.image, image.format == .jpeg else { return nil }
        let tables = try codingTables.encoder(image.header, self)
        return tables?.layout == output.plan.output ? tables : nil
    }
}
