import Foundation
import Logging
import TintypeCodecs
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeLocking
import TintypePhotos
import TintypeDevices

/// Filters one photo on a background queue, into an image or into output files, and decodes it once for all of them.
///
/// With one output, it yields the filtered image, and fails as the output does. With several, it yields the photo
/// itself, and each output succeeds or fails on its own.
// @unchecked: every property added here is immutable and Sendable, or Locked.
public final class FilterOperation: ImageOperation, @unchecked Sendable {
    /// One of the photo's outputs.
    package struct Part: Sendable {
        /// Index of its recipe.
        fileprivate let recipe: Int
        /// The output, as planned or as named since; nil is an image.
        fileprivate private(set) var output: PhotoJob.Output?
        /// Names it anew for the photo's format; nil keeps its name.
        private let naming: OutputNaming?
        /// Decides first whether the output is made, and records the outcome; nil always makes it.
        fileprivate let entry: (any OutputEntry)?

        package init(
            recipe: Int = 0, output: PhotoJob.Output?, naming: OutputNaming? = nil,
            entry: (any OutputEntry)? = nil
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

    /// A part while the operation runs.
    private struct Work {
        var part: Part
        var outcome = Outcome()
        /// Nil if it is not made.
        var output: PhotoOutput?
        /// The result; nil yields the photo.
        var image: EncodedImage?

        /// The output, which announces to its entry what it is about to publish.
        func announcedOutput(on device: String) -> PhotoOutput? {
            output?.announcing(
                part.entry.map { entry in
                    { publication in
                        try PhotoPhase.journal.measure { try entry.announce(publication, device: device) }
                    }
                })
        }

        /// Takes what a device has made. Its own failure is not the photo's: another one may make it.
        mutating func take(_ result: Result<PhotoRun.Output, any Error>, from device: String) {
            outcome.report.device = device
            switch result {
            case .success(let made):
                outcome.report.pixelCount = made.pixelCount
                outcome.report.byteCount = made.byteCount
                outcome.report.notes = made.notes
                outcome.report.coding = made.coding
                image = made.image
            case .failure(is DeviceError): break
            case .failure(let error): fail(error)
            }
        }

        mutating func fail(_ error: any Error) {
            let path = outcome.report.output?.path ?? part.output?.path
            outcome.error = PhotoError(error, path: path ?? "a temporary file")
        }
    }

    private let pipeline: PhotoPipeline
    private let recipes: [Recipe]
    private let parts: [Part]
    private let devices: DevicePool
    private let workers: PhotoWorkers?
    private let settled = Locked<[Outcome]>([])

    /// Filters a photo with all options of a pipeline.
    ///
    /// - Parameters:
    ///   - name: the photo's name, for logs.
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - output: where the result is written; nil returns it as an image.
    public convenience init(
        through pipeline: PhotoPipeline, on devices: DevicePool, name: String = "photo",
        image: EncodedImage? = nil, output: PhotoJob.Output? = nil, logger: Logger = Logger(label: "tintype")
    ) {
        self.init(
            through: pipeline, of: [pipeline.recipe], [Part(output: output)], on: devices, name: name,
            image: image, logger: logger)
    }

    /// Filters an image into an image of the same format.
    ///
    /// - Parameters:
    ///   - name: the photo's name, for logs.
    ///   - image: nil takes it from the first dependency that yields one.
    public convenience init(
        _ filters: [any Filter], on devices: DevicePool, name: String = "photo", image: EncodedImage? = nil,
        logger: Logger = Logger(label: "tintype")
    ) {
        self.init(
            through: PhotoPipeline(Recipe(FilterChain(filters))), on: devices, name: name, image: image,
            logger: logger)
    }

    /// - Parameters:
    ///   - recipes: those of all outputs, also of those that are not made now.
    ///   - parts: the outputs to make, at least one.
    ///   - workers: the threads that filter it; nil uses the queue's thread.
    package init(
        through pipeline: PhotoPipeline, of recipes: [Recipe], _ parts: [Part], on devices: DevicePool,
        name: String, image: EncodedImage?, workers: PhotoWorkers? = nil,
        logger: Logger
    ) {
        self.pipeline = pipeline
        self.recipes = recipes
        self.parts = parts
        self.devices = devices
        self.workers = workers
        super.init(name: name, image: image, logger: logger)
    }

    /// How the photo's first output was made; incomplete until the operation has finished.
    public var report: FilterReport { filterReport }

    /// The outcome of each output; empty until the operation has finished.
    package var outcomes: [Outcome] { settled.withLock { $0 } }

    /// Filters the photo. In a batch, one of its workers does so, and this returns at once.
    public override func main() {
        guard let workers else { return super.main() }
        workers.run { super.main() }
    }

    /// Tries the pool's devices one after the other, then the fallback, if there is one.
    ///
    /// - Throws: `PhotoError`, or `CancellationError`.
    public override func process(_ image: EncodedImage) throws -> EncodedImage {
        let start = ContinuousClock.now, clock = PhaseClock.start()
        var works = parts.map { Work(part: $0) }
        defer {
            let times = clock.end()
            if !works.isEmpty { works[0].outcome.report.times = times }
            settled.withLock { $0 = works.map(\.outcome) }
            parts.forEach { $0.entry?.release() }
        }
        for index in works.indices { try admit(&works[index], image) }
        if works.contains(where: { $0.output != nil }) { try filter(image, &works) }
        for index in works.indices {
            works[index].outcome.report.duration = start.duration(to: .now)
            try end(&works[index])
        }
        guard works.count == 1 else { return image }
        if let error = works[0].outcome.error { throw error }
        return works[0].image ?? image
    }

    /// Names the output, and decides whether it is made.
    private func admit(_ work: inout Work, _ image: EncodedImage) throws {
        defer { work.outcome.report.output = work.part.entry?.output ?? work.part.output }
        do {
            try work.part.name(for: image)
            work.output = try output(of: &work)
        } catch let error where !(error is CancellationError) {
            work.fail(error)
        }
    }

    /// - Returns: nil if nothing is made.
    private func output(of work: inout Work) throws -> PhotoOutput? {
        let part = work.part
        guard let entry = part.entry else {
            return PhotoOutput(.init(part.output), recipe: part.recipe, overwrites: pipeline.overwrites)
        }
        let verdict = try PhotoPhase.journal.measure { try entry.admit(isCancelled: { self.isCancelled }) }
        work.outcome.report.skip = verdict.skip
        if case .work(let replaces) = verdict {
            if let path = entry.stagedPath, let output = part.output {
                return PhotoOutput(output.path, stagedAt: path, recipe: part.recipe)
            }
            return PhotoOutput(.init(part.output), recipe: part.recipe, overwrites: replaces)
        }
        return nil
    }

    /// Takes an output where it belongs, and records its outcome.
    private func end(_ work: inout Work) throws {
        guard let entry = work.part.entry else { return }
        do {
            if work.outcome.error == nil, work.outcome.report.skip == nil {
                try PhotoPhase.write.measure { try entry.deliver(isCancelled: { self.isCancelled }) }
            }
        } catch let error where !(error is CancellationError) {
            work.fail(error)
        }
        if let error = work.outcome.error {
            PhotoPhase.journal.measure { entry.fail(error) }
        } else if work.outcome.report.skip == nil {
            PhotoPhase.journal.measure { entry.finish(work.outcome.report) }
        }
    }

    private func filter(_ image: EncodedImage, _ works: inout [Work]) throws {
        // Before a device is chosen: one may be retired while this photo waits.
        let slot = PhotoPhase.wait.measure { workers?.takeSlot() }
        var waiting = works.indices.filter { works[$0].output != nil }
        do {
            try devices.withDevices { device, isFallback in
                for index in waiting where isFallback && works[index].outcome.report.fallback == nil {
                    works[index].outcome.report.fallback = PhotoError.noDeviceLeft.description
                }
                try filter(image, &works, &waiting, on: device) { slot?.giveBack() }
            } failed: {
                for index in waiting { works[index].outcome.report.fallback = $0.description }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            for index in waiting {
                works[index].fail(error)
                works[index].outcome.report.fallback = nil
            }
        }
    }

    /// Makes outputs on one device. Those that it fails go on waiting.
    private func filter(
        _ image: EncodedImage, _ works: inout [Work], _ waiting: inout [Int], on device: any Device,
        didRender: @escaping () -> Void
    ) throws {
        let identifier = device.info.identifier
        let outputs = waiting.compactMap { works[$0].announcedOutput(on: identifier) }
        let results = PhotoRun(
            pipeline, image, outputs, of: recipes, on: device, workers: workers, didRender: didRender,
            isCancelled: { [self] in isCancelled }
        ).results()
        for (index, result) in zip(waiting, results) { works[index].take(result, from: identifier) }
        if results.contains(where: \.isCancellation) { throw CancellationError() }
        waiting = zip(waiting, results).compactMap { $1.deviceError == nil ? nil : $0 }
        if let failure = results.compactMap(\.deviceError).last { throw failure }
    }
}

extension Result where Failure == any Error {
    fileprivate var isCancellation: Bool {
        if case .failure(is CancellationError) = self { true } else { false }
    }
    fileprivate var deviceError: DeviceError? {
        if case .failure(let error as DeviceError) = self { error } else { nil }
    }
}

extension ImageDataProvider {
    /// How the photo's outputs were made; empty unless the operation filters.
    package var outcomes: [FilterOperation.Outcome] { (self as? FilterOperation)?.outcomes ?? [] }

    /// How the first of them was made.
    package var filterReport: FilterReport { outcomes.first?.report ?? FilterReport() }
}

/// How one photo was filtered.
public struct FilterReport: Hashable, Sendable {
    /// An empty report.
    public init() {}

    /// Why the photo was not filtered.
    public enum Skip: Hashable, Sendable {
        /// The output exists and is what this run would write.
        case upToDate
        /// A file with the output's name exists, and existing files are skipped.
        case outputExists
        /// Another process is filtering the photo.
        case claimedElsewhere
    }

    /// The output, under the name that the photo's format has given it; nil for an image.
    public var output: PhotoJob.Output?
    /// Nil unless the photo was skipped.
    public var skip: Skip?
    /// Identifier of the device that filtered the photo; nil if none did.
    public var device: String?
    /// Why another device had to take over; nil if none had to.
    public var fallback: String?
    /// Pixels of the input photo; 0 if it failed.
    public var pixelCount = 0
    /// Size of the result's file in bytes; 0 if there is none.
    public var byteCount = 0
    /// Notes for the user about a photo that was filtered.
    public var notes: [PhotoNote] = []
    /// Who has decoded the photo and encoded the output; nil if its compressed bytes were copied, or it was not filtered.
    public var coding: CodingReport?
    /// Time from opening the photo to its result.
    public var duration = Duration.zero
    /// Where the photo's time went: that of all its outputs, in the report of the first.
    public var times = PhotoTimes()
}
