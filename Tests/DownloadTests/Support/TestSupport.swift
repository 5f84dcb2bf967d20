import Foundation
import Logging
import TestSupport
import Testing
import TintypeLocking

@testable import TintypeDownload

/// A folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        let name = "download-tests-\(UUID().uuidString)"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }
}

/// Random bytes, in which any wrong offset shows.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return random.bytes(count: count)
}

/// Short waits before retries, and no proxy whatever the environment says. Only a failing test reaches the time limits.
func testConfiguration(retries: Int = 0) -> DownloaderConfiguration {
    var configuration = DownloaderConfiguration()
    configuration.proxy = .direct
    configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    configuration.timeout = .seconds(600)
    configuration.connectTimeout = .seconds(600)
    configuration.stallTimeout = .seconds(600)
    configuration.retry = RetryPolicy(
        retries: retries, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(5))
    return configuration
}

func makeDownloader(
    retries: Int = 0, _ change: (inout DownloaderConfiguration) -> Void = { _ in }
) throws -> Downloader {
    var configuration = testConfiguration(retries: retries)
    change(&configuration)
    return try Downloader(configuration)
}

/// A download's result, a value or an error.
func result(
    _ downloader: Downloader, _ request: DownloadRequest
) async -> Result<Downloaded, DownloadError> {
    do throws(DownloadError) {
        return .success(try await downloader.download(request))
    } catch {
        return .failure(error)
    }
}

func error(_ downloader: Downloader, _ url: URL) async -> DownloadError? {
    guard case .failure(let error) = await result(downloader, DownloadRequest(url: url)) else { return nil }
    return error
}

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
    private let storage: Locked<Value>

    init(_ value: Value) { storage = Locked(value) }

    var value: Value { storage.withLock { $0 } }

    @discardableResult
    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}
