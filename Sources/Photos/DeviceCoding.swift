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
}

/// What a device decodes and encodes itself of a photo's outputs, and why it does not do the rest.
struct CodingChoice {
    /// Nil if all is done in strips.
    let coding: DeviceCoding?
    /// For each output.
    let reports: [CodingReport]

    /// Asks the device.
    ///
    /// - Parameters:
    ///   - plans: those of all outputs that are made together; at least one.
    ///   - decoding: what they share, or why the photo must be decoded here. If that is memory, outputs are encoded here, too.
    ///   - codec: says whether the device may do it.
    /// - Throws: `DeviceError`.
    init(
        _ reader: PhotoReader, _ plans: [PlannedOutput], _ decoding: Result<Decoding, CodingObstacle>,
        on device: any Device, _ codec: DeviceCodec
    ) throws {
        guard codec.includes(device.info.kind), let device = device.abilities.coding,
            decoding.obstacle != .memory
        else {
            let isUnable = device.abilities.coding == nil
            let obstacle: CodingObstacle =
                !codec.includes(device.info.kind) ? .excluded : isUnable ? .unable : .memory
            let report = CodingReport(decodingObstacle: obstacle, encodingObstacle: obstacle)
            (coding, reports) = (nil, plans.map { _ in report })
            return
        }
        let input = Self.input(reader, decoding), images = plans.map { $0.compressedImage() }
        let work = CodingWork(
            input.value, zip(plans, images).map { CodingWork.Output($0.render, to: $1.value) })
        let offer = work.isOfStrips ? nil : try device.offer(for: work)
        let accepted = offer.map(work.accepted)
        reports = images.indices.map { index in
            let isEncoded = accepted?.outputs[index].image != nil
            return CodingReport(
                decodingObstacle: accepted?.input == nil ? input.obstacle ?? .refused : nil,
                encodingObstacle: isEncoded ? nil : images[index].obstacle ?? .refused)
        }
        if let offer, let accepted, !accepted.isOfStrips {
            coding = DeviceCoding(device: device, work: accepted, memory: offer.memory)
        } else {
            coding = nil
        }
    }

    private static func input(
        _ reader: PhotoReader, _ decoding: Result<Decoding, CodingObstacle>
    ) -> Result<CodingWork.Input, CodingObstacle> {
        if let kind = reader.reasonToDecodeHere { return .failure(.photo(kind)) }
        return decoding.flatMap { decoding in
            guard let image = reader.compressedImage(decodingTo: decoding.samples.layout) else {
                return .failure(.otherSamples)
            }
            return .success(
                CodingWork.Input(
                    image, reducedBy: decoding.divisor, byteCount: reader.compressedByteCount))
        }
    }
}

extension Result where Failure == CodingObstacle {
    fileprivate var value: Success? { try? get() }
    fileprivate var obstacle: CodingObstacle? {
        if case .failure(let obstacle) = self { obstacle } else { nil }
    }
}

extension DeviceCoding {
    /// The photo for the device to decode; nil if it is decoded here.
    ///
    /// - Precondition: no source was made before.
    func makeInput(_ reader: PhotoReader) -> RenderInput? {
        work.input.map { input in
            .compressed(
                input.image, reducedBy: input.divisor,
                reader.makeCompressedSource(layout: work.outputs[0].plan.input, by: input.divisor))
        }
    }
}

extension Decoding {
    /// This decoding, if a device may do all of it: nothing is averaged afterwards or converted to sRGB.
    var forDevice: Result<Decoding, CodingObstacle> {
        if samples.inSRGB { return .failure(.convertedColours) }
        return averages == 1 ? .success(self) : .failure(.otherSamples)
    }
}
