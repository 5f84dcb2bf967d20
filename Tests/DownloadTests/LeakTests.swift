import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// In a process of their own, so that nothing but downloads opens files or starts threads.
@Suite struct LeakTests {
    @Test func aHundredRoundsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let server = try FaultServer { request, connection in
                if request.target.hasPrefix("/whole") { return connection.respond(body: noise(1000)) }
                connection.send("HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: 1000\r\n\r\nab")
                connection.waitForClient()
                return .close
            }
            // The first rounds create objects that the process keeps: Dispatch's threads, libcurl's tables.
            for round in 1...5 { try await cancelAndShutDown(round, server, folder) }
            let (files, threads) = (try openFiles(), try threadNames())
            for round in 6...105 { try await cancelAndShutDown(round, server, folder) }
            // The server's ends close a moment after the client's.
            #expect(try await eventually { try openFiles() <= files })
            #expect(try !threadNames().contains("tintype-network"))
            // Dispatch's pool may have grown by a thread for each core, not by one for each round.
            let slack = 2 * ProcessInfo.processInfo.activeProcessorCount
            #expect(try threadNames().count <= threads.count + slack)
            #expect(try folder.names == [])
            server.stop()
        }
    }

    @Test func aHundredCancelledDownloadsOfOneDownloaderLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let server = try FaultServer { _, connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nab")
                connection.waitForClient()
                return .close
            }
            let downloader = try makeDownloader { $0.spoolDirectory = folder.url }
            for round in 1...5 { await cancelRunning(downloader, server.url("/\(round)")) }
            let files = try openFiles()
            for round in 6...105 { await cancelRunning(downloader, server.url("/\(round)")) }
            // The server's ends close a moment after the client's.
            #expect(try await eventually { try openFiles() <= files })
            #expect(server.requests.count == 105)
            #expect(downloader.activeCount == 0)
            downloader.shutdown()
            server.stop()
        }
    }
}

/// One finished, one cancelled and one abandoned download.
private func cancelAndShutDown(_ round: Int, _ server: FaultServer, _ folder: TemporaryFolder) async throws {
    let downloader = try makeDownloader { $0.spoolDirectory = folder.url }
    let whole = try await downloader.download(DownloadRequest(url: server.url("/whole/\(round)")))
    #expect(whole.byteCount == 1000)
    await cancelRunning(downloader, server.url("/cancelled/\(round)"))
    let hasBytes = Signal()
    let abandoned = DownloadRequest(url: server.url("/abandoned/\(round)"))
    downloader.start(abandoned, onProgress: { _ in hasBytes.fire() }) { _ in }
    #expect(await hasBytes.fired())
    downloader.shutdown()
}

private func cancelRunning(_ downloader: Downloader, _ url: URL) async {
    let (hasBytes, isDone) = (Signal(), Signal())
    let task = downloader.start(DownloadRequest(url: url), onProgress: { _ in hasBytes.fire() }) { _ in
        isDone.fire()
    }
    #expect(await hasBytes.fired())
    task.cancel()
    #expect(await isDone.fired())
}

/// Without Dispatch's timers: it opens a descriptor for each clock on first use, and keeps it.
private func openFiles() throws -> Int {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count {
        // The listing's own descriptor is closed by now.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        return target != "anon_inode:[timerfd]"
    }
}

private func threadNames() throws -> [String] {
    // A thread may end between being listed and being asked for its name.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
        try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }
}
