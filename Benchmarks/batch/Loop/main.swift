// The comparison for batches: the same photos without operations, sessions, queues, claims or a journal.
//
// usage: batch-loop filter WORKERS OUTPUT_FOLDER INPUT_FOLDER     a plain loop over the pipeline, in threads
//        batch-loop download ADDRESS...                           downloads at the tool's defaults, and nothing else
import Foundation
import Tintype
import TintypeBenchmarking
import TintypeDownload
import TintypeLocking

struct Usage: Error {}

/// Jobs that several threads take.
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
    let device = try DeviceRoster(["cpu"], for: recipe.chain, policy: nil).pool.devices[0]
    let pipeline = PhotoPipeline(recipe)
    try Workers.run(workers) { _ in
        while let job = jobs.next() {
            guard let image = EncodedImage(job.photo) else { continue }
            _ = try pipeline.process(image, to: job.output, on: device)
        }
    }
}

func download(_ addresses: [String]) throws {
    let downloader = try PhotoDownloader()
    let firstError = FirstError(), group = DispatchGroup()
    for address in addresses {
        guard let url = URL(string: address) else { throw Usage() }
        group.enter()
        downloader.downloader.start(DownloadRequest(url: url)) { result in
            firstError.catching { _ = try result.get() }
            group.leave()
        }
    }
    group.wait()
    downloader.shutdown()
    try firstError.rethrow()
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
