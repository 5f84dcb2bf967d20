import TintypeImaging
import TintypeRendering
import TintypeStages

/// The source of a program that a plan needs, for tools that compile it without a device: `make gpu-code`.
package struct PlannedProgram: Hashable, Sendable {
    /// The kernels' file, and the layouts and functions that distinguish the program from others of this file.
    package let name: String
    let source: ProgramSource
    /// The pixels of a work-item that takes a block; nil where it computes one value or one pixel.
    package let blockPixels: Int?

    package var text: String { source.text }

    /// The options that drivers get.
    package static let options = OpenCLProgram.options

    fileprivate init(_ source: ProgramSource, _ details: String, block: BlockSize? = nil) {
        name = "\(source.name) \(details)"
        self.source = source
        blockPixels = block.map { $0.width * $0.height }
    }

    /// The programs of the JPEG codec.
    package static var ofCodec: [PlannedProgram] {
        [PlannedProgram(.decoding(), "all samplings")]
            + ChromaSubsampling.common.map { sampling in
                PlannedProgram(
                    ProgramSource(encodingLuma: (sampling.horizontal, sampling.vertical)), "\(sampling)")
            } + [PlannedProgram(ProgramSource(encodingLuma: nil), "grey")]
    }

    /// All programs of a plan, each once.
    ///
    /// - Throws: `DeviceError.invalidStage`.
    package static func programs(of plan: RenderPlan) throws(DeviceError) -> Set<PlannedProgram> {
        guard !plan.isIdentity else { return [] }
        return Set(try Segment.segments(of: plan).flatMap(\.plannedPrograms))
    }
}

extension Segment {
    /// What `SegmentKernels` builds.
    fileprivate var plannedPrograms: [PlannedProgram] {
        switch pass {
        case nil:
            let details = "\(inputName) to \(output)\(names(before + after))"
            return [
                PlannedProgram(
                    ProgramSource(pointsOf: self), details, block: BlockSize(input, output))
            ]
        case .blur(let blur):
            return [linearising(converts: true), mixing(blur)] + blur.parts.flatMap { planned($0, of: blur) }
        case .resample(let resampling):
            let source = ProgramSource(resizing: resampling, hasAlpha: hasAlpha)
            let details = (resampling.onlyMoves ? "moving" : "converting") + alpha
            return [linearising(converts: !resampling.onlyMoves), PlannedProgram(source, details)]
        case .window:
            let source = ProgramSource(windowOf: self)
            return [
                linearising(converts: false),
                PlannedProgram(source, "of\(names([own].compactMap(\.self)))\(alpha)"),
            ]
        }
    }

    private func linearising(converts: Bool) -> PlannedProgram {
        PlannedProgram(
            ProgramSource(linearisingFor: self, converts: converts),
            "\(inputName)\(names(before))\(converts ? "" : ", not converting")",
            block: BlockSize(input, .floats))
    }

    private func mixing(_ blur: MaskedBlur) -> PlannedProgram {
        let source = ProgramSource(mixing: blur, in: self)
        let isUpsampling = source.text.contains("#define UPSAMPLES 1")
        let details =
            "\(inputName) to \(output)\(names(before)), mask by \(blur.axis)\(isUpsampling ? ", upsampling" : "")"
            + names([own].compactMap(\.self)) + (after.isEmpty ? "" : ", then\(names(after))")
        return PlannedProgram(source, details, block: BlockSize(input, output))
    }

    private func planned(_ part: MaskedBlur.Part, of blur: MaskedBlur) -> [PlannedProgram] {
        let gaussian = part.gaussian
        let weights = gaussian.kernelOfPlace == nil ? "of one sigma" : "of a sigma for each of \(blur.axis)"
        return [PlannedProgram(ProgramSource(blurring: gaussian, axis: blur.axis), weights)]
            + Set(gaussian.steps + [gaussian.factor]).map { factor in
                PlannedProgram(ProgramSource(resamplingBy: factor), "by \(factor)")
            }
    }

    private var inputName: String { input == .floats ? "floats\(alpha)" : "\(input)" }

    private var alpha: String { hasAlpha ? " with alpha" : "" }

    private func names(_ functions: [Point]) -> String { functions.map { " \($0.kernel)" }.joined() }
}

extension Segment.Format: CustomStringConvertible {
    var description: String {
        switch self {
        case .strip(.yCbCr(let subsampling)): "ycc \(subsampling)"
        case .strip(.interleaved(let channels, let depth)): "\(channels)\(depth.rawValue)"
        case .floats: "floats"
        }
    }
}
