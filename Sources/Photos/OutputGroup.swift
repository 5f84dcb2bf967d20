import TintypeCodecs
import TintypeImaging
import TintypeRendering

/// Outputs that a device makes in one go, on one thread: they begin with the same resizing.
// @unchecked: as `OutputBranch`.
final class OutputGroup: @unchecked Sendable {
    private let branches: [OutputBranch]
    /// Ends the reading of shared strips.
    private var leave: () -> Void = {}

    private init(_ branches: [OutputBranch]) { self.branches = branches }

    static func groups(of branches: [OutputBranch], on device: any Device) -> [OutputGroup] {
        guard device.abilities.branching != nil else { return branches.map { OutputGroup([$0]) } }
        var groups: [[OutputBranch]] = []
        for branch in branches {
            let group = groups.firstIndex { $0[0].draft.sharesResizing(with: branch.draft) }
            if let group { groups[group].append(branch) } else { groups.append([branch]) }
        }
        return groups.map(OutputGroup.init)
    }

    /// - Parameters:
    ///   - decoded: the photo's strips; nil for a copy.
    ///   - leave: called when no more strips are read.
    func begin(_ reader: PhotoReader, _ decoded: (any StripSource)?, leave: @escaping () -> Void) {
        self.leave = leave
        let source = decoded?.averaged(by: branches[0].draft.decoding?.averages ?? 1)
        for branch in branches { branch.begin(reader, source) }
        if branches.allSatisfy({ $0.path == nil }) { leave() }
    }

    /// Renders and encodes the outputs that have begun. Each keeps its own error.
    func render(
        on device: any Device, _ pixelCount: Int, _ counter: PixelCounter, _ isCancelled: () -> Bool
    ) {
        defer { leave() }
        let begun = branches.compactMap { branch in
            branch.path.map { path in
                let sink = CountingSink(
                    path.sink, rowCount: path.plan.outputGeometry.height, pixelCount: pixelCount,
                    counter: counter)
                return (branch, path, sink, RenderOutput(path.plan, to: sink))
            }
        }
        guard let source = begun.first?.1.source else { return }
        let failure = Result {
            if begun.count > 1, let branching = device.abilities.branching {
                try branching.render(begun.map(\.3), from: source, isCancelled: isCancelled)
            } else {
                try device.render(begun[0].1.plan, from: source, to: begun[0].2, isCancelled: isCancelled)
            }
        }
        for (branch, path, sink, output) in begun {
            do {
                if let failure = output.failure { throw failure }
                try failure.get()
                try path.sink.finish(isCancelled: isCancelled)
                sink.complete()
            } catch {
                sink.takeBack()
                branch.fail(error)
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
