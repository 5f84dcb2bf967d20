import Foundation
import Logging
import TestSupport
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos

/// An object that nobody may keep.
final class Release {
    let name: String
    private weak var object: AnyObject?

    init(_ name: String, _ object: AnyObject) {
        self.name = name
        self.object = object
    }

    var isDone: Bool { object == nil }
}

/// Some photos of the stock, as files and behind addresses, in a folder of their own.
final class Round {
    let soak: Soak
    let folder: String
    let server: FaultServer
    let pool: DevicePool
    let downloader: PhotoDownloader
    /// The photo of the stock by the name of each file, and by the last components of each address.
    private(set) var photos: [String: PhotoStock.Photo] = [:]
    private(set) var files: [String] = []
    private(set) var addresses: [URL] = []
    private(set) var problems: [String] = []
    var random: SeededGenerator
    /// What must be released soon after the round.
    private(set) var released: [Release] = []

    init(_ soak: Soak, number: Int, _ seed: UInt64) throws {
        self.soak = soak
        folder = soak.folder.path("round-\(number)")
        random = SeededGenerator(seed: seed)
        server = try FlakyServer(soak.stock.photos, seed: seed).server
        pool = DevicePool(soak.devices, fallback: soak.cpu)
        var configuration = DownloaderConfiguration()
        configuration.proxy = .direct
        configuration.retry = RetryPolicy(retries: 3, baseDelay: .milliseconds(5))
        configuration.logger = .quiet
        configuration.spoolDirectory = URL(fileURLWithPath: soak.folder.path("tmp"), isDirectory: true)
        downloader = try PhotoDownloader(configuration)
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/in", withIntermediateDirectories: true)
        for item in 0..<Soak.photosOfRound {
            let index = Int.random(in: soak.stock.photos.indices, using: &random)
            let photo = soak.stock.photos[index], name = "\(item)-\(photo.name)"
            photos[name] = photo
            if Int.random(in: 0..<3, using: &random) == 0 {
                addresses.append(server.url("/\(index)/\(name)"))
            } else {
                files.append("\(folder)/in/\(name)")
                try manager.linkItem(
                    atPath: soak.folder.path("stock/\(index)-\(photo.name)"), toPath: "\(folder)/in/\(name)")
            }
        }
    }

    var pipeline: PhotoPipeline {
        PhotoPipeline(
            soak.stock.recipe, limits: PhotoStock.limits, memory: MemoryBudget(byteCount: 256 << 20))
    }

    func photo(_ name: String) -> PhotoStock.Photo? { photos[name] }

    func check(_ isRight: Bool, _ problem: @autoclosure () -> String) {
        if !isRight { problems.append(problem()) }
    }

    func mustBeReleased(_ name: String, _ object: AnyObject) { released.append(Release(name, object)) }

    /// A photo that has failed: it is damaged, or its download failed; and a reason is told.
    func checkFailure(_ name: String, _ error: PhotoError?) {
        guard let error else { return check(false, "\(name) has failed without a reason") }
        check(error.description.count > 10, "\(name): '\(error)' is no reason")
        if case .download = error { return }
        check(photo(name)?.expected == nil, "\(name) has failed: \(error)")
    }

    func checkOutput(_ name: String, _ bytes: [UInt8]?) {
        guard let photo = photo(name) else { return check(false, "\(name) is not of this round") }
        check(bytes != nil && bytes == photo.expected, "\(name) has wrong bytes")
    }

    /// Ends what the round has started, and removes its files.
    func end() throws {
        downloader.shutdown()
        server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }
}
