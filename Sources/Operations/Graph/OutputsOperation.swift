import Compute
import Filters
import Foundation
import Locking
import Logging
import Photos

/// Filters one photo into several output files, and decodes it once for all of them.
///
/// Each output succeeds or fails on its own: see `outcomes`. The operation yields the photo itself.
// @unchecked: every property added here is immutable and Sendable, or Locked.
package final class OutputsOperation: ImageOperation, @unchecked Sendable {
    /// One of the photo's outputs.
    package struct Part: Sendable {
        /// Index of its recipe.
        let recipe: Int
        /// The output, as planned or as named since.
        private(set) var output: PhotoJob.Output
        /// Names it anew for the photo's format; nil keeps its name.
        let naming: OutputNaming?
        /// Decides whether the output is made, and records the outcome; nil always makes it.
        let entry: (any OutputEntry)?

        var path: String { output.path }

        package init(
            recipe: Int, output: PhotoJob.Output, naming: OutputNaming? = nil, entry: (any OutputEntry)?
        ) {
            self.recipe = recipe
            self.output = output
            self.naming = naming
            self.entry = entry
        }

        /// Names the output for the photo's format.
        fileprivate mutating func name(for image: EncodedImage) throws {
            guard let naming, let format = image.format, entry?.verdict?.skip == nil else { return }
            let named = try naming(format)
            if named != output { entry?.move(to: named) }
            output = named
        }
    }

    /// How an output was made.
    package struct Outcome: Sendable {
        /// Nil unless it has failed.
        package var error: PhotoError?
        package var report = FilterReport()
    }

    private let pipeline: PhotoPipeline
    private let recipes: [Recipe]
    private let planned: [Part]
    private let devices: DevicePool
    private let workers: PhotoWorkers?
    private let settled = Locked<[Outcome]>([])

    /// - Parameters:
    ///   - recipes: those of all outputs, also of those that are not made now.
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - workers: the threads that filter it; nil uses the queue's thread.
    package init(
        _ pipeline: PhotoPipeline, _ recipes: [Recipe], _ parts: [Part], _ devices: DevicePool, name: String,
        image: EncodedImage?, workers: PhotoWorkers? = nil, logger: Logger
    ) {
        self.pipeline = pipeline
        self.recipes = recipes
        planned = parts
        self.devices = devices
        self.workers = workers
        super.init(name: name, image: image, logger: logger)
    }

    /// The outcome of each output; empty until the operation has finished, or if it was cancelled.
    package var outcomes: [Outcome] { settled.withLock { $0 } }

    /// Filters the photo. In a batch, one of its workers does so, and this returns at once.
    package override func main() {
        guard let workers else { return super.main() }
        workers.run { super.main() }
    }

    /// Tries the pool's devices one after the other for the outputs that are not made yet.
    ///
    /// - Throws: `CancellationError`.
    package override func process(_ image: EncodedImage) throws -> EncodedImage {
        let start = ContinuousClock.now
        var parts = planned
        defer { planned.forEach { $0.entry?.release() } }
        var outcomes = parts.map { _ in Outcome() }
        var tasks: [Int: PhotoPipeline.Task] = [:]
        for index in parts.indices {
            defer { outcomes[index].report.output = parts[index].entry?.output ?? parts[index].output }
            do {
                try parts[index].name(for: image)
                tasks[index] = try admit(parts[index], &outcomes[index].report)
            } catch let error where !(error is CancellationError) {
                outcomes[index].error = PhotoError(error, path: parts[index].path)
            }
        }
        if !tasks.isEmpty { try filter(image, parts, tasks, &outcomes) }
        for index in parts.indices {
            outcomes[index].report.duration = start.duration(to: .now)
            do {
                if tasks[index] != nil, outcomes[index].error == nil {
                    try parts[index].entry?.deliver(isCancelled: { self.isCancelled })
                }
            } catch let error where !(error is CancellationError) {
                outcomes[index].error = PhotoError(error, path: parts[index].path)
            }
            let outcome = outcomes[index]
            if let error = outcome.error {
                parts[index].entry?.fail(error)
            } else if outcome.report.skip == nil {
                parts[index].entry?.finish(outcome.report)
            }
        }
        settled.withLock { [outcomes] in $0 = outcomes }
        return image
    }

    /// - Returns: nil if the output is not made.
    private func admit(_ part: Part, _ report: inout FilterReport) throws -> PhotoPipeline.Task? {
        guard let entry = part.entry else {
            return PhotoPipeline.Task(
                recipe: part.recipe, path: part.path, overwrites: pipeline.overwrites)
        }
        let verdict = try entry.admit(isCancelled: { self.isCancelled })
        report.skip = verdict.skip
        guard case .work(let replaces) = verdict else { return nil }
        return PhotoPipeline.Task(
            recipe: part.recipe, path: entry.stagedPath ?? part.path, overwrites: replaces)
    }

    /// - Parameter tasks: the outputs to make, by the index of their part.
    private func filter(
        _ image: EncodedImage, _ parts: [Part], _ tasks: [Int: PhotoPipeline.Task],
        _ outcomes: inout [Outcome]
    ) throws {
        // Before a device is chosen: one may be retired while this photo waits.
        let slot = workers?.takeSlot()
        var pipeline = pipeline
        pipeline.didRender = { slot?.giveBack() }
        pipeline.isStaging = parts.contains { $0.entry?.stagedPath != nil }
        var waiting = tasks.keys.sorted()
        do {
            try devices.withDevices { device, isFallback in
                for index in waiting where isFallback && outcomes[index].report.fallback == nil {
                    outcomes[index].report.fallback = PhotoError.noDeviceLeft.description
                }
                try filter(image, parts, tasks, &waiting, through: pipeline, on: device, &outcomes)
            } failed: {
                for index in waiting { outcomes[index].report.fallback = $0.description }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            for index in waiting {
                outcomes[index].error = PhotoError(error, path: parts[index].path)
                outcomes[index].report.fallback = nil
            }
        }
    }

    /// Makes outputs on one device. Those that it fails go on waiting.
    private func filter(
        _ image: EncodedImage, _ parts: [Part], _ tasks: [Int: PhotoPipeline.Task], _ waiting: inout [Int],
        through pipeline: PhotoPipeline, on device: any Device, _ outcomes: inout [Outcome]
    ) throws {
        let identifier = device.info.identifier
        let work = waiting.map { index in
            tasks[index]?.announcing { [entry = parts[index].entry] in
                try entry?.announce($0, device: identifier)
            }
        }
        var pipeline = pipeline
        pipeline.askForApproval(of: device) { [parts] path in
            parts.first { $0.entry?.stagedPath?.exact == path.exact }?.path ?? path
        }
        let results = pipeline.process(
            image, work.compactMap { $0 }, of: recipes, on: device, isCancelled: { [self] in isCancelled })
        var failure: DeviceError?
        for (index, result) in zip(waiting, results) {
            outcomes[index].report.device = identifier
            switch result {
            case .success(let output):
                outcomes[index].report.pixelCount = output.pixelCount
                outcomes[index].report.byteCount = output.byteCount
                outcomes[index].report.notes = output.notes
            case .failure(let error as DeviceError): failure = error
            case .failure(let error): outcomes[index].error = PhotoError(error, path: parts[index].path)
            }
        }
        if results.contains(where: \.isCancellation) { throw CancellationError() }
        waiting = zip(waiting, results).compactMap { $1.isDeviceError ? $0 : nil }
        if let failure { throw failure }
    }
}

extension Result where Failure == any Error {
    fileprivate var isCancellation: Bool {
        if case .failure(is CancellationError) = self { true } else { false }
    }
    fileprivate var isDeviceError: Bool { if case .failure(is DeviceError) = self { true } else { false } }
}

extension PhotoPipeline {
    /// Lets outputs get their names only while the device is not known to give wrong pixels.
    ///
    /// - Parameter name: the output's name for users, by its file's path: a staged one is another.
    mutating func askForApproval(
        of device: any Device, naming name: @escaping @Sendable (_ path: String) -> String
    ) {
        approve = { try device.approve($0.map(name), of: $1) }
        withdraw = { device.withdraw(name($0)) }
    }
}
