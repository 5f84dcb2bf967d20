import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeDevices

/// What failures of photos that are at work together mean for their device.
struct DevicePoolTests {
    private let simd = CopyDevice("cpu", kind: .simd)
    private let good = CopyDevice("good")
    private let full = DeviceError.callFailed(call: "clCreateBuffer", code: -4, device: "good")

    private final class Run: Sendable {
        let atWork = Locked(0)
        let begun = Locked(0)
        let onFallback = Locked(0)
        /// Failures that photos were told of.
        let told = Locked(0)
        let errors = Locked<[any Error]>([])
    }

    /// Filters photos at the same time, each on a thread of its own.
    ///
    /// - Parameter body: filters a photo on a device that is not the fallback.
    private func filter(
        _ photoCount: Int, on pool: DevicePool, _ body: @escaping @Sendable (Run) throws -> Void
    ) -> Run {
        let run = Run(), group = DispatchGroup()
        for _ in 0..<photoCount {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    try pool.withDevices { _, isFallback in
                        if isFallback { return run.onFallback.withLock { $0 += 1 } }
                        run.atWork.withLock { $0 += 1 }
                        defer { run.atWork.withLock { $0 -= 1 } }
                        try body(run)
                    } failed: { _ in
                        run.told.withLock { $0 += 1 }
                    }
                } catch {
                    run.errors.withLock { $0.append(error) }
                }
            }
        }
        group.wait()
        return run
    }

    /// All begin before the first one ends.
    private func filterTogether(_ photoCount: Int, on pool: DevicePool, failingWith error: DeviceError) -> Run
    {
        filter(photoCount, on: pool) { run in
            run.begun.withLock { $0 += 1 }
            while run.begun.withLock({ $0 < photoCount }) { usleep(1000) }
            throw error
        }
    }

    @Test func aSlowDeviceGetsFewPhotos() throws {
        let slow = CopyDevice("slow"), pool = DevicePool([slow, good], fallback: nil, checkedShare: 0)
        var slowCount = 0
        for _ in 0..<60 {
            try pool.withDevices { device, _ in
                guard device.info.identifier == slow.info.identifier else { return }
                slowCount += 1
                usleep(5000)
            }
        }
        // The first one does not count, and the second one tells. Equal shares would be 30.
        #expect(2...10 ~= slowCount, "\(slowCount)")
    }

    @Test func aDeviceWithoutMemoryForAllPhotosGetsFewerAtOnce() {
        let pool = DevicePool([good], fallback: nil, checkedShare: 0)
        let full = full
        let run = filter(40, on: pool) { run in
            usleep(2000)
            if run.atWork.withLock({ $0 > 3 }) { throw full }
        }
        #expect(run.errors.withLock { $0.isEmpty } && pool.retired.isEmpty)
        #expect(run.told.withLock { $0 } == 0)
    }

    /// The last one that fails for the others' sake is alone by then.
    @Test func photosThatLeaveEachOtherNoMemoryAreAllTriedAgain() {
        let pool = DevicePool([good], fallback: nil, checkedShare: 0)
        let full = full
        let run = filter(8, on: pool) { run in
            let number = run.begun.withLock {
                $0 += 1
                return $0
            }
            guard number <= 8 else { return }
            while run.begun.withLock({ $0 < 8 }) { usleep(1000) }
            throw full
        }
        #expect(run.errors.withLock { $0.isEmpty } && pool.retired.isEmpty)
        #expect(run.begun.withLock { $0 } == 16)
    }

    /// A driver may report a device that is broken in the same way.
    @Test func aDeviceWithoutMemoryForOnePhotoIsRetired() {
        let pool = DevicePool([good], fallback: simd, checkedShare: 0)
        let full = full
        let run = filter(40, on: pool) { _ in throw full }
        #expect(run.errors.withLock { $0.isEmpty } && run.onFallback.withLock { $0 } == 40)
        #expect(pool.retired.count == 1 && run.told.withLock { $0 } > 0)
    }

    @Test func failuresOfPhotosAtWorkTogetherCountAsOne() throws {
        let pool = DevicePool([good], fallback: simd, checkedShare: 0)
        let error = DeviceError.callFailed(call: "clFinish", code: -36, device: "good")
        for round in 1...5 {
            #expect(pool.retired.isEmpty, "before round \(round)")
            let run = filterTogether(8, on: pool, failingWith: error)
            #expect(run.onFallback.withLock { $0 } == 8)
        }
        #expect(pool.retired.count == 1)
    }
}
