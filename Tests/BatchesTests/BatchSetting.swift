import TestSupport
import Tintype
import TintypeLocking

@testable import TintypeBatches
@testable import TintypePhotos

/// A folder of small photos, and runs over them.
struct BatchSetting {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Outcome {
        var results: [PhotoResult] = []
        var notDone = 0
        var reportsAtOnce = 0
        var suspects: [String: [String]] = [:]
        var unknownSuspects: [String] = []

        var done: [PhotoResult] { results.filter { $0.status == .done && !$0.isRemade } }
        var remade: [PhotoResult] { results.filter(\.isRemade) }
        func count(_ status: PhotoResult.Status) -> Int { results.filter { $0.status == status }.count }
    }

    func jobs(_ count: Int) throws -> [PhotoJob] {
        let bytes = try TestPhoto.png(width: 5, height: 40, seed: 9)
        for index in 0..<count { try folder.write(bytes, to: "in/\(index).png") }
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(folder.path("in"))])
        return try OutputPlanner(.folder(folder.path("out")), recipe: recipe, overwrites: false)
            .plan(for: collector.photos).jobs
    }

    let recipe = Recipe(FilterChain([Sepia()]))

    /// Runs the jobs to their end; `react` may cancel.
    func run(
        _ jobs: [PhotoJob], on pool: DevicePool, atOnce: Int = 2, journal: Journal? = nil,
        claimPatience: Duration = .seconds(60), memory: MemoryBudget? = nil,
        view: (any ReloadTarget)? = nil,
        react: @escaping @Sendable (PhotoResult, Batch) -> Void = { _, _ in },
        onSuspects: @escaping @Sendable ([String]) -> Void = { _ in }
    ) async -> Outcome {
        let outcome = Locked(Outcome())
        let shared = Shared(outcome)
        await withCheckedContinuation { continuation in
            var events = Batch.Events(
                result: { result in
                    shared.value.withLock { $0.results.append(result) }
                    if let batch = shared.batch.withLock({ $0 }) { react(result, batch) }
                },
                finished: { notDone in
                    shared.value.withLock { $0.notDone = notDone }
                    continuation.resume()
                })
            events.suspects = { device, paths in
                onSuspects(paths)
                shared.value.withLock { $0.suspects[device, default: []] += paths }
            }
            events.unknownSuspects = { paths in shared.value.withLock { $0.unknownSuspects = paths } }
            var settings = Batch.Settings(
                through: PhotoPipeline(recipe, memory: memory), on: pool, journal: journal,
                concurrentPhotoCount: atOnce)
            settings.claimPatience = claimPatience
            let batch = Batch(jobs, settings, on: .makePrivate(), view: view, events: events)
            shared.batch.withLock { $0 = batch }
            batch.start()
        }
        shared.batch.withLock { $0 = nil }
        return shared.value.withLock { $0 }
    }

    private final class Shared: Sendable {
        let value: Locked<Outcome>
        let batch = Locked<Batch?>(nil)

        init(_ value: consuming Locked<Outcome>) { self.value = value }
    }
}

/// Notes what is reloaded.
final class RecordingView: ReloadTarget {
    private let reloaded = Locked<[Int]>([])
    private let onReload: @Sendable (Int) -> Void

    init(onReload: @escaping @Sendable (Int) -> Void = { _ in }) { self.onReload = onReload }

    /// The items in the order of their reloads.
    var items: [Int] { reloaded.withLock { $0 } }

    func reloadAll() {}

    func reload(item: Int) {
        reloaded.withLock { $0.append(item) }
        onReload(item)
    }
}

/// Counts on several threads.
final class Counter: Sendable {
    private let value: Locked<Int>
    private let reported = Locked(0)

    init(_ value: consuming Locked<Int>) { self.value = value }

    var count: Int { value.withLock { $0 } }

    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }

    func reports() -> Int {
        reported.withLock {
            $0 += 1
            return $0
        }
    }
}
