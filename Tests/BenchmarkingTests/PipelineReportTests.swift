import CodedDevice
import Foundation
import Testing
import TintypeCompute
import TintypeImaging

@testable import TintypeBenchmarking

struct PipelineReportTests {
    /// - Parameters:
    ///   - speeds: photos a second, by the number of photos at once.
    ///   - seconds: of 100 photos, by phase.
    private func rows(
        _ device: String, _ speeds: [(jobs: Int, speed: Double)], _ seconds: [PhotoPhase: Double],
        processorSeconds: Double
    ) throws -> [PipelineReport.Row] {
        var times = PhotoTimes()
        for (phase, seconds) in seconds { times.add(Int(seconds * 1e9), to: phase) }
        return try speeds.flatMap { jobs, speed in
            try [false, true].map { journal in
                let use = PipelineRun.Use(
                    photoCount: 100, seconds: 100 / speed, processorSeconds: processorSeconds, times: times,
                    timedPhotoCount: 100)
                return try #require(
                    PipelineReport.Row(
                        device: device, jobs: jobs, journal: journal, [use, use], megapixels: 12))
            }
        }
    }

    private func processorCount() throws -> Int {
        let settings = PipelineSettings(devices: [], chain: try BenchmarkChain(parsing: "sepia"), photos: [])
        return try #require(settings.jobs(on: SIMDDevice()).last)
    }

    private func report(_ rows: [PipelineReport.Row]) -> PipelineReport {
        let sample = BenchmarkReport.sample()
        var report = PipelineReport(
            version: "0.1.0", commit: "abc", date: "2026-11-21T05:00:00Z", machine: sample.machine,
            chain: "sepia",
            folder: "/dev/shm", isInMemory: true, rounds: 3, seconds: 61.2, isComplete: true,
            devices: Array(sample.devices.prefix(2)), photos: Array(sample.photos.suffix(1)))
        report.rows = rows
        report.findings = report.findingSentences
        return report
    }

    @Test func aRowHoldsItsFigures() throws {
        let cores = Double(try processorCount())
        let text = report(
            try rows(
                "0.0", [(16, 50)], [.read: 0.5, .device: 6, .host: 1, .hash: 0.25, .wait: 90],
                // A quarter of the processors' time in 2 s.
                processorSeconds: cores / 2)
        ).text(width: 200)
        let row = try #require(text.split(separator: "\n").last { $0.hasPrefix("GPU") && $0.contains("yes") })
        let cpu = Figures.short(1000 * cores / 200)
        #expect(
            row.split(separator: " ").map(String.init) == [
                "GPU", "yes", "16", "50.0", "600", "600-600", cpu, "25%",
                "5.00", "0.00", "10.0", "0.00", "60.0", "0.00", "2.50", "0.00", "0.00",
            ])
        #expect(text.contains("Photos: 12 MP, in /dev/shm, which is memory: no disk is measured\n"))
    }

    @Test(arguments: [80, 120, Int.max])
    func tablesFitTheTerminal(width: Int) throws {
        let text = report(try rows("0.0", [(1, 20), (16, 50)], [.device: 6], processorSeconds: 0)).text(
            width: width)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
        #expect(text.components(separatedBy: "DEVICE  JOURNAL").count - 1 == (width < 100 ? 2 : 1))
    }

    @Test(
        arguments: [
            (
                [PhotoPhase.read: 8, .host: 2],
                "reading binds: with 8 at once it takes 80% of the workers' time."
            ),
            (
                [.write: 4, .sync: 4, .host: 2],
                "writing binds: with 8 at once it takes 80% of the workers' time"
            ),
            (
                [.device: 9, .host: 1],
                "the device binds: with 8 at once workers wait for it in 90% of their time."
            ),
            (
                [.device: 1, .read: 1, .write: 1],
                "nothing binds alone: with 8 at once the processors are 0% busy"
            ),
        ] as [([PhotoPhase: Double], String)])
    func theLastSentenceTellsWhatBindsAtTheBestSpeed(seconds: [PhotoPhase: Double], sentence: String) throws {
        let rows = try rows("cpu", [(1, 10), (8, 60), (16, 55)], seconds, processorSeconds: 0)
        #expect(
            report(rows).findings.map { $0.hasPrefix("CPU: \(sentence)") } == [true],
            "\(report(rows).findings)")
    }

    @Test func moreWorkersAreAdvisedOnlyIfMoreWereNotSlower() throws {
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return }
        let workers = try rows("cpu", [(1, 10)], [.host: 10], processorSeconds: 1)
        #expect(report(workers).findings[0].hasPrefix("CPU: the workers bind: with 1 at once"))
        let slower = try rows("cpu", [(1, 10), (2, 8)], [.host: 10], processorSeconds: 1)
        #expect(report(slower).findings[0].hasPrefix("CPU: nothing binds alone: with 1 at once"))
    }

    @Test func aBusyMachineIsTold() throws {
        var report = report(try rows("cpu", [(1, 10)], [.host: 10], processorSeconds: 1))
        report.conditions = Conditions(timerSeconds: 1e-9, shareOfOthers: 0.5)
        #expect(report.text(width: 200).contains("\nOther processes took 50% of the processors' time"))
    }

    @Test func theStartOfABatchDoesNotCount() {
        var times = PhotoTimes()
        times.add(3_000_000_000, to: .host)
        func use(_ photoCount: Int, seconds: Double, processorSeconds: Double) -> PipelineRun.Use {
            PipelineRun.Use(
                photoCount: photoCount, seconds: seconds, processorSeconds: processorSeconds, times: times,
                timedPhotoCount: photoCount)
        }
        let few = use(4, seconds: 1.5, processorSeconds: 1), all = use(14, seconds: 2, processorSeconds: 3)
        let rest = all.beyond(few)
        #expect(rest.photoCount == 10 && rest.seconds == 0.5 && rest.processorSeconds == 2)
        #expect(rest.times == times && rest.timedPhotoCount == 14)
        // A machine that was busy meanwhile.
        #expect(few.beyond(all).photoCount == 4)
    }

    @Test func devicesThatCodeGetMorePhotosThanProcessors() throws {
        var settings = PipelineSettings(devices: [], chain: try BenchmarkChain(parsing: "sepia"), photos: [])
        let cores = try processorCount()
        #expect(settings.jobs(on: SIMDDevice()).first == 1)
        #expect(settings.jobs(on: CodedDevice()).last == 2 * cores)
        settings.mostJobs = 12
        #expect(settings.jobs(on: SIMDDevice()) == [1, 2, 4, 8, 12])
    }
}
