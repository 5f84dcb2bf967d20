import Dispatch
import SystemPackage
import TintypeCodecs
import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeRendering

/// Makes the outputs of one photo on one device. Each is complete or absent on its own.
///
/// The photo is read and decoded once, to the largest size that any of the recipes needs, and outputs are rendered on
/// threads of their own. These get a read of their own: a copy of the compressed bytes, outputs that need other decoded
/// samples or another image of a RAW photo, and those that do not fit into memory with others: the set is halved until it
/// fits.
package struct PhotoRun {
    package typealias Output = PhotoPipeline.Output

    let pipeline: PhotoPipeline
    private let image: EncodedImage
    private let outputs: [PhotoOutput]
    private let recipes: [Recipe]
    let device: any Device
    let workers: PhotoWorkers?
    private let didRender: () -> Void
    let isCancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - outputs: those to make.
    ///   - recipes: those of all outputs of the photo, also of those that are not made now. A JPEG is decoded for all of
    ///     them, so an output's bytes do not depend on which others are made with it.
    ///   - workers: threads that help while they are idle; nil uses the caller's and those of the outputs.
    ///   - didRender: called once all outputs are encoded, before their files are synchronised with the disk.
    ///   - isCancelled: polled between strips, and before the outputs get their names.
    package init(
        _ pipeline: PhotoPipeline, _ image: EncodedImage, _ outputs: [PhotoOutput], of recipes: [Recipe],
        on device: any Device, workers: PhotoWorkers? = nil, didRender: @escaping () -> Void = {},
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.pipeline = pipeline
        self.image = image
        self.outputs = outputs
        self.recipes = recipes
        self.device = device
        self.workers = workers
        self.didRender = didRender
        self.isCancelled = isCancelled
    }

    /// Makes the outputs.
    ///
    /// - Returns: each output, or its error: see `PhotoPipeline.process`.
    package func results() -> [Result<Output, any Error>] {
        var results = outputs.map { output -> Result<Output, any Error>? in
            do throws(FilterError) {
                try recipes[output.recipe].chain.check()
                return nil
            } catch {
                return .failure(error)
            }
        }
        var plan: PhotoPlan?
        // How many are tried at once: less while they do not fit into memory, more again after those that do.
        var most = outputs.count
        var isIrregular = false
        // Recipes whose outputs cannot be copies.
        var encoded: Set<Int> = []
        // Of the outputs that are made now.
        var lacksMemoryToCode = false
        while case let left = outputs.indices.filter({ results[$0] == nil }), !left.isEmpty {
            let waiting = sharingPhoto(left)
            var group: [Int]?
            do {
                let obstacle: CodingObstacle? = lacksMemoryToCode ? .memory : isIrregular ? .irregular : nil
                for (index, result) in try read(
                    for: waiting, of: left.count, most: most, obstacle, encoding: encoded, &plan, &group)
                {
                    results[index] = result
                }
                lacksMemoryToCode = false
            } catch is IrregularImage where !isIrregular {
                isIrregular = true
                continue
            } catch is CodingNeedsTooMuchMemory where group?.count == 1 {
                // Strips need less than the whole photo.
                lacksMemoryToCode = true
                continue
            } catch {
                if error.isOfImage, let first = group?.first, encoded.insert(outputs[first].recipe).inserted {
                    plan = nil
                    continue
                }
                if let group, group.count > 1, error.isOfMemory {
                    most = group.count / 2
                    continue
                }
                for index in group ?? waiting where results[index] == nil { results[index] = .failure(error) }
            }
            most = max(most, 2 * (group?.count ?? 0))
        }
        return zip(outputs, results).map { salvage($0, after: $1 ?? .failure(CancellationError())) }
    }

    /// Reads the photo once, for the first output that waits, and for others that can be made of the same samples.
    ///
    /// - Parameters:
    ///   - waiting: those that are made of the same photo.
    ///   - leftCount: how many wait in all.
    ///   - most: how many outputs may be made at once.
    ///   - obstacle: why the device may not decode, or not code at all.
    ///   - encoded: recipes whose outputs cannot be copies.
    ///   - plan: that of an earlier read.
    ///   - group: set to the outputs that are made.
    private func read(
        for waiting: [Int], of leftCount: Int, most: Int, _ obstacle: CodingObstacle?,
        encoding encoded: Set<Int>,
        _ plan: inout PhotoPlan?,
        _ group: inout [Int]?
    ) throws -> [(Int, Result<Output, any Error>)] {
        let hash = hashing.map(ContentHash.init)
        var limits = pipeline.limits
        limits.raw = recipes[outputs[waiting[0]].recipe].raw
        return try image.read(limits: limits, observer: hash) { reader, input in
            if isCancelled() { throw CancellationError() }
            let known = plan.flatMap { $0.applies(to: reader) ? $0 : nil }
            let current = known ?? PhotoPlan(reader, recipes, encoding: encoded)
            plan = current
            group = [waiting[0]]
            let chosen = try current.sharingDecode(waiting, most: most) { outputs[$0].recipe }
            group = chosen
            let branches = chosen.map { index in
                Result { try makeBranch(outputs[index], current, input) }
            }
            let begun = branches.compactMap { try? $0.get() }
            try render(begun, reader, obstacle)
            for case let error? in begun.map(\.failure) where error.asksForAnotherWay { throw error }
            if chosen.count == leftCount, !begun.contains(where: isTriedAgain) { didRender() }
            try prepareToPublish(begun, reader, input, hash)
            return zip(chosen, branches).map { index, branch in
                (index, branch.flatMap { branch in Result { try publish(branch, reader, hash) } })
            }
        }
    }

    /// The first output, and others that are made of the same photo: of the JPEG in a RAW photo, or of the sensor's values.
    private func sharingPhoto(_ waiting: [Int]) -> [Int] {
        guard image.format == .raw else { return waiting }
        let raw = recipes[outputs[waiting[0]].recipe].raw
        return waiting.filter { recipes[outputs[$0].recipe].raw == raw }
    }

    /// How the photo and its outputs are hashed; nil if nobody asks. Objects are checked by their stores, which know SHA-256.
    private var hashing: ContentDigest.Algorithm? {
        guard outputs.contains(where: { $0.willPublish != nil }) else { return nil }
        return outputs.contains(where: \.isStaged) ? .sha256 : .blake3
    }

    /// Whether an output is rendered once more: on another device, or as the part of a damaged photo that can be decoded.
    private func isTriedAgain(_ branch: OutputBranch) -> Bool {
        switch branch.failure {
        case is DeviceError: true
        case let error as CodecError: pipeline.salvagesDamaged && error.isDamage
        default: false
        }
    }

    private func makeBranch(
        _ output: PhotoOutput, _ plan: PhotoPlan, _ input: WatchedFile?
    ) throws -> OutputBranch {
        let draft = try plan.drafts[output.recipe].get()
        guard case .file(let path) = output.place else {
            let mostBytes = try image.byteCount() + draft.mostPixelBytes
            return OutputBranch(output, draft, spool: try OpenFile.temporary(for: mostBytes))
        }
        return OutputBranch(
            output, draft, try makeFile(at: path, isStaged: output.isStaged, permissions: input?.permissions),
            hash: hashing.map(ContentHash.init))
    }

    /// Reads the rest of the photo, and checks that it has not changed.
    private func prepareToPublish(
        _ branches: [OutputBranch], _ reader: PhotoReader, _ input: WatchedFile?, _ hash: ContentHash?
    ) throws {
        if isCancelled() { throw CancellationError() }
        guard branches.contains(where: { $0.failure == nil }) else { return }
        if hash != nil { try reader.readToEnd() }
        try input?.checkUnchanged()
        guard pipeline.keepsTimes, let input else { return }
        for branch in branches {
            branch.withFile { $0.setTimes(accessed: input.accessed, modified: input.modified) }
        }
    }
}

