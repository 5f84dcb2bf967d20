import Foundation
import TestSupport
import Tintype
import TintypeLocking

@testable import TintypeBatches
@testable import TintypeOperations

extension Round {
    /// Runs a batch with a journal, cancels it now and then, and runs it again until it is done.
    func runBatch() async throws -> Tally {
        var tally = Tally()
        let out = "\(folder)/out"
        for attempt in 0... {
            var collector = InputCollector(outputFolder: out)
            collector.collect([.path("\(folder)/in")] + addresses.map(Input.address))
            collector.nameEntries()
            let planner = OutputPlanner(
                .folder(out), recipe: soak.stock.recipe, overwrites: false, hasJournal: true)
            let plan = try planner.plan(for: collector.photos)
            let limit =
                attempt < 3 && Bool.random(using: &random)
                ? Int.random(in: 0..<Soak.photosOfRound, using: &random) : nil
            let journal = try Journal(outputFolder: out)
            let (results, notDone) = await results(of: plan.jobs, journal, cancelledAfter: limit)
            tally.fallbacks += results.count { $0.fallback != nil }
            if notDone > 0 {
                tally.cancels += 1
                check(limit != nil, "\(notDone) photos are not done, and nobody cancelled")
                continue
            }
            let failures = collector.failures + plan.failures
            for failure in failures { checkFailure(failure.path.lastName, failure.error) }
            for result in results { try check(result) }
            check(
                results.count + failures.count == Soak.photosOfRound,
                "\(results.count) results and \(failures.count) failures")
            tally.photos = results.count + failures.count
            tally.failed =
                failures.count + results.count { if case .failed = $0.status { true } else { false } }
            tally.done = tally.photos - tally.failed
            checkFolder(out, keepsDownloads: results.contains { $0.status.isFailedDownload })
            break
        }
        return tally
    }

    private func check(_ result: PhotoResult) throws {
        let name = result.job.photo.path.lastName
        switch result.status {
        case .done, .skipped(.upToDate):
            checkOutput(
                name, (try? Data(contentsOf: URL(fileURLWithPath: result.job.output.path))).map([UInt8].init))
        case .failed(let error):
            checkFailure(name, error)
            check(
                !FileManager.default.fileExists(atPath: result.job.output.path),
                "\(name) failed, but has an output")
        case .skipped(let reason): check(false, "\(name) was skipped: \(reason)")
        }
    }

    /// No temporary files or half records, and unfinished downloads only of photos whose downloads have failed.
    private func checkFolder(_ out: String, keepsDownloads: Bool) {
        let names = FileManager.default.enumerator(atPath: out)?.compactMap { $0 as? String } ?? []
        let endings = [".tmp", ".new"] + (keepsDownloads ? [] : [".part"])
        for name in names where endings.contains(where: name.contains) {
            check(false, "left \(name)")
        }
    }

    /// - Parameter limit: the run is cancelled after so many results; nil lets it end.
    private func results(
        of jobs: [PhotoJob], _ journal: Journal, cancelledAfter limit: Int?
    ) async -> (results: [PhotoResult], notDone: Int) {
        let state = BatchState()
        var settings = Batch.Settings(
            through: pipeline, on: pool, downloader: downloader, journal: journal, concurrentPhotoCount: 2)
        settings.logger = .quiet
        await withCheckedContinuation { continuation in
            let batch = Batch(
                jobs, settings, on: .makePrivate(),
                events: Batch.Events(
                    result: { result in
                        let count = state.add(result)
                        if let limit, count > limit { state.cancel() }
                    },
                    finished: { notDone in
                        state.finish(notDone)
                        continuation.resume()
                    }))
            state.set(batch)
            mustBeReleased("the batch", batch)
            mustBeReleased("the journal", journal)
            batch.start()
        }
        return state.take()
    }
}

extension PhotoResult.Status {
    fileprivate var isFailedDownload: Bool { if case .failed(.download) = self { true } else { false } }
}

/// What a batch has reported. It is used on the batch's queue, and after its end.
private final class BatchState: Sendable {
    private let results = Locked<[PhotoResult]>([])
    private let notDone = Locked(0)
    private let batch = Locked<Batch?>(nil)

    func set(_ batch: Batch) { self.batch.withLock { $0 = batch } }
    func cancel() { batch.withLock { $0 }?.cancel() }
    func finish(_ count: Int) { notDone.withLock { $0 = count } }

    func add(_ result: PhotoResult) -> Int {
        results.withLock { results in
            results.append(result)
            return results.count
        }
    }

    func take() -> (results: [PhotoResult], notDone: Int) {
        batch.withLock { $0 = nil }
        return (results.withLock { $0 }, notDone.withLock { $0 })
    }
}
