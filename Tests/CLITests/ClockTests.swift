import Foundation
import TestSupport
import Testing
import TintypeLocking

/// A wall clock that jumps by years, forward and back, in mid-run: no work is lost or done twice, no wait takes longer.
struct ClockTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for index in 0..<150 {
            try folder.write(
                try TestPhoto.jpeg(width: 200, height: 150, seed: UInt64(index)), to: "in/\(index).jpg")
        }
    }

    /// `Tests/IOFaults` moves the wall clock every 20 ms; the monotonic clock and the times of files stay.
    private func jumping(_ seed: Int) -> [String: String] {
        ["LD_PRELOAD": StorageFaultTests.library, "CLOCK_JUMPS": "\(seed)"]
    }

    private static let year = 365 * 86_400

    private func apply(_ arguments: [String], _ environment: [String: String]) throws -> Tool.Result {
        let result = try Tool.runUnlessItHangs(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "2", "-o", "out"] + arguments, in: folder,
            environment: environment)
        return try #require(result, "it hangs")
    }

    @Test func aJournalDoesNotDependOnTheClock() throws {
        // Killed twice, at different times by its clock.
        for seed in 1...2 {
            let running = try Tool.start(
                ["apply", "-f", "sepia", "-d", "cpu", "-j", "2", "-o", "out", "in"], in: folder,
                environment: jumping(seed))
            let before = folder.files().count
            while running.process.isRunning, folder.files().count < before + 20 { usleep(1000) }
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
        }
        let last = try apply(["in"], jumping(3))
        #expect(last.exitCode == 0, "\(last.errorText)")
        let text = String(decoding: try folder.read("out/.tintype/journal.jsonl"), as: UTF8.self)
        let times = text.matches(of: /"time":([0-9]+)/).compactMap { Int($0.1) }
        // The clock did jump, back too.
        #expect(times.count > 150 && zip(times, times.dropFirst()).contains { $0 > $1 + Self.year })
        // A clock that is behind, one that is ahead, and the right one.
        for offset in [-3 * Self.year, 3 * Self.year, 0] {
            let again = try apply(
                ["in"], ["LD_PRELOAD": StorageFaultTests.library, "CLOCK_OFFSET": "\(offset)"])
            #expect(again.exitCode == 0 && again.errorText.contains("150 up to date"), "\(again.errorText)")
        }
        #expect(!folder.files().contains { $0.contains(".tintype-") })
    }

    @Test func retriesAndTimeoutsDoNotDependOnTheClock() throws {
        let photo = try folder.read("in/0.jpg")
        let asked = Locked<[String: Int]>([:])
        let server = try FaultServer { request, connection in
            let number = asked.withLock { asked in
                asked[request.target, default: 0] += 1
                return asked[request.target] ?? 0
            }
            // Each is refused once, cut once, and then sent slowly.
            switch number {
            case 1: return connection.respond(503)
            case 2:
                connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(photo.count)\r\n\r\n")
                connection.send(Array(photo.prefix(1000)))
                return .close
            default:
                usleep(100_000)
                return connection.respond(200, ["ETag: \"a\""], body: photo)
            }
        }
        let addresses = (0..<8).map { server.url("/\($0).jpg").absoluteString }
        let result = try apply(addresses, jumping(4))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") }.count == 8)
        #expect(server.requests.count == 24)
        server.stop()
    }
}
