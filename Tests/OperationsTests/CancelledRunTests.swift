import Foundation
import TestSupport
import Testing
import Tintype
import TintypeDownload

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// In a process of its own: other tests open files and start threads too.
struct CancelledRunTests {
    @Test func aHundredCancelledRunsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let outputs = try TemporaryFolder()
            let temporary = try TemporaryFolder()
            setenv("TMPDIR", temporary.path, 1)
            // The first rounds create objects that the process keeps, such as the pool's threads.
            try await CancelledRun.run(1000..<1005, outputs)
            // Cancelled transfers end, and close their descriptors, a little later.
            _ = await eventually { ProcessCount.now().networkThreads == 0 }
            let before = ProcessCount.now()
            try await CancelledRun.run(0..<100, outputs)
            var after = ProcessCount.now()
            _ = await eventually {
                after = .now()
                return after.descriptors <= before.descriptors && after.networkThreads == 0
            }
            try #require(after.descriptors <= before.descriptors)
            try #require(after.sockets <= before.sockets)
            try #require(after.networkThreads == 0)
            // The pool may grow a little. A leak of one thread a run would exceed this.
            try #require(after.threads < before.threads + 40)
            try #require(temporary.files().isEmpty)
            try #require(outputs.files().allSatisfy { $0.hasSuffix(".png") && !$0.contains("/.") })
            try #require(!outputs.files().isEmpty)
        }
    }
}

/// Photos that are downloaded and filtered into files, cancelled in the middle of it.
private struct CancelledRun {
    private let round: Int
    private let server: FaultServer
    private let outputs: TemporaryFolder

    private init(_ round: Int, _ server: FaultServer, _ outputs: TemporaryFolder) {
        (self.round, self.server, self.outputs) = (round, server, outputs)
    }

    static func run(_ rounds: Range<Int>, _ outputs: TemporaryFolder) async throws {
        let photo = try TestPhoto.png(width: 40, height: 40, seed: 1)
        // Most photos arrive. Three of twelve stall until the client disconnects: fewer than the downloader's
        // connections to a host.
        let server = try FaultServer { request, connection in
            if Int(request.target.dropFirst()).map({ $0 % 4 != 3 }) ?? false {
                return connection.respond(body: photo)
            }
            connection.send(connection.head(200, ["Content-Length: 1000"]))
            connection.waitForClient()
            return .close
        }
        for round in rounds { try await CancelledRun(round, server, outputs).run() }
        server.stop()
    }

    private func run() async throws {
        let log = LogRecorder()
        let logger = log.logger
        let downloader = try PhotoDownloader.forTests()
        let rested = Shared(0)
        let filtered = Shared(0)
        let folder = outputs.path("\(round)")
        var events = SessionEvents()
        events.filtered = { _, _ in filtered.change { $0 += 1 } }
        events.rested = { _ in rested.change { $0 += 1 } }
        let pipeline = PhotoPipeline(Recipe(FilterChain([Sepia()])))
        var steps = PhotoSteps(
            downloadingThrough: downloader, filteringThrough: pipeline, on: .cpu(), logger: logger)
        if round.isMultiple(of: 2) {
            steps.filter = { record in
                FilterOperation(
                    through: pipeline, on: .cpu(), name: record.name, image: record.image,
                    output: .file(path: "\(folder)/\(record.name).png"), logger: logger)
            }
        }
        let target = Target()
        // Nothing is filtered after a barrier, because the stalled downloads never end.
        var configuration = PhotoSession.Configuration()
        if round.isMultiple(of: 3) { configuration.order = .barrier }
        let session = PhotoSession(
            (0..<12).map { PhotoRecord(url: server.url("/\($0)")) }, steps: steps, on: .makePrivate(),
            target: target, configuration: configuration, logger: logger, events: events)
        session.start()
        let wanted = round % 5
        let isOnItsWay = await eventually {
            round.isMultiple(of: 3)
                ? session.records.count { $0.state == .downloaded } >= wanted : filtered.value >= wanted
        }
        try #require(isOnItsWay, "round \(round): \(log.lines.suffix(30)) \(session.records.map(\.error))")
        session.cancel()
        try #require(await eventually { rested.value == 1 })
        try #require(await eventually { session.queues.operationCount == 0 })
        try #require(await eventually { session.mainQueue.queue.operationCount == 0 })
        for (operation, event) in log.lastEvents {
            try #require(event == "Done" || event == "Cancelled", "\(operation)")
        }
        try #require(await eventually { downloader.downloader.activeCount == 0 })
        downloader.shutdown()
    }

    private final class Target: ReloadTarget {
        func reloadAll() {}
        func reload(item: Int) {}
    }
}

/// The open files and threads of this process, from the kernel.
private struct ProcessCount {
    var descriptors = 0
    var sockets = 0
    var threads = 0
    var networkThreads = 0

    static func now() -> ProcessCount {
        var count = ProcessCount()
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let end = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)") else {
                continue
            }
            count.descriptors += 1
            if end.hasPrefix("socket:") { count.sockets += 1 }
        }
        for name in (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
            count.threads += 1
            let comm = try? String(contentsOfFile: "/proc/self/task/\(name)/comm", encoding: .utf8)
            if comm?.hasPrefix("tintype-network") == true { count.networkThreads += 1 }
        }
        return count
    }
}
