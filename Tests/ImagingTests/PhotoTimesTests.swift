import Foundation
import Testing
import TintypeImaging

struct PhotoTimesTests {
    @Test func timeBelongsToTheInnermostPhase() {
        let start = ContinuousClock.now
        let clock = PhaseClock.start()
        pause(4_000)
        PhotoPhase.read.measure {
            pause(8_000)
            PhotoPhase.hash.measure { pause(16_000) }
            PhotoPhase.read.measure { pause(8_000) }
        }
        let times = clock.end()
        let wall = start.duration(to: .now)
        #expect(times[.plan] >= .milliseconds(4) && times[.read] >= .milliseconds(16))
        #expect(times[.hash] >= .milliseconds(16))
        #expect(times.total == times[.plan] + times[.read] + times[.hash] && times.total <= wall)
    }

    @Test func aPhaseEndsWithAnError() {
        let clock = PhaseClock.start()
        #expect(throws: CancellationError.self) {
            try PhotoPhase.write.measure { throw CancellationError() }
        }
        pause(4_000)
        let times = clock.end()
        #expect(times[.plan] >= .milliseconds(4))
    }

    @Test func threadsWithoutAClockOfTheirOwnDoNotCount() {
        let clock = PhaseClock.start()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            PhotoPhase.write.measure { pause(4_000) }
            PhaseClock.count(.milliseconds(4), as: .queue)
            done.signal()
        }
        PhotoPhase.wait.measure { done.wait() }
        let times = clock.end()
        #expect(times[.write] == .zero && times[.queue] == .zero && times[.wait] > .zero)
        // After its end neither.
        PhotoPhase.write.measure { pause(1_000) }
        #expect(clock.end()[.write] == .zero)
    }

    @Test func whatAnotherThreadMeasuredIsMovedAndNotCountedTwice() {
        let clock = PhaseClock.start()
        PhotoPhase.device.measure {
            pause(8_000)
            PhaseClock.count(.milliseconds(3), as: .queue)
        }
        let times = clock.end()
        #expect(times[.queue] == .milliseconds(3) && times[.device] >= .milliseconds(5))
        #expect(times.total == times[.plan] + times[.queue] + times[.device])
    }

    @Test func timesAddUp() {
        var times = PhotoTimes(), others = PhotoTimes()
        times.add(5_000_000, to: .host)
        others.add(2_000_000, to: .host)
        others.add(1_000_000, to: .wait)
        times += others
        #expect(times.total == .milliseconds(8))
        #expect(times.seconds.filter { $0.value > 0 } == ["host": 0.007, "wait": 0.001])
        #expect(times.seconds.count == PhotoPhase.allCases.count)
    }

    private func pause(_ microseconds: UInt32) { usleep(microseconds) }
}
