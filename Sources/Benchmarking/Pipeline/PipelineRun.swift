import Dispatch
import Tintype
import TintypeLocking

/// Batches of photos from files to files, as `tintype apply` runs them.
struct PipelineRun {
    let device: any Device
    /// Photos at once.
    let jobs: Int
    let keepsJournal: Bool
    let pipeline: PhotoPipeline
    let folder: PipelineFolder

    /// What a batch took.
    struct Use {
        var photoCount: Int
        var seconds: Double
        var processorSeconds: Double
        /// Where the time of all the batch's photos went, and how many these were.
        var times: PhotoTimes
        var timedPhotoCount: Int

        /// The speed and the cost of a longer batch's further photos, so that its start and its end do not count; those of all its
        /// photos if the machine was so uneven that it took less. The times remain those of all: they have no start.
        func beyond(_ shorter: Use) -> Use {
            guard seconds > shorter.seconds, processorSeconds > shorter.processorSeconds else { return self }
            var further = self
            further.photoCount -= shorter.photoCount
            further.seconds -= shorter.seconds
            further.processorSeconds -= shorter.processorSeconds
            return further
        }
    }

    /// Filters photos, and removes the outputs.
    ///
    /// - Throws: `JournalError`; the first photo's `PhotoError`; `CancellationError`.
    func run(_ photos: [PhotoJob], isCancelled: @escaping @Sendable () -> Bool) throws -> Use {
        folder.removeOutput()
        defer { folder.removeOutput() }
        folder.forget(photos)
        let journal = keepsJournal ? try Journal(outputFolder: folder.output) : nil
        let settings = Batch.Settings(
            through: pipeline, on: DevicePool([device], fallback: nil), journal: journal,
            concurrentPhotoCount: jobs)
        let state = Locked((times: PhotoTimes(), failure: PhotoError?.none)),
            isDone = DispatchSemaphore(value: 0)
        let stop = Locked<Batch?>(nil)
        let events = Batch.Events(
            result: { result in
                state.withLock { state in
                    state.times += result.times
                    if case .failed(let error) = result.status { state.failure = state.failure ?? error }
                }
                if isCancelled() { stop.withLock { $0 }?.cancel() }
            }, finished: { _ in isDone.signal() })
        let batch = Batch(photos, settings, on: .makePrivate(), events: events)
        stop.withLock { $0 = batch }
        let start = ContinuousClock.now, processorSeconds = AvailableMachine.processorSeconds
        batch.start()
        isDone.wait()
        let use = Use(
            photoCount: photos.count, seconds: start.duration(to: .now) / .seconds(1),
            processorSeconds: AvailableMachine.processorSeconds - processorSeconds,
            times: state.withLock { $0.times }, timedPhotoCount: photos.count)
        stop.withLock { $0 = nil }
        if isCancelled() { throw CancellationError() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return use
    }
}