// MARK: Files

extension PhotoRun {
    private func makeFile(
        at path: String, isStaged: Bool, permissions: FilePermissions?
    ) throws(PhotoError) -> OutputFile {
        let folder = isStaged ? nil : pipeline.outputFolder
        do throws(Errno) {
            return try PhotoPhase.write.measure { () throws(Errno) in
                try OutputFile(
                    at: path, inside: folder, permissions: permissions, temporaries: pipeline.temporaries)
            }
        } catch .tooManySymbolicLinkLevels where folder != nil {
            throw .outputOutside(path: path)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    /// Gives a branch's output its name, if it has one and its device is still trusted.
    private func publish(
        _ branch: OutputBranch, _ reader: PhotoReader, _ inputHash: ContentHash?
    ) throws -> Output {
        if let failure = branch.failure { throw failure }
        let pixelCount = reader.geometry.pixelCount, format = branch.draft.format
        let notes = branch.path?.notes(reader, branch.draft.recipe) ?? []
        let named = try branch.withFile { file in
            let byteCount = try publish(file, of: branch, pixelCount: pixelCount, inputHash)
            return (EncodedImage(path: file.path, format: format), byteCount)
        }
        if let (image, byteCount) = named {
            return Output(
                image: image, pixelCount: pixelCount, byteCount: byteCount, notes: notes,
                coding: branch.coding)
        }
        let spool = try branch.takeSpool()
        try device.abilities.approving?.approve(nil, of: nil)
        let isSent = if case .standardOutput = branch.output.place { true } else { false }
        if isSent { try send(spool) }
        return Output(
            image: isSent ? image : try EncodedImage(spool, format: format), pixelCount: pixelCount,
            byteCount: spool.byteCount, notes: notes, coding: branch.coding)
    }

    /// - Returns: the file's size in bytes.
    private func publish(
        _ file: borrowing OutputFile, of branch: OutputBranch, pixelCount: Int, _ inputHash: ContentHash?
    ) throws -> Int {
        let output = branch.output, name = output.name ?? file.path
        try device.abilities.approving?.approve(name, of: branch.path?.work)
        do {
            if let willPublish = output.willPublish, let inputHash, let hash = branch.hash {
                try willPublish(
                    PhotoPipeline.Publication(
                        pixelCount: pixelCount, inputDigest: inputHash.digest,
                        file: FileFingerprint(file.file, digest: hash.digest),
                        temporaryPath: file.temporaryPath))
            }
            let byteCount = try file.file.status().byteCount
            try publish(file, output)
            return byteCount
        } catch {
            device.abilities.approving?.withdraw(name)
            throw error
        }
    }

    private func publish(_ file: borrowing OutputFile, _ output: PhotoOutput) throws(PhotoError) {
        do throws(Errno) {
            try PhotoPhase.write.measure { () throws(Errno) in
                try file.publish(
                    overwrites: output.overwrites, sync: output.isStaged ? .none : pipeline.diskSync)
            }
        } catch .fileExists where pipeline.acceptsEqualOutputs {
            guard file.hasContentOfItsName else { throw .outputRefused(path: file.path, .otherBytes) }
        } catch .fileExists where !output.overwrites {
            throw .outputExists(path: file.path)
        } catch {
            throw .cannotWrite(path: file.path, error)
        }
    }

    private func send(_ spool: SpoolFile) throws(PhotoError) {
        do throws(Errno) {
            try spool.file.rewind()
            try PhotoPhase.write.measure { () throws(Errno) in
                try spool.file.readAll { bytes throws(Errno) in
                    _ = try Errno.typed { try FileDescriptor.standardOutput.writeAll(bytes) }
                }
            }
        } catch {
            throw .cannotWrite(path: "standard output", error)
        }
    }

    /// Writes the decodable part of a damaged photo under a name that marks it as damaged. An existing file with that
    /// name stays.
    ///
    /// - Returns: the output's result, which tells of that file.
    private func salvage(
        _ output: PhotoOutput, after result: Result<Output, any Error>
    ) -> Result<Output, any Error> {
        guard pipeline.salvagesDamaged, case .file(let path) = output.place,
            case .failure(let damage as CodecError) = result, damage.isDamage
        else { return result }
        var lenient = pipeline
        lenient.limits.toleratesDamage = true
        lenient.salvagesDamaged = false
        let salvagedPath = FileName.damaged(path)
        let run = PhotoRun(
            lenient, image, [PhotoOutput(.file(path: salvagedPath), overwrites: false)],
            of: [recipes[output.recipe]], on: device, workers: workers, didRender: didRender,
            isCancelled: isCancelled)
        switch run.results()[0] {
        case .success:
            return .failure(PhotoError.damaged(damage, salvagedPath: salvagedPath, isNew: true))
        case .failure(PhotoError.outputExists):
            return .failure(PhotoError.damaged(damage, salvagedPath: salvagedPath, isNew: false))
        case .failure(is CodecError): return result  // nothing can be decoded
        case .failure(let error): return .failure(error)
        }
    }
}

extension Error {
    /// Whether a photo needs more memory than there is for it.
    fileprivate var isOfMemory: Bool {
        switch self as any Error {
        case CodecError.needsTooMuchMemory, DeviceError.tooLarge, is CodingNeedsTooMuchMemory: true
        default: false
        }
    }
}

extension Error {
    /// Whether the output can be made in another way: decoded here, or encoded instead of copied.
    fileprivate var asksForAnotherWay: Bool { self is IrregularImage || isOfImage }

    /// Whether the compressed image could not be copied.
    fileprivate var isOfImage: Bool {
        if case CodecError.imageNotKept? = self as? CodecError { true } else { false }
    }
}
