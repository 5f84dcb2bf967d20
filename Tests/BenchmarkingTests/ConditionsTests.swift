@testable import Benchmarking
import Foundation
import Testing

/// What a benchmark tells of its conditions, and of its result in a sentence.
struct ConditionsTests {
    @Test func processorsTimeIsReadFromTheSystemsFile() {
        // user, nice, system, idle, iowait, irq, softirq, steal, guest: 1 + 2 + 4 + 32 + 64 + 128 ticks of 1/100 s.
        let stat = "cpu  1 2 4 8 16 32 64 128 256 0\ncpu0 9 9 9 9 9 9 9 9 9 9\n"
        #expect(ProcessorTime.busySeconds(in: stat, ticksPerSecond: 100) == 2.31)
        #expect(ProcessorTime.busySeconds(in: "cpu  1 2 3\n", ticksPerSecond: 100) == nil)
        #expect(ProcessorTime.busySeconds(in: "intr 1\n", ticksPerSecond: 100) == nil)
    }

    @Test func aBusyMachineIsNoticed() throws {
        let before = try #require(ProcessorTime())
        // A process of its own that is not waited for, so its time is not this one's.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "while :; do :; done"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Not terminate(): a process that tests start may ignore SIGTERM, and would keep their output open.
        defer { kill(process.processIdentifier, SIGKILL) }
        usleep(1_500_000)
        // All others together take at least half of this loop's core.
        let count = ProcessInfo.processInfo.activeProcessorCount
        let share = try #require(before.shareOfOthers(processorCount: count))
        #expect(share * Double(count) > 0.5 && share <= 1)
    }

    @Test func theOwnWorkDoesNotCount() throws {
        let before = try #require(ProcessorTime()), start = ContinuousClock.now
        var sum = 0
        while start.duration(to: .now) < .seconds(1) { sum &+= 1 }
        let now = try #require(ProcessorTime())
        #expect(sum > 0 && now.own - before.own > 0.02)
        #expect(now.all >= before.all)
    }

    @Test func warmingUpEndsOnceTheSpeedHasSettled() {
        var speeds = [50.0, 80, 99, 100, 101, 100, 55][...]
        let result = Warmup().run { speeds.removeFirst() }
        #expect(speeds == [55] && abs(result.change - 2 / 101) < 1e-9)
        var flip = 0.0
        let restless = Warmup(secondsLimit: 0.05).run {
            usleep(5000)
            flip = 150 - flip
            return flip == 0 ? 100 : flip
        }
        #expect(restless.seconds >= 0.05 && restless.change > 0.3)
    }

    @Test func theTimerHasAStep() {
        let resolution = ClockStep.smallest
        #expect(resolution > 0 && resolution < 1e-3)
    }

    @Test func warningsTellWhatIsWrong() {
        let quiet = Conditions(timerSeconds: 3e-8, shareOfOthers: 0.01, warmupSeconds: 1, warmupChange: 0.02)
        #expect(quiet.warnings.isEmpty)
        let busy = Conditions(timerSeconds: 3e-8, shareOfOthers: 0.3, warmupSeconds: 5, warmupChange: 0.12)
        #expect(busy.warnings.count == 2)
        #expect(busy.warnings[0].contains("30%") && busy.warnings[1].contains("12%"))
        #expect(Conditions(timerSeconds: 3e-8).warnings.isEmpty)
    }

    @Test func theHeadlineIsOfTheLargestPhotoThatBothWereMeasuredWith() {
        // The GPU has 25 x 12 MP/s, the CPU 100.
        var report = BenchmarkReport.sample(chains: ["sepia"])
        #expect(
            report.headlineSentences == ["0.0 is 3.00 x the CPU for sepia at 12 MP; break-even at 4.21 MP."])
        // The CPU's large photo is missing: 25 x 2 of 100.
        report.results.removeAll { $0.device == "cpu" && $0.photo == "12 MP" }
        report.breakEvens[0].answer = .none
        #expect(report.headlineSentences == ["0.0 is 0.50 x the CPU for sepia at 2 MP."])
        report.breakEvens[0].answer = .always
        #expect(
            report.headlineSentences == [
                "0.0 is 0.50 x the CPU for sepia at 2 MP; faster from 2.00 MP on, the smallest that was measured."
            ])
        report.results.removeAll { $0.device == "cpu" }
        #expect(report.headlineSentences.isEmpty)
    }

    @Test func theCPUsBestLevelIsComparedWithWhereverItStands() {
        var report = BenchmarkReport.sample(chains: ["sepia"])
        var slower = report.devices[0]
        slower.device = "cpu.baseline"
        report.devices.append(slower)
        for var result in report.results where result.device == "cpu" {
            result.device = "cpu.baseline"
            report.results.append(result)
        }
        report.breakEvens = []
        #expect(report.withBreakEvens().breakEvens.map(\.cpu) == ["cpu"])
        // A level that is wrong is not compared with.
        report.devices[0].status = .wrong
        #expect(!report.withBreakEvens().breakEvens.contains { $0.cpu == "cpu" })
    }
}
