import Foundation
import Tintype

/// An image of 16 zero bytes, sealed with a key and a nonce of zeros: test case 14 of "The Galois/Counter Mode of
/// Operation" (McGrew, Viega).
private let sealed: [UInt8] =
    [UInt8](repeating: 0, count: 12) + [
        0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
        0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0, 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19,
    ]
private let zeros = [UInt8](repeating: 0, count: 32)

@MainActor func checkKeys(_ report: Report, _ folder: Folder) async throws {
    let image = try EncodedImage(bytes: sealed)
    try Data(zeros).write(to: folder.file("key"))
    func opens(_ key: DecryptionKey) throws -> Bool {
        try image.decrypted(with: key).bytes() == Array(zeros.prefix(16))
    }
    await report.check("a key of bytes") { try opens(DecryptionKey(bytes: zeros)) }
    await report.check("a key of data") { try opens(DecryptionKey(data: Data(zeros))) }
    await report.check("a key in base64") {
        try opens(DecryptionKey(base64Encoded: Data(zeros).base64EncodedString()))
    }
    await report.check("a key of digits") {
        try opens(DecryptionKey(bytes: Array(String(repeating: "00", count: 32).utf8)))
    }
    await report.check("a key in a file") { try opens(DecryptionKey(file: folder.path("key"))) }
    await report.check("a key at a URL") { try opens(DecryptionKey(contentsOf: folder.file("key"))) }
    await report.check("a key in a variable") {
        try opens(
            DecryptionKey(environmentVariable: "K", environment: ["K": String(repeating: "00", count: 32)]))
    }
    await report.check("a key is not printed") {
        let secret = [UInt8](repeating: 0x41, count: 32)
        let key = try DecryptionKey(bytes: secret)
        return !"\(key) \(String(reflecting: key))".contains("AAAA")
    }
    await report.refuses("31 bytes are no key", as: DecryptionError.self) {
        _ = try DecryptionKey(bytes: Array(zeros.dropLast()))
    }
    await report.refuses("another key does not open", as: PhotoError.self) {
        _ = try image.decrypted(with: DecryptionKey(bytes: [UInt8](1...32)))
    }
    await report.refuses("nor does the key open what was changed", as: PhotoError.self) {
        var changed = sealed
        changed[20] ^= 1
        _ = try EncodedImage(bytes: changed).decrypted(with: DecryptionKey(bytes: zeros))
    }
    await report.check("an operation opens it, too") {
        let operation = DecryptOperation(key: try DecryptionKey(bytes: zeros), image: image)
        return try await operation.runForImage().bytes() == Array(zeros.prefix(16))
    }
}

/// Downloads of files: the same code as of addresses, without a server.
@MainActor func checkDownloads(_ report: Report, _ folder: Folder) async throws {
    let downloader = try PhotoDownloader()
    let url = folder.file("photo.png")
    try EncodedImage(picture, as: .png).write(to: url)
    let byteCount = try Data(contentsOf: url).count
    await report.check("an image is downloaded") { try await downloader.image(at: url).pixels() == picture }
    await report.check("and tells its progress in bytes") {
        let (stream, continuation) = AsyncStream.makeStream(of: DownloadProgress.self)
        _ = try await downloader.image(at: url) { progress in continuation.yield(progress) }
        continuation.finish()
        var last: DownloadProgress?
        for await progress in stream { last = progress }
        return last?.receivedByteCount == byteCount
    }
    await report.refuses("a limit of bytes is kept", as: DownloadError.self) {
        _ = try await downloader.image(at: url, byteLimit: byteCount - 1)
    }
    await report.refuses("what is not there fails", as: DownloadError.self) {
        _ = try await downloader.image(at: folder.file("none.png"))
    }
    await report.check("downloaded, filtered and written, in one line") {
        try await downloader.image(at: url).filtered(by: Invert(), on: .cpu).write(
            to: folder.file("inverted.png"))
        return try EncodedImage(contentsOf: folder.file("inverted.png")).pixels().bytes
            == samples.map { 255 - $0 }
    }
    await checkOperations(report, folder, downloader, url)
    downloader.shutdown()
    await report.refuses("a downloader that was shut down fails", as: DownloadError.self) {
        _ = try await downloader.image(at: url)
    }
}

