import Foundation
import TestSupport
import Testing

/// Signals to the built tool in the middle of a run.
struct InterruptionTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // Enough work that no machine gets through it before the signal comes.
        let jpeg = try TestPhoto.jpeg(width: 1500, height: 1000, seed: 1)
        try folder.write(jpeg, to: "set/0.jpg")
        for index in 1..<600 {
            try FileManager.default.linkItem(
                atPath: folder.path("set/0.jpg"), toPath: folder.path("set/\(index).jpg"))
        }
    }

    /// Starts a run and waits until some photos are done.
    private func runUntilSomeAreDone() throws -> Tool.Running {
        let running = try Tool.start(
            ["apply", "-d", "cpu", "-f", "tilt-shift:radius=40", "-o", "out", "set"], in: folder)
        while running.process.isRunning, finished.count < 2 { usleep(5000) }
        return running
    }

    private var finished: [String] {
        folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype-") }
    }

    @Test(arguments: zip([SIGINT, SIGTERM], [Int32(130), 143]))
    func aSignalStopsTheRunInOrder(signal: Int32, exitCode: Int32) throws {
        let running = try runUntilSomeAreDone()
        kill(running.process.processIdentifier, signal)
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == exitCode)
        #expect(running.process.terminationReason == .exit)
        #expect(result.errorText.contains("Stopping") && result.errorText.contains("not done"))
        #expect(result.errorText.contains("The same command continues where this run stopped."))
        #expect(!folder.files().contains { $0.contains(".tintype-") })
        #expect((1..<600).contains(finished.count))
        // All outputs are whole: all photos are equal, so all outputs are.
        let first = try folder.read(finished[0])
        for name in finished { #expect(try folder.read(name) == first) }
    }

    @Test func theSecondSignalEndsTheRunAtOnce() throws {
        let running = try runUntilSomeAreDone()
        kill(running.process.processIdentifier, SIGINT)
        kill(running.process.processIdentifier, SIGTERM)
        running.process.waitUntilExit()
        // The exit code is that of the second signal, or of a run that had already ended.
        #expect([130, 143].contains(try running.result().exitCode))
        #expect(!folder.files().contains { $0.contains(".tintype-") })
    }
}
