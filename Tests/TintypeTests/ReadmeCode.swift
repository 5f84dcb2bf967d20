import Tintype

// The README's code, line for line: `ReadmeTests` compares the two. Nothing but the library is imported.

@MainActor func readmePhoto() async throws {
    let photo = try EncodedImage(path: "beach.jpg")
    let toned = try await photo.filtered(by: [Sepia(intensity: 0.9), TiltShift()], on: .automatic)
    try toned.write(to: "beach-toned.jpg")
}

@MainActor func readmePixels() async throws {
    let size = PhotoGeometry(width: 2, height: 1)
    let pixels = Pixels([255, 0, 0, 0, 0, 255], size, layout: .interleaved(.rgb, .eight))
    let grey = try await pixels.filtered(by: [Noir()], on: .cpu)
    print(grey.bytes)
}

@MainActor func readmeOperations(_ url: URL, _ keyFile: String, _ view: any PhotoView) throws -> [Operation] {
    let devices = try DevicePool(.automatic, for: [TiltShift()])
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

@MainActor func readmeSession(_ listURL: URL, _ view: any PhotoView) async throws -> SessionSummary {
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
