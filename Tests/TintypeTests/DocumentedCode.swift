import Tintype

// The code of the README, the guide and the library's articles, line for line: `DocumentedCodeTests` compares them.
// Nothing but the library is imported.

@MainActor func documentedPhoto() async throws {
    let photo = try EncodedImage(path: "beach.jpg")
    let toned = try await photo.filtered(by: [Sepia(intensity: 0.9), TiltShift()], on: .automatic)
    try toned.write(to: "beach-toned.jpg")
}

@MainActor func documentedDownload(_ url: URL, _ keyFile: URL, _ outputFile: URL) async throws {
    let downloader = try PhotoDownloader()
    let sealed = try await downloader.image(at: url) { progress in
        print("\(progress.receivedByteCount) of \(progress.expectedByteCount ?? 0) bytes")
    }
    let opened = try sealed.decrypted(with: DecryptionKey(contentsOf: keyFile))
    try await opened.filtered(by: Noir(), Vignette()).write(to: outputFile)
}

@MainActor func documentedChain(_ photo: EncodedImage) async throws -> (Bool, EncodedImage) {
    var chain: FilterChain = [Sepia(intensity: 0.5), TiltShift(radius: 4)]
    chain.append(Vignette())
    let parsed = try FilterChain(parsing: "sepia:intensity=50%+tilt-shift:radius=4+vignette")
    print(chain == parsed)
    let small = try await photo.filtered(by: Recipe(chain + [Resize(long: 1600)], format: .jpeg))
    return (chain == parsed, small)
}

@MainActor func documentedKernelFile(_ photo: EncodedImage) async throws -> EncodedImage {
    var glow = try KernelFilter(contentsOf: "glow.cl")
    for parameter in glow.parameters where parameter.name == "amount" { try parameter.set("80%", in: &glow) }
    let lit = try await photo.filtered(by: glow, Vignette())
    return lit
}

func documentedBlocking(_ url: URL, _ target: any ReloadTarget) throws -> EncodedImage? {
    let devices = try DevicePool(.automatic, for: [Noir()])
    let downloader = try PhotoDownloader()

    let network = DownloadOperation(url, through: downloader)
    let noir = FilterOperation([Noir()], on: devices)
    let mainQueue = SerialMainQueue.makePrivate()
    let reload = ReloadOperation(.item(0), of: target, on: mainQueue)
    noir.addDependency(network)
    reload.addDependency(noir)

    mainQueue.queue.addOperation(reload)
    OperationQueue().addOperations([network, noir], waitUntilFinished: true)
    reload.waitUntilFinished()
    return noir.image
}

@MainActor func documentedPixels() async throws {
    let size = PhotoGeometry(width: 2, height: 1)
    let pixels = Pixels([255, 0, 0, 0, 0, 255], size, layout: .interleaved(.rgb, .eight))
    let grey = try await pixels.filtered(by: [Noir()], on: .cpu)
    print(grey.bytes)
}

@MainActor func documentedOperations(_ url: URL, _ keyFile: String, _ view: any PhotoView)
    async throws -> [Operation]
{
    let devices = try await DevicePool.make(.automatic, for: [TiltShift()])
    let downloader = try PhotoDownloader()

    let network = DownloadOperation(url, through: downloader)
    let decrypt = DecryptOperation(key: try DecryptionKey(file: keyFile), name: "beach.png")
    let tiltShift = FilterOperation([TiltShift()], on: devices, name: "beach.png")
    let reload = ReloadOperation(.item(0), of: view)

    decrypt.addDependency(network)
    tiltShift.addDependency(decrypt)
    reload.addDependency(tiltShift)

    let background = OperationQueue()
    for operation in [network, decrypt, tiltShift] { background.addOperation(operation) }
    OperationQueue.main.addOperation(reload)
    return [network, decrypt, tiltShift, reload]
}

@MainActor func documentedSession(_ listURL: URL, _ view: any PhotoView) async throws -> SessionSummary {
    let devices = try DevicePool(.cpu)
    let downloader = try PhotoDownloader()

    let pipeline = PhotoPipeline(Recipe(FilterChain([Noir()])))
    let steps = PhotoSteps(downloadingThrough: downloader, filteringThrough: pipeline, on: devices)
    let session = PhotoSession(steps: steps, view: view)

    let list = try await downloader.list(at: listURL)
    while let entry = try list.next() {
        if case .url(let url) = entry.location { session.append([PhotoRecord(url: url, name: entry.name)]) }
    }
    let summary = try await session.run()
    print("\(summary.filtered) filtered, \(summary.failed) failed")
    return summary
}

@MainActor func documentedBatch() async throws {
    let recipe = Recipe(FilterChain([Noir(contrast: 4)]))
    var collector = InputCollector(outputFolder: "out")
    collector.collect([.path("photos")])
    let planner = OutputPlanner(.folder("out"), recipe: recipe, overwrites: false, hasJournal: true)
    let plan = try planner.plan(for: collector.photos)

    let journal = try Journal(outputFolder: "out")
    try journal.claim(recipe: recipe.canonicalText)
    let settings = Batch.Settings(
        through: PhotoPipeline(recipe), on: try await DevicePool.make(.automatic, for: recipe.chain.filters),
        journal: journal, concurrentPhotoCount: AvailableMachine.current.processorCount)
    for await result in Batch.results(of: plan.jobs, settings) {
        print(result.job.output.path, result.status)
    }
}

@MainActor final class Rows: PhotoView {
    var records: PhotoRecords?

    func reloadAll() { print("\(records?.count ?? 0) photos") }

    func reload(item: Int) {
        guard let record = records?[item] else { return }
        print(record.name, record.error?.description ?? "\(record.state)")
    }
}

@MainActor func documentedScrolling(_ session: PhotoSession) {
    session.suspend()
    session.show(visible: [12, 13, 14])
    session.startOperations(for: 13, priority: .high)
    session.resume()
}

func documentedEvents(_ session: PhotoSession) async {
    for await event in session.events {
        switch event {
        case .networkActivity(let count): print("\(count) downloads")
        case .rested(let summary): print("\(summary.notDone) photos to go")
        case .filtered, .failed, .changed: break
        }
    }
}
