import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeDownload
@testable import TintypeOperations
@testable import TintypePhotos

struct ObjectEntryTests {
    /// An entry that asks a server again and again, with long waits.
    private func entry(_ server: S3Server) throws -> ObjectEntry {
        var configuration = DownloaderConfiguration()
        configuration.proxy = .direct
        configuration.retry = RetryPolicy(retries: 1000, baseDelay: .seconds(60))
        configuration.s3.environment = server.environment
        configuration.logger = LogRecorder().logger
        let url = try #require(URL(string: "http://127.0.0.1/a.jpg"))
        let photo = InputPhoto(
            .address(url), folder: "", name: "a.jpg", format: .jpeg, byteCount: 0, identity: .address(url))
        return ObjectEntry(
            try ObjectStore(configuration), photo,
            output: try S3Location(bucket: S3Server.bucket, key: "a.jpg"), recipe: "sepia",
            overwrites: false, skipsExisting: false)
    }

    private func operations(_ server: S3Server) throws -> [ImageOperation] {
        let recipe = Recipe(FilterChain([Sepia()])), log = LogRecorder()
        let image = try EncodedImage(bytes: TestPhoto.png(width: 20, height: 20, seed: 1))
        let url = try #require(URL(string: "http://127.0.0.1/a.jpg"))
        let downloads: [ImageOperation] = try [1, 2].map { count in
            DownloadOperation(
                url, through: try .forTests(), name: "a.jpg",
                entries: try (0..<count).map { _ in try entry(server) }, logger: log.logger)
        }
        return try downloads
            + [1, 2].map { count in
                let parts = try (0..<count).map {
                    FilterOperation.Part(
                        recipe: $0, output: .file(path: "\($0).jpg"), entry: try entry(server))
                }
                return FilterOperation(
                    through: PhotoPipeline(recipe), of: [recipe, recipe], parts, on: .cpu(), name: "a.jpg",
                    image: image, logger: log.logger)
            }
    }

    @Test func operationsThatAskABusyServerCanBeCancelled() async throws {
        let server = try S3Server { _ in .error(503, "SlowDown") }
        defer { server.stop() }
        for operation in try operations(server) {
            let count = server.requests.count
            OperationQueue().addOperation(operation)
            #expect(await eventually { server.requests.count > count })
            operation.cancel()
            #expect(await eventually { operation.isFinished }, "\(operation)")
            #expect(operation.imageResult == nil, "\(operation)")
        }
    }
}
