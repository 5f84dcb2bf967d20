import TintypeCodecs
import TintypeImaging
import TintypeRendering

/// Outputs that a device makes in one go, on one thread: those that it decodes or encodes itself, or those that begin with the
/// same resizing.
// @unchecked: as `OutputBranch`.
final class OutputGroup: @unchecked Sendable {
    private let branches: [OutputBranch]
    /// Nil if the device reads and writes strips only.
    private let coding: (any CodingDevice)?
    /// Ends the reading of shared strips.
    private var leave: () -> Void = {}

    /// - Parameter coding: decodes or encodes the outputs; nil if they are made here.
    init(_ branches: [OutputBranch], _ coding: (any CodingDevice)? = nil) {
        self.branches = branches
        self.coding = coding
    }

    /// The groups of a photo that is decoded here.
    ///
    /// - Parameter coding: encodes outputs that have an image; nil if there are none.
    static func groups(
        of branches: [OutputBranch], on device: any Device, _ coding: (any CodingDevice)?
    ) -> [OutputGroup] {
        let inStrips = branches.filter { $0.image == nil }.grouped { first, other in
            device.abilities.branching != nil && first.draft.sharesResizing(with: other.draft)
        }
        let encoded = branches.filter { $0.image != nil }.grouped { $0.draft.decoding == $1.draft.decoding }
        return inStrips.map { OutputGroup($0) } + encoded.map { OutputGroup($0, coding) }
    }

    /// - Parameters:
    ///   - decoded: the photo's strips.
    ///   - leave: called when no more strips are read.
    func begin(_ decoded: any StripSource, leave: @escaping () -> Void) {
        self.leave = leave
        let source = decoded.averaged(by: branches[0].draft.decoding?.averages ?? 1)
        for branch in branches { branch.begin(.strips(source)) }
        if branches.allSatisfy({ $0.path == nil }) { leave() }
    }

    /// Begins outputs of a photo that the device decodes.
    func begin(_ input: RenderInput) { for branch in branches { branch.begin(input) } }

    func beginCopy(
        _ reader: PhotoReader, _ makeMap: (RenderDraft) throws -> OutputGainMap.Outcome
    ) { branches[0].beginCopy(reader, makeMap) }

    /// Renders and encodes the outputs that have begun. Each keeps its own error.
    func render(
        on device: any Device, _ pixelCount: Int, _ counter: PixelCounter, _ isCancelled: () -> Bool
    ) {
        defer { leave() }
        let begun = branches.compactMap { branch in
            branch.path.map { BegunOutput(branch, $0, CountedPixels(pixelCount, counter)) }
        }
        guard let input = begun.first?.path.input else { return }
        let failure = Result {
            let outputs = begun.map(\.rendered)
            // Sources and sinks tell the host's part.
            try (device.info.kind == .simd ? PhotoPhase.host : .device).measure {
                switch input {
                case _ where coding != nil:
                    try coding?.render(outputs, from: input, isCancelled: isCancelled)
                case .strips(let source):
                    try device.render(outputs, from: source, isCancelled: isCancelled)
                case .compressed: preconditionFailure("the device does not decode")
                }
            }
        }
        for output in begun { output.complete(failure, isCancelled) }
    }
}

/// An output while it is rendered.
private struct BegunOutput {
    let path: RenderPath
    let rendered: RenderOutput
    private let branch: OutputBranch
    private let pixels: CountedPixels

    init(_ branch: OutputBranch, _ path: RenderPath, _ pixels: CountedPixels) {
        self.branch = branch
        self.path = path
        self.pixels = pixels
        let target: RenderTarget =
            switch path.target {
            case .strips(let sink):
                .strips(CountingSink(sink, rowCount: path.plan.outputGeometry.height, pixels))
            case .compressed(let writer): .compressed(writer.image, writer)
            }
        rendered = RenderOutput(path.plan, to: target)
    }

    /// - Parameter failure: that of the whole render.
    func complete(_ failure: Result<Void, any Error>, _ isCancelled: () -> Bool) {
        do {
            if let failure = rendered.failure { throw failure }
            try failure.get()
            try path.finish(isCancelled: isCancelled)
            pixels.complete()
        } catch {
            pixels.takeBack()
            branch.fail(error)
        }
    }
}

extension Device {
    /// Renders outputs of strips.
    fileprivate func render(
        _ outputs: [RenderOutput], from source: any StripSource, isCancelled: () -> Bool
    ) throws {
        if outputs.count > 1, let branching = abilities.branching {
            try branching.render(outputs, from: source, isCancelled: isCancelled)
        } else {
            try render(outputs[0].plan, from: source, to: outputs[0].sink, isCancelled: isCancelled)
        }
    }
}

extension [OutputBranch] {
    /// Groups, in order.
    fileprivate func grouped(
        where belongTogether: (_ first: OutputBranch, OutputBranch) -> Bool
    ) -> [[OutputBranch]] {
        reduce(into: []) { groups, branch in
            if let group = groups.firstIndex(where: { belongTogether($0[0], branch) }) {
                groups[group].append(branch)
            } else {
                groups.append([branch])
            }
        }
    }
}

extension RenderDraft {
    /// Whether both begin by resizing the same pixels alike.
    fileprivate func sharesResizing(with other: RenderDraft) -> Bool {
        guard case .resample? = stages.first, decoding == other.decoding else { return false }
        return stages.first == other.stages.first
    }
}