@MainActor private final class Rows: PhotoView {
    var reloads: [String] = []
    func reloadAll() { reloads.append("all") }
    func reload(item: Int) { reloads.append("\(item)") }
}

@MainActor private func checkOperations(
    _ report: Report, _ folder: Folder, _ downloader: PhotoDownloader, _ url: URL
) async {
    await report.check("download, filter and reload, one after the other") {
        let view = Rows(), pool = try await DevicePool.make(.cpu)
        let download = DownloadOperation(url, through: downloader)
        let filter = FilterOperation([Invert()], on: pool)
        let reload = ReloadOperation(.item(3), of: view)
        filter.addDependency(download)
        reload.addDependency(filter)
        let queue = OperationQueue()
        queue.addOperation(download)
        queue.addOperation(filter)
        await reload.run(on: .main)
        return try view.reloads == ["3"] && filter.image?.pixels().bytes == samples.map { 255 - $0 }
            && download.response?.finalURL == url && filter.report.pixelCount == 1200
            && filter.report.device == "cpu"
    }
    await report.check("what follows a failure fails with its error") {
        let pool = try await DevicePool.make(.cpu)
        let download = DownloadOperation(folder.file("none.png"), through: downloader)
        let filter = FilterOperation([Noir()], on: pool)
        filter.addDependency(download)
        OperationQueue().addOperation(download)
        await filter.run()
        guard case .failure(.download) = filter.imageResult else { return false }
        return download.isFinished && filter.image == nil
    }
    await report.check("an operation that is cancelled has no result") {
        let download = DownloadOperation(url, through: downloader)
        download.cancel()
        await download.run()
        return download.isFinished && download.isCancelled && download.imageResult == nil
    }
    await report.refuses("a circle is refused", as: DependencyError.self) {
        let first = DownloadOperation(url, through: downloader),
            second = DownloadOperation(url, through: downloader)
        try first.depends(on: second)
        try second.depends(on: first)
    }
}

@MainActor func checkSessions(_ report: Report, _ folder: Folder) async throws {
    let pool = try await DevicePool.make(.cpu)
    let steps = PhotoSteps(
        downloadingThrough: try PhotoDownloader(), filteringThrough: PhotoPipeline([Invert()]), on: pool)
    let view = Rows()
    let session = PhotoSession(steps: steps, view: view)
    for name in ["photo.png", "none.png"] { session.append(PhotoRecord(url: folder.file(name))) }
    session.append([try PhotoRecord(path: folder.path("photo.png"), name: "local")])
    let summary = try await session.run()
    await report.check("a session filters what is there") {
        summary.filtered == 2 && summary.failed == 1 && summary.notDone == 0
    }
    await report.check("records are a list") {
        session.records.map { $0.name } == ["photo.png", "none.png", "local"]
    }
    await report.check("records have their states") {
        session.records.map(\.state) == [.filtered, .failed, .filtered]
    }
    await report.check("records have their images") {
        try session.records[0].image.pixels().bytes == samples.map { 255 - $0 }
            && session.records[2].snapshot.filtered?.pixels() == session.records[0].image.pixels()
    }
    await report.check("a failure has its error and a red pixel") {
        guard case .download = session.records[1].error else { return false }
        return try session.records[1].image.pixels().bytes == EncodedImage.failed.pixels().bytes
    }
    await report.check("records are counted") {
        session.records.counts.filtered == 2 && session.records.counts.failed == 1
    }
    await report.check("records are identified") {
        Set(session.records.map(\.id)).count == 3 && Set(session.records).contains(session.records[2])
    }
    await report.check("the view was reloaded for each") {
        Set(view.reloads).isSuperset(of: ["0", "1", "2"])
    }
    await report.check("another filter filters again") {
        session.refilter(
            with: PhotoSteps(
                downloadingThrough: try PhotoDownloader(), filteringThrough: PhotoPipeline([]), on: pool))
        return try await session.run().filtered == 2 && session.records[2].image.pixels() == picture
    }
    await report.check("a reset is as before") {
        session.reset()
        while session.records[0].state != .new { await Task.yield() }
        return session.records.map(\.state) == [.new, .new, .downloaded]
    }
}
