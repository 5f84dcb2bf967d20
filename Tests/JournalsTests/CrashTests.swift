import Foundation
import Synchronization
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

/// Processes of the test's own worker.
enum Worker {
    static let path = BuiltProducts.path("JournalWorker")

    static func start(_ folder: String, count: Int, seed: UInt64) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [folder, "\(count)", "\(seed)"]
        try process.run()
        return process
    }

    /// Runs a shell script with the worker's path as `$0` and the folder as `$1`.
    static func run(_ script: String, _ folder: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, path, folder]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A flag that is set once.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}

struct CrashTests {
    let setting: JournalSetting

    init() throws { setting = try JournalSetting() }

    @Test func anOutputThatWasPublishedIsKnownThoughItsReceiptIsMissing() throws {
        let input = try setting.input("a.jpg", "photo")
        try setting.make("x/a.jpg", of: input, in: try setting.open(), diesBefore: .receipt)
        let journal = try setting.open()
        #expect(try journal.decide(input, "x/a.jpg").isUpToDate)
        #expect(try setting.lines().map { $0["state"] as? String } == ["publishing", "done"])
        _ = try setting.open()
        #expect(try setting.lines().count == 2)
    }

    @Test func anOutputThatWasOnlyAnnouncedIsDoneAgain() throws {
        let input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: try setting.open(), diesBefore: .publishing)
        #expect(try setting.open().decide(input, "a.jpg") == .redo(.new))
        // Another program's file with this name must not be removed.
        try setting.folder.write(Array("RESULT".utf8), to: "out/a.jpg")
        #expect(try setting.open().decide(input, "a.jpg") == .refused(.notOurs))
    }

    @Test func outputsThatAnActiveRunPublishesAreLeftToIt() throws {
        let input = try setting.input("a.jpg", "photo")
        let living = try setting.open()
        let claim = try living.claim("a.jpg")
        try setting.make("a.jpg", of: input, in: living, diesBefore: .receipt)
        _ = try setting.open()
        #expect(try setting.lines().count == 1)
        withExtendedLifetime(claim) {}
    }

    @Test func temporaryFilesOfTheDeadAreRemovedAndOnlyThose() throws {
        try setting.folder.write([1], to: "out/x/.tintype-1-abc.tmp")
        try setting.folder.write([1], to: "out/x/.tintype-1-abc.jpg")
        try setting.folder.write([1], to: "out/x/mine.tmp")
        let living = try OutputFile(at: setting.folder.path("out/x/b.jpg"), temporaries: TemporaryFiles())
        let kept = living.temporaryPath.lastPathComponent
        _ = try setting.open().claim("x/a.jpg")
        #expect(
            Set(setting.folder.files()).subtracting(["out/.tintype/lock", "out/.tintype/journal.jsonl"])
                == ["out/x/.tintype-1-abc.jpg", "out/x/mine.tmp", "out/x/\(kept)"])
        _ = consume living
    }

    @Test func aSweepNeverTakesTheFilesOfTheLiving() async throws {
        let folder = setting.folder.path
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !isDone.isRaised {
                    StrayFiles.remove(in: folder)
                    // The task that ends this loop may need this thread.
                    await Task.yield()
                }
            }
            group.addTask {
                defer { isDone.raise() }
                for number in 0..<800 {
                    let file = try OutputFile(
                        at: "\(folder)/\(number % 10).jpg", temporaries: TemporaryFiles())
                    try file.publish(overwrites: true)
                }
            }
            try await group.waitForAll()
        }
        #expect(setting.folder.files() == (0..<10).map { "\($0).jpg" })
    }

    @Test func fourProcessesKilledAtAnyMomentDoEveryPhotoOnce() throws {
        let count = 400
        var random = SeededGenerator(seed: 11)
        var workers = try (0..<4).map { try Worker.start(setting.outputFolder, count: count, seed: $0) }
        var killed = 0
        for _ in 0..<150 {
            usleep(UInt32.random(in: 1000...60_000, using: &random))
            let index = Int.random(in: 0..<4, using: &random)
            if workers[index].isRunning { killed += 1 }
            kill(workers[index].processIdentifier, SIGKILL)
            workers[index].waitUntilExit()
            workers[index] = try Worker.start(setting.outputFolder, count: count, seed: random.next())
        }
        for worker in workers {
            worker.waitUntilExit()
            #expect(worker.terminationStatus == 0 && worker.terminationReason == .exit)
        }
        #expect(killed > 20)
        try expectEveryPhotoOnce(count)
    }

    private func expectEveryPhotoOnce(_ count: Int) throws {
        let outputs = (0..<count).map { "\($0 % 7)/photo \($0).jpg" }
        for output in outputs {
            #expect(
                try setting.folder.read("out/\(output)")
                    == Array(String(repeating: "\(output)\n", count: 500).utf8))
        }
        // A last sweep removes temporary files from folders without unfinished photos.
        for folder in 0..<7 { StrayFiles.remove(in: setting.folder.path("out/\(folder)")) }
        #expect(setting.folder.files() == outputs.map { "out/\($0)" }.sorted())
        let done = try setting.lines().filter { $0["state"] as? String == "done" }.compactMap {
            $0["output"] as? String
        }
        #expect(done.sorted() == outputs.sorted())
    }
}
