import Foundation
import SystemPackage
import TestSupport
import Testing
import TintypeLocking

@testable import TintypeFiles

struct DiskSyncTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What writes a disk, as a test sees it.
    private final class Disk: Sendable {
        private let state = Locked((begun: 0, ended: 0, isHeld: false))
        private let failingRounds: ClosedRange<Int>?

        init(failing failingRounds: ClosedRange<Int>? = nil) { self.failingRounds = failingRounds }

        var roundCount: Int { state.withLock { $0.begun } }
        var endedCount: Int { state.withLock { $0.ended } }
        func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

        func flush() -> Errno? {
            let round = state.withLock { state in
                state.begun += 1
                return state.begun
            }
            #expect(eventually { state.withLock { !$0.isHeld } })
            state.withLock { $0.ended += 1 }
            return failingRounds?.contains(round) == true ? .ioError : nil
        }
    }

    private static func write(_ sync: DiskSync, in folder: String) throws(Errno) {
        try sync.syncFile(try OpenFile.anonymous(in: folder))
    }

    @Test func eachFileIsInARoundThatBeganLater() {
        let disk = Disk(), path = folder.path
        let sync = DiskSync(.batch) { _ in disk.flush() }
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            let before = disk.roundCount
            #expect(throws: Never.self) { try Self.write(sync, in: path) }
            #expect(disk.endedCount > before)
        }
        #expect(disk.roundCount <= 200)
    }

    @Test func filesThatWaitShareARoundAndItsError() throws {
        let threadCount = 8
        // A thread may be late, and then has a round of its own.
        for _ in 0..<100 {
            let disk = Disk(failing: 2...2)
            let sync = DiskSync(.batch) { _ in disk.flush() }
            disk.hold(true)
            let count = Locked((called: 0, failed: 0)), ended = DispatchGroup()
            let path = folder.path
            func start() {
                ended.enter()
                Thread.detachNewThread {
                    count.withLock { $0.called += 1 }
                    do throws(Errno) { try Self.write(sync, in: path) } catch {
                        count.withLock { $0.failed += 1 }
                    }
                    ended.leave()
                }
            }
            start()
            #expect(eventually { disk.roundCount == 1 })
            for _ in 0..<threadCount { start() }
            #expect(eventually { count.withLock { $0.called } == threadCount + 1 })
            disk.hold(false)
            ended.wait()
            guard disk.roundCount == 2 else { continue }
            #expect(count.withLock { $0.failed } == threadCount)
            try Self.write(sync, in: folder.path)
            return
        }
        Issue.record("No round was for all that waited.")
    }

    @Test(arguments: DiskSync.Policy.allCases)
    func onlyBatchesHaveRounds(policy: DiskSync.Policy) throws {
        let disk = Disk()
        let sync = DiskSync(policy) { _ in disk.flush() }
        try sync.syncReceipt(in: try OpenFile.anonymous(in: folder.path))
        #expect(disk.roundCount == 0)
        try Self.write(sync, in: folder.path)
        sync.syncName(in: folder.path)
        #expect(disk.roundCount == (policy == .batch ? 1 : 0))
        try sync.finish()
        #expect(disk.roundCount == (policy == .batch ? 2 : 0))
    }
}
