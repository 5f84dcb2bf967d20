import TintypeImaging
import TintypeRendering

extension ByteWriter {
    mutating func put(_ work: CodingWork) {
        put(optional: work.input) { writer, input in
            writer.put(input.image)
            writer.put(input.divisor)
            writer.put(optional: input.byteCount) { $0.put($1) }
        }
        put(list: work.outputs) { writer, output in
            output.plan.write(to: &writer)
            writer.put(optional: output.image) { $0.put($1) }
        }
    }

    mutating func put(_ offer: CodingOffer) {
        put(offer.decodes)
        put(array: offer.encodes.map { UInt8($0 ? 1 : 0) })
        put(offer.memory.stripRows)
        put(offer.memory.byteCount)
    }

    private mutating func put(_ image: CompressedImage) {
        put(text: image.format.rawValue)
        put(array: image.header)
    }
}

extension ByteReader {
    mutating func takeWork() throws(MalformedMessage) -> CodingWork {
        let input = try takeOptional { (reader) throws(MalformedMessage) in
            CodingWork.Input(
                try reader.takeImage(), reducedBy: try reader.take(),
                byteCount: try reader.takeOptional { (reader) throws(MalformedMessage) in
                    try reader.take()
                })
        }
        let outputs = try takeList { (reader) throws(MalformedMessage) in
            CodingWork.Output(
                try RenderPlan(from: &reader),
                to: try reader.takeOptional { (reader) throws(MalformedMessage) in try reader.takeImage() })
        }
        guard !outputs.isEmpty else { throw MalformedMessage() }
        return CodingWork(input, outputs)
    }

    mutating func takeOffer() throws(MalformedMessage) -> CodingOffer {
        let decodes = try takeBool(), encodes = try takeArray(UInt8.self).map { $0 != 0 }
        let stripRows = try take(Int.self), byteCount = try take(Int.self)
        guard 1...1 << 31 ~= stripRows, 0...1 << 60 ~= byteCount else { throw MalformedMessage() }
        return CodingOffer(
            decodes: decodes, encodes: encodes,
            memory: RenderMemory(stripRows: stripRows, byteCount: byteCount))
    }

    private mutating func takeImage() throws(MalformedMessage) -> CompressedImage {
        guard let format = PhotoFormat(rawValue: try takeText()) else { throw MalformedMessage() }
        return CompressedImage(format, header: try takeArray())
    }
}
