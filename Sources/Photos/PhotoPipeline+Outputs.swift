import Codecs
import Compute
import Dispatch
import Files
import Filters
import Imaging

extension PhotoPipeline {
    /// One of several outputs that a photo gets in one go.
    package struct Task {
        /// Index of its recipe.
        let recipe: Int
        /// Path of its file.
        let path: String
        /// Whether an existing file is replaced.
        let overwrites: Bool
        private(set) var willPublish: WillPublish?

        package init(recipe: Int, path: String, overwrites: Bool) {
            self.recipe = recipe
            self.path = path
            self.overwrites = overwrites
        }

        /// The same task, which calls `willPublish` once the output's file is complete: see
        /// `process(_:to:on:willPublish:isCancelled:)`.
        package func announcing(_ willPublish: @escaping WillPublish) -> Task {
            var task = self
            task.willPublish = willPublish
            return task
        }
    }

    /// Makes several outputs of one photo. Each is complete or absent on its own.
    ///
    /// The photo is read and decoded once, to the largest size that any of the recipes needs, and each output is
    /// rendered on a thread of its own. These get a read of their own: a copy of the compressed bytes, outputs that
    /// need other decoded samples, and those that do not fit into memory with others: the set is halved until it fits.
    ///
    /// - Parameters:
    ///   - tasks: the outputs to make.
    ///   - recipes: those of all outputs, also of those that are not made now. A JPEG is decoded for all of them, so an
    ///     output's bytes do not depend on which others are made with it.
    ///   - isCancelled: polled between strips, and before the outputs get their names.
    /// - Returns: the output of each task, or its error: see `process(_:to:on:willPublish:isCancelled:)`.
    package func process(
        _ image: EncodedImage, _ tasks: [Task], of recipes: [Recipe], on device: any Device,
        isCancelled: @escaping @Sendable () -> Bool
    ) -> [Result<Output, any Error>] {
        var results = tasks.map { task -> Result<Output, any Error>? in
            do throws(FilterError) {
                try recipes[task.recipe].chain.check()
                return nil
            } catch {
                return .failure(error)
            }
        }
        var drafts: OutputDrafts?
        // How many are tried at once: less while they do not fit into memory, more again after those that do.
        var most = tasks.count
        while case let waiting = tasks.indices.filter({ results[$0] == nil }), !waiting.isEmpty {
            var group: [Int]?
            do {
                let hash = tasks.contains { $0.willPublish != nil } ? ContentHash() : nil
                try image.read(limits: limits, observer: hash) { reader, input in
                    if isCancelled() { throw CancellationError() }
                    let known = drafts.flatMap { $0.apply(to: reader) ? $0 : nil }
                    let current = known ?? OutputDrafts(reader, recipes)
                    drafts = current
                    group = [waiting[0]]
                    let chosen = try current.sharingDecode(waiting, most: most) { tasks[$0].recipe }
                    group = chosen
                    let branches = makeBranches(
                        chosen.map { tasks[$0] }, current.drafts, input, hashes: hash != nil)
                    let whole = branches.compactMap { try? $0.get() }
                    try render(whole, reader, on: device, isCancelled)
                    if chosen.count == waiting.count, !whole.contains(where: isTriedAgain) { didRender() }
                    try prepareToPublish(whole, reader, input, hash, isCancelled)
                    for (index, branch) in zip(chosen, branches) {
                        results[index] = branch.flatMap { branch in
                            Result { try publish(branch, reader, hash) }
                        }
                    }
                }
            } catch {
                if let group, group.count > 1, error.isOfMemory {
                    most = group.count / 2
                    continue
                }
                for index in group ?? waiting where results[index] == nil { results[index] = .failure(error) }
            }
            most = max(most, 2 * (group?.count ?? 0))
        }
        return zip(tasks, results).map { task, result in
            let result = result ?? .failure(CancellationError())
            guard salvagesDamaged, case .failure(let error as CodecError) = result, error.isDamage else {
                return result
            }
            var alone = self
            alone.recipe = recipes[task.recipe]
            return Result { throw try alone.salvage(image, task.path, error, on: device, isCancelled) }
        }
    }

    /// Whether an output is rendered once more: on another device, or as the part of a damaged photo that can be decoded.
    private func isTriedAgain(_ branch: OutputBranch) -> Bool {
        switch branch.failure {
        case is DeviceError: true
        case let error as CodecError: salvagesDamaged && error.isDamage
        default: false
        }
    }

    private func makeBranches(
        _ tasks: [Task], _ drafts: [Result<RenderDraft, CodecError>], _ input: WatchedFile?, hashes: Bool
    ) -> [Result<OutputBranch, any Error>] {
        tasks.map { task in
            Result {
                OutputBranch(
                    task, try drafts[task.recipe].get(),
                    try makeFile(at: task.path, permissions: input?.permissions),
                    hash: hashes ? ContentHash() : nil)
            }
        }
    }

