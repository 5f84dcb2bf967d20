import Foundation
import Testing
@testable import TintypeBenchmarking

/// What a benchmark tells of its conditions, and of its result in a sentence.
struct ConditionsTests {
    @Test func processorsTimeIsReadFromTheSystemsFile() {
        // user, nice, system, idle, iowait, irq, softirq, steal, guest: 1 + 2 + 4 + 32 + 64 + 128 ticks of 1/100 s.
        let stat = """
            cpu  7 7 7 7 7 7 7 7 7 7
            cpu0 1 2 4 8 16 32 64 128 256 0
            cpu1 1 0 0 0 0 0 0 0 0 0
            cpu10 100 0 0 0 0 0 0 0 0 0
            intr 5 5 5 5 5 5 5 5 5 5
            """
        func seconds(_ stat: String, _ allowed: [ClosedRange<Int>]? = nil) -> Double? {
            ProcessorTime.busy(in: stat, of: allowed, ticksPerSecond: 100)?.seconds
        }
        func count(_ allowed: [ClosedRange<Int>]?) -> Int? {
            ProcessorTime.busy(in: stat, of: allowed, ticksPerSecond: 100)?.processorCount
        }
        #expect(seconds(stat) == 3.32 && count(nil) == 3)
        // Pinned to some; more may be allowed than there are.
        #expect(seconds(stat, [0...0]) == 2.31 && count([0...0]) == 1)
        #expect(seconds(stat, [1...1, 8...127]) == 1.01 && count([1...1, 8...127]) == 2)
        #expect(seconds(stat, [2...3]) == nil)
        #expect(seconds("cpu0 1 2 3\n") == nil && seconds("intr 1\n") == nil)
    }

    @Test func theProcessorsOfAPinnedProcessAreRead() {
        func allowed(_ list: String) -> [ClosedRange<Int>]? {
            let status = "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t\(list)\nMems:\t0\n"
            return ProcessorTime.allowedProcessors(in: status)
        }
        #expect(allowed("3") == [3...3])
        #expect(allowed("0-3,8,10-11") == [0...3, 8...8, 10...11])
        #expect(allowed("") == nil && ProcessorTime.allowedProcessors(in: "Name:\tx\n") == nil)
    }

    @Test func aBusyMachineIsNoticed() async {
        // In a process of its own: what other tests start and wait for would count as this one's work.
        await #expect(processExitsWith: .success) {
            let before = try #require(ProcessorTime())
            // A process that is not waited for, so its time is not this one's.
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "while :; do :; done"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Not terminate(): a process that tests start may ignore SIGTERM, and would keep their output open.
            defer { kill(process.processIdentifier, SIGKILL) }
            let start = ContinuousClock.now
            usleep(1_500_000)
            // Tests that run beside this one may leave the loop little.
            let loop = try Self.secondsAtWork(process.processIdentifier)
            let share = try #require(before.shareOfOthers)
            let others = share * Double(before.processorCount) * (start.duration(to: .now) / .seconds(1))
            try #require(loop > 0 && others > 0.8 * loop && share <= 1, "\(loop), \(others), \(share)")
        }
    }

    /// A process's time on all processors.
    private static func secondsAtWork(_ process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name may have blanks; utime and stime are the 12th and 13th field after it.
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        let ticks = try #require(Int(fields[11])) + #require(Int(fields[12]))
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
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
        // The GPU has 25 x 12 MP/s, the CPU 100. A single chain needs no summary.
        var report = BenchmarkReport.sample(chains: ["sepia"])
        report.floors = []
        for index in report.results.indices { report.results[index].shareOfFloor = nil }
        #expect(
            report.headlineSentences == [
                "GPU 0.0 is 3.00 x the CPU for sepia at 12 MP; break-even at 4.21 MP."
            ])
        // The CPU's large photo is missing: 25 x 2 of 100.
        report.results.removeAll { $0.device == "cpu" && $0.photo == "12 MP" }
        report.breakEvens[0].answer = .none
        #expect(report.headlineSentences == ["GPU 0.0 is 0.50 x the CPU for sepia at 2 MP."])
        report.breakEvens[0].answer = .always
        #expect(
            report.headlineSentences == [
                "GPU 0.0 is 0.50 x the CPU for sepia at 2 MP; faster from 2.00 MP on, the smallest that was measured."
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
