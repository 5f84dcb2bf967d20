import TintypeImaging

/// A device that decodes compressed photos, encodes compressed outputs, or both. What it leaves out, the CPU does: then strips
/// are read or written, as with other devices.
package protocol CodingDevice: Device {
    /// What the device does of a photo's work itself. It is asked before anything is read.
    ///
    /// - Returns: nil for nothing.
    /// - Throws: `DeviceError`.
    func offer(for work: CodingWork) throws -> CodingOffer?

    /// Filters one photo, in one or several ways, and decodes and encodes it as it has offered. An output whose sink fails keeps
    /// the error, and the others continue. The device tests programs of its own before it uses them.
    ///
    /// - Parameters:
    ///   - outputs: at least one; their plans have the photo's geometry and layout.
    ///   - isCancelled: called several times a second.
    /// - Throws: `IrregularImage`, before anything is written; errors of the input, or of the last sink if all fail;
    ///   `DeviceError`; `CancellationError`.
    func render(_ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool) throws
}

/// The data of a compressed photo are not as the device expects, or damaged, or hold late metadata.
/// Nothing was written: the CPU decodes the photo instead, and tells what is to be said.
package struct IrregularImage: Error {
    package init() {}
}

/// What is to be done with a photo.
package struct CodingWork: Hashable, Sendable {
    package struct Input: Hashable, Sendable {
        package let image: CompressedImage
        /// By how much decoding divides both sides, rounded up.
        package let divisor: Int
        /// The most bytes of data; nil if that is not known.
        package let byteCount: Int?

        package init(_ image: CompressedImage, reducedBy divisor: Int, byteCount: Int?) {
            self.image = image
            self.divisor = divisor
            self.byteCount = byteCount
        }
    }

    package struct Output: Hashable, Sendable {
        package let plan: RenderPlan
        /// Nil if strips are written.
        package let image: CompressedImage?

        package init(_ plan: RenderPlan, to image: CompressedImage?) {
            self.plan = plan
            self.image = image
        }
    }

    /// Nil if strips are read.
    package var input: Input?
    /// At least one.
    package var outputs: [Output]

    package init(_ input: Input?, _ outputs: [Output]) {
        self.input = input
        self.outputs = outputs
    }

    /// The part of the work that an offer is for: the rest is done in strips.
    package func accepted(_ offer: CodingOffer) -> CodingWork {
        part(decodes: offer.decodes, encodes: offer.encodes)
    }

    /// The work of a device that decodes or not, and encodes some of the outputs: the rest is done in strips.
    package func part(decodes: Bool, encodes: [Bool]) -> CodingWork {
        CodingWork(
            decodes ? input : nil, zip(outputs, encodes).map { Output($0.plan, to: $1 ? $0.image : nil) })
    }

    /// The same work for photos of about as many bytes, or some more. A device may treat them alike.
    package var rounded: CodingWork { with(byteCount: input?.byteCount?.roundedToKind) }

    /// Whether what is enough for this work does for a photo of the other: they differ in their bytes alone, and this one's are as
    /// many, or up to four times as many.
    package func serves(_ other: CodingWork) -> Bool {
        guard let own = input?.byteCount, let others = other.input?.byteCount else { return self == other }
        return others <= own && own / 4 <= others && with(byteCount: others) == other
    }

    private func with(byteCount: Int?) -> CodingWork {
        var work = self
        work.input = input.map { Input($0.image, reducedBy: $0.divisor, byteCount: byteCount) }
        return work
    }

    /// Whether nothing is compressed.
    package var isOfStrips: Bool { input == nil && outputs.allSatisfy { $0.image == nil } }
}

/// What a device does of a `CodingWork` itself.
package struct CodingOffer: Hashable, Sendable {
    package var decodes: Bool
    /// For each output.
    package var encodes: [Bool]
    /// The host's memory for all of the render.
    package var memory: RenderMemory

    package init(decodes: Bool, encodes: [Bool], memory: RenderMemory) {
        self.decodes = decodes
        self.encodes = encodes
        self.memory = memory
    }
}

extension Int {
    /// The next of 6 KiB, 8 KiB, 12 KiB, 16 KiB and so on.
    fileprivate var roundedToKind: Int {
        let power = 1 << (Int.bitWidth - Swift.max(self - 1, 4096).leadingZeroBitCount)
        return self <= power / 4 * 3 ? power / 4 * 3 : power
    }

    /// Bytes rounded up to whole pages, and by at most an eighth, so that memory for about as many can be used again.
    package var roundedToBlock: Int {
        let power = 1 << (Int.bitWidth - 1 - Swift.max(self, 1).leadingZeroBitCount)
        return roundedUp(toMultipleOf: Swift.max(4096, power / 8))
    }
}

extension CodingWork {
    /// The work of a render.
    package init(_ outputs: [RenderOutput], from input: RenderInput) {
        var own: Input?
        if case .compressed(let image, let divisor, let source) = input {
            own = Input(image, reducedBy: divisor, byteCount: source.mostByteCount)
        }
        self.init(
            own,
            outputs.map { output in
                guard case .compressed(let image, _) = output.target else {
                    return Output(output.plan, to: nil)
                }
                return Output(output.plan, to: image)
            })
    }
}