    /// Decodes the photo, and renders and encodes all branches. A branch that fails keeps its error, and the
    /// others go on.
    private func render(
        _ branches: [OutputBranch], _ reader: PhotoReader, on device: any Device,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        guard let first = branches.first else { return }
        let groups = OutputGroup.groups(of: branches, on: device)
        let decoded = try first.draft.decoding.map { try reader.makeSource($0.shared) }
        // One group needs no copies of the strips.
        let shared =
            groups.count > 1 ? decoded.map { SharedStrips($0, consumerCount: groups.count) } : nil
        for (index, group) in groups.enumerated() {
            group.begin(reader, shared.map { SharedSource($0, consumer: index) } ?? decoded) {
                shared?.leave(index)
            }
        }
        let paths = branches.compactMap(\.path)
        let needs =
            decoded.map { PhotoMemory(reader, paths, reading: $0, shared, on: device) }
            ?? paths.first.map { PhotoMemory(reader, $0, on: device, readsAhead: false) }
        guard let needs else { return }
        let pixelCount = reader.geometry.pixelCount
        try withMemory(needs, isCancelled) {
            let threads = DispatchGroup()
            for group in groups.dropFirst() {
                // A serial queue has a thread of its own while it runs a block.
                DispatchQueue(label: "tintype.output").async(group: threads) {
                    group.render(on: device, pixelCount, progress, isCancelled)
                }
            }
            groups[0].render(on: device, pixelCount, progress, isCancelled)
            threads.wait()
        }
    }

    /// Reads the rest of the photo, and checks that it has not changed.
    private func prepareToPublish(
        _ branches: [OutputBranch], _ reader: PhotoReader, _ input: WatchedFile?, _ hash: ContentHash?,
        _ isCancelled: () -> Bool
    ) throws {
        if isCancelled() { throw CancellationError() }
        guard branches.contains(where: { $0.failure == nil }) else { return }
        if hash != nil { try reader.readToEnd() }
        try input?.checkUnchanged()
        guard keepsTimes, let input else { return }
        for branch in branches { branch.file.setTimes(accessed: input.accessed, modified: input.modified) }
    }

    /// Gives a branch's output its name.
    private func publish(
        _ branch: OutputBranch, _ reader: PhotoReader, _ inputHash: ContentHash?
    ) throws -> Output {
        if let failure = branch.failure { throw failure }
        let pixelCount = reader.geometry.pixelCount
        var own = self
        own.overwrites = branch.task.overwrites
        let byteCount = try own.publish(branch.file, branch.path?.plan) {
            guard let willPublish = branch.task.willPublish, let inputHash, let hash = branch.hash else {
                return
            }
            try willPublish(
                Publication(
                    pixelCount: pixelCount, inputSHA256: inputHash.hexadecimal,
                    file: FileFingerprint(branch.file.file, sha256: hash.hexadecimal),
                    temporaryPath: branch.file.temporaryPath))
        }
        return Output(
            image: EncodedImage(path: branch.task.path, format: branch.draft.format), pixelCount: pixelCount,
            byteCount: byteCount, notes: branch.path?.notes(reader, branch.draft.recipe) ?? [])
    }
}

/// One output of a photo while it is made.
// @unchecked: one thread at a time uses it: the photo's, then that of `render`, then the photo's again.
private final class OutputBranch: @unchecked Sendable {
    let task: PhotoPipeline.Task
    let draft: RenderDraft
    let file: OutputFile
    let hash: ContentHash?
    private(set) var path: RenderPath?
    var failure: (any Error)?

    init(
        _ task: PhotoPipeline.Task, _ draft: RenderDraft, _ file: consuming OutputFile, hash: ContentHash?
    ) {
        self.task = task
        self.draft = draft
        self.file = file
        self.hash = hash
    }

    /// - Parameter decoded: the photo's strips; nil for a copy.
    func begin(_ reader: PhotoReader, _ decoded: (any StripSource)?) {
        do {
            path = try RenderPath(
                reader, draft, decoded: decoded, to: file.file.number,
                scratchFolder: task.path.parentFolder, observer: hash)
        } catch {
            failure = error
        }
    }
}

/// Outputs that a device makes in one go, on one thread: they begin with the same resizing.
// @unchecked: as `OutputBranch`.
private final class OutputGroup: @unchecked Sendable {
    private let branches: [OutputBranch]
    /// Ends the reading of shared strips.
    private var leave: () -> Void = {}

    private init(_ branches: [OutputBranch]) { self.branches = branches }

    static func groups(of branches: [OutputBranch], on device: any Device) -> [OutputGroup] {
        guard device is any BranchingDevice else { return branches.map { OutputGroup([$0]) } }
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
    func begin(
        _ reader: PhotoReader, _ decoded: (any StripSource)?, leave: @escaping () -> Void
    ) {
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
            if begun.count > 1, let device = device as? any BranchingDevice {
                try device.render(begun.map(\.3), from: source, isCancelled: isCancelled)
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
                branch.failure = error
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

extension Error {
    /// Whether a photo needs more memory than there is for it.
    fileprivate var isOfMemory: Bool {
        switch self as any Error {
        case CodecError.needsTooMuchMemory, DeviceError.tooLarge: true
        default: false
        }
    }
}
