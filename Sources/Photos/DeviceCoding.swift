import TintypeCodecs
import TintypeImaging
import TintypeRendering

/// What a device decodes and encodes itself of a photo's outputs.
struct DeviceCoding {
    let device: any CodingDevice
    /// What it does; the rest is done in strips.
    let work: CodingWork
    /// The host's memory for it.
    let memory: RenderMemory
    /// For each output what the device encodes; nil if it is encoded here.
    var images: [CompressedImage?] { work.outputs.map(\.image) }

    /// Asks the device.
    ///
    /// - Parameters:
    ///   - plans: those of all outputs that are made together; at least one.
    ///   - decoding: what they share; nil if the photo must be decoded here.
    ///   - codec: says whether the device may do it.
    /// - Returns: nil if all is done in strips.
    /// - Throws: `DeviceError`.
    static func choice(
        _ reader: PhotoReader, _ plans: [PlannedOutput], _ decoding: Decoding?, on device: any Device,
        _ codec: DeviceCodec
    ) throws -> DeviceCoding? {
        guard codec.includes(device.info.kind), let coding = device.abilities.coding else { return nil }
        let image = decoding.flatMap { reader.compressedImage(decodingTo: $0.samples.layout) }
        let work = CodingWork(
            image.map {
                CodingWork.Input(
                    $0, reducedBy: decoding?.divisor ?? 1, byteCount: reader.compressedByteCount)
            },
            // One that cannot be written fails alone, when it begins.
            plans.map { CodingWork.Output($0.render, to: (try? $0.compressedImage()) ?? nil) })
        guard !work.isOfStrips, let offer = try coding.offer(for: work) else { return nil }
        let accepted = work.accepted(offer)
        return accepted.isOfStrips ? nil : DeviceCoding(device: coding, work: accepted, memory: offer.memory)
    }
}

extension DeviceCoding {
    /// The photo for the device to decode; nil if it is decoded here.
    ///
    /// - Precondition: no source was made before.
    func makeInput(_ reader: PhotoReader) -> RenderInput? {
        work.input.map { input in
            .compressed(
                input.image, reducedBy: input.divisor, reader.makeCompressedSource(by: input.divisor))
        }
    }
}

extension Decoding {
    /// This decoding, if a device may do all of it: nothing is averaged afterwards or converted to sRGB.
    var forDevice: Decoding? { averages == 1 && !samples.inSRGB ? self : nil }
}
