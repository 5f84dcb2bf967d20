// What a batch is measured against: the same photos, without operations, sessions, queues, claims or a journal.
//
// usage: batch-loop filter WORKERS OUTPUT_FOLDER INPUT_FOLDER     a plain loop over the pipeline, in threads
//        batch-loop download ADDRESS...                           downloads at the tool's defaults, and nothing else
import Compute
import Download
import Filters
import Foundation
import Locking
import Tintype

struct Usage: Error {}

/// Hands out what there is to do.
final class Jobs: Sendable {
    private let rest: Locked<ArraySlice<PhotoJob>>

    init(_ jobs: [PhotoJob]) { rest = Locked(jobs[...]) }

    func next() -> PhotoJob? { rest.withLock { $0.popFirst() } }
}

func filter(_ arguments: [String]) throws {
    guard arguments.count == 3, let workers = Int(arguments[0]) else { throw Usage() }
    let recipe = Recipe(FilterChain([Sepia()]))
    var collector = InputCollector(outputFolder: arguments[1])
    collector.collect([.path(arguments[2])])
    let planner = OutputPlanner(.folder(arguments[1]), recipe: recipe, overwrites: false)
    let jobs = Jobs(try planner.plan(takingFrom: &collector).jobs)
    let roster = try DeviceRoster(["cpu"], for: recipe.chain, policy: nil)
    let pipeline = PhotoPipeline(recipe)
    let device = roster.pool.devices[0]
    let failure = Locked<(any Error)?>(nil)
    let shared = Shared(failure)
    let threads = (0..<workers).map { _ in
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                while let job = jobs.next() {
                    _ = try pipeline.process(job, on: device, isCancelled: { false })
                }
            } catch {
                shared.value.withLock { $0 = error }
            }
            ended.signal()
        }
        return ended
    }
    for thread in threads { thread.wait() }
    if let error = shared.value.withLock({ $0 }) { throw error }
}

/// A value that threads share.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

func download(_ addresses: [String]) throws {
    let downloader = try PhotoDownloader()
    let failures = Shared(Locked<[DownloadError]>([]))
    let ended = DispatchSemaphore(value: 0)
    for address in addresses {
        guard let url = URL(string: address) else { throw Usage() }
        downloader.downloader.start(DownloadRequest(url: url)) { result in
            if case .failure(let error) = result { failures.value.withLock { $0.append(error) } }
            ended.signal()
        }
    }
    for _ in addresses { ended.wait() }
    downloader.shutdown()
    if let error = failures.value.withLock({ $0.first }) { throw error }
}

let arguments = CommandLine.arguments.dropFirst()
do {
    switch arguments.first {
    case "filter": try filter(Array(arguments.dropFirst()))
    case "download": try download(Array(arguments.dropFirst()))
    default: throw Usage()
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
