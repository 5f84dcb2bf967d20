import Foundation
import TestSupport
import Testing
import TintypeBenchmarking
import TintypeCodecs
import TintypeImaging

@testable import TintypeCLI

struct BenchTests {
    @Test func aQuickRunChecksEveryDeviceAndItsFiguresFitTogether() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["bench", "--quick", "--json", "--commit", "abc", "--report", "report.html"], in: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
        #expect(report.commit == "abc")
        let conditions = try #require(report.conditions)
        #expect(conditions.timerSeconds > 0 && conditions.warmupSeconds != nil)
        #expect(try #require(conditions.shareOfOthers) <= 1)
        let openCL = report.devices.filter(\.isOpenCL).count
        // Of each device and chain, a summary of each device, and one of the CPU.
        #expect(report.headlines.count == openCL * (report.chains.count + 1) + 1)
        #expect(report.devices.contains { $0.device == "cpu" })
        #expect(report.devices.contains { $0.device == "cpu.baseline" } || report.devices.count == 1)
        for device in report.devices {
            #expect(device.status == .ok, "\(device)")
            #expect(device.checkedCount == report.photos.count * report.chains.count)
            #expect(try #require(device.copyGigabytesPerSecond) > 0)
        }
        #expect(
            report.results.count == report.devices.count * report.photos.count * report.chains.count)
        for result in report.results { try check(result, of: report) }
        #expect(try folder.read("report.html").starts(with: Array("<!doctype html>".utf8)))
    }

    private func check(_ result: BenchmarkReport.ResultEntry, of report: BenchmarkReport) throws {
        let split = result.split
        let isOpenCL = report.devices.contains { $0.device == result.device && $0.isOpenCL }
        // In each pass, the parts fit into the total. Medians may come from different passes.
        let total = split.totalSeconds.high * 1.001
        let host = split.decodeSeconds.low + split.encodeSeconds.low
        let device = split.uploadSeconds.low + split.kernelSeconds.low + split.downloadSeconds.low
        #expect(host <= total)
        #expect(device <= total)
        if !isOpenCL { #expect(host + device <= total) }
        #expect(result.megapixelsPerSecond.low > 0)
        #expect(try #require(result.kernelMegapixelsPerSecond).low > 0)
        #expect(try #require(result.shareOfFloor).low > 0)
        #expect(try #require(result.shareOfPlanesFloor).low > 0)
        #expect(try #require(result.shareOfCopyBandwidth) > 0)
    }

    @Test func devicesFiltersAndSizesCanBeChosen() throws {
        let run = try Tool.run(
            [
                "bench", "--quick", "--json", "-d", "cpu", "-d", "cpu.baseline", "-f", "sepia+noir", "--size",
                "0.1", "--rounds", "1",
            ], in: try TemporaryFolder())
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
        #expect(Set(report.devices.map(\.device)).isSubset(of: ["cpu", "cpu.baseline"]))
        #expect(report.chains == ["sepia+noir"])
        #expect(report.photos.map(\.photo) == ["0.1 MP"])
    }

    @Test func fewerPhotosAtOnceAreMeasuredToo() throws {
        let run = try Tool.run(
            [
                "bench", "--quick", "--json", "--scaling", "-d", "cpu", "-f", "sepia", "--size", "0.1",
                "--size",
                "0.3", "--rounds", "1", "--jobs", "3",
            ], in: try TemporaryFolder())
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
        #expect(report.scalings.map(\.jobs) == [1, 2, 3])
        #expect(report.scalings.allSatisfy { $0.photo == "0.3 MP" && $0.megapixelsPerSecond.median > 0 })
        let usual = report.result(device: "cpu", chain: "sepia", photo: "0.3 MP")
        #expect(report.scalings.last?.megapixelsPerSecond == usual?.megapixelsPerSecond)
    }

    /// PoCL as a GPU, whose strips are copied.
    private func asGPU(_ folder: TemporaryFolder) -> [String: String] {
        [
            "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_AS_GPU": "1", "OPENCL_FAULT": "none:1:none",
            "POCL_DEVICES": "pthread", "XDG_CACHE_HOME": folder.path("cache"),
        ]
    }

    @Test func aDeviceWithMemoryOfItsOwnTellsItsTransfersAndSharesPhotos() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            [
                "bench", "--quick", "--json", "--together", "-f", "sepia", "-f", "sepia:intensity=0", "-d",
                "cpu",
                "-d", "0.0", "--size", "0.3", "--rounds", "2", "--seconds", "600", "--jobs", "2", "--report",
                "page.html",
            ], in: folder, environment: asGPU(folder))
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
        #expect(report.devices.map { $0.transfers == nil } == [true, false])
        let transfers = try #require(report.devices[1].transfers)
        for pair in [transfers.pinned, transfers.shared, transfers.pageable] {
            #expect(pair.upload > 0 && pair.download > 0)
        }
        // Only kernels can be resident: not on the CPU, and not where nothing changes.
        let resident = report.results.filter { $0.residentMegapixelsPerSecond != nil }
        #expect(resident.map { [$0.device, $0.chain] } == [["0.0", "sepia"]])
        #expect(report.together.map(\.chain) == ["sepia", "sepia:intensity=0"])
        for entry in report.together {
            #expect(entry.devices == ["cpu", "0.0"] && abs(entry.shares.reduce(0, +) - 1) < 1e-9)
            #expect(entry.shares.allSatisfy { $0 > 0 } && entry.megapixelsPerSecond.count == 2)
        }
        #expect(report.text(width: 200).contains("CPU 50%, GPU 50%"))
        let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
        #expect(page.contains("All devices together") && page.contains("UP SHARED"))
    }

    @Test func aDeviceThatHasNoRoomForTheCopyOfItsMemoryIsMeasuredAllTheSame() throws {
        let folder = try TemporaryFolder()
        // Of this chain, nothing else copies a buffer.
        let fault = ["OPENCL_FAULT": "clEnqueueCopyBuffer:1+:error"]
        let run = try Tool.run(
            [
                "bench", "--quick", "--json", "-f", "sepia", "-d", "0.0", "--size", "0.1", "--rounds", "1",
                "--jobs", "2",
            ], in: folder, environment: asGPU(folder).merging(fault) { $1 })
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
        #expect(report.devices.map(\.status) == [.ok] && report.results.count == 1)
        #expect(report.devices.first?.copyGigabytesPerSecond == nil)
    }

    @Test func aGPUTellsItsEnergy() throws {
        let folder = try TemporaryFolder()
        // Each question finds 5 J more; only the GPU at this address is known.
        try folder.write(
            Array(
                """
                #include <string.h>
                int nvmlInit_v2(void) { return 0; }
                int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
                {
                    *device = &nvmlInit_v2;
                    return strcmp(address, "0000:01:00.0") != 0;
                }
                int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
                {
                    static unsigned long long taken;
                    *millijoules = taken += 5000;
                    return device != &nvmlInit_v2;
                }
                """.utf8), to: "nvml.c")
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/cc")
        compiler.arguments = [
            "-shared", "-fPIC", "-o", folder.path("libnvidia-ml.so.1"), folder.path("nvml.c"),
        ]
        try compiler.run()
        compiler.waitUntilExit()
        #expect(compiler.terminationStatus == 0)
        for (identity, joules) in [("pci=1", 5 / 0.6), ("pci=2", nil)] {
            let run = try Tool.run(
                [
                    "bench", "--quick", "--json", "-f", "sepia", "-d", "cpu", "-d", "0.0", "--size", "0.3",
                    "--rounds", "2", "--seconds", "600", "--jobs", "2",
                ], in: folder,
                environment: asGPU(folder).merging([
                    "OPENCL_IDENTITIES": identity, "LD_LIBRARY_PATH": folder.path,
                ]) { $1 })
            #expect(run.exitCode == 0, "\(run.errorText)")
            let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(run.output))
            // Two photos of 0.3 MP a round.
            let ofGPU = report.energies.first { $0.device == "0.0" }?.deviceJoulesPerMegapixel
            #expect((ofGPU == nil) == (joules == nil))
            if let ofGPU, let joules { #expect(abs(ofGPU - joules) < joules / 100) }
            #expect(report.energies.allSatisfy { $0.device == "0.0" || $0.deviceJoulesPerMegapixel == nil })
        }
    }

    @Test func aStartThatCannotBeTriedSaysNothingOfTheDevice() throws {
        var probe = StartupProbe(kernels: try KernelFlags.parse([]))
        // As where $TMPDIR cannot be written.
        probe.parent = URL(fileURLWithPath: try TemporaryFolder().path("none"))
        let start = try probe.measure(device: "cpu", chain: "sepia")
        #expect(start?.cold == nil)
    }

    @Test func photosOfTheUserAreMeasured() throws {
        let folder = try TemporaryFolder()
        try folder.write(TestPhoto.jpeg(width: 320, height: 200, seed: 1), to: "one.jpg")
        try folder.write(TestPhoto.jpeg(width: 80, height: 64, seed: 2), to: "more/one.jpg")
        let run = try Tool.run(
            ["bench", "--quick", "-d", "cpu", "-f", "sepia", "one.jpg", "more/one.jpg"], in: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.outputText.contains("one.jpg (2)"))
    }

    @Test func aPipelineTellsWhereTimeGoesAndLeavesNothingBehind() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            [
                "bench", "--pipeline", "--quick", "--json", "-d", "cpu", "-d", "0.0", "--jobs", "3", "--size",
                "0.1",
                "--rounds", "1", "--folder", ".", "--commit", "abc",
            ], in: folder, environment: ["POCL_DEVICES": "pthread"])
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try JSONDecoder().decode(PipelineReport.self, from: Data(run.output))
        #expect(
            report.commit == "abc" && report.folder == "." && report.isComplete && report.chain == "sepia")
        let cases = ["cpu", "0.0"].flatMap { device in
            [1, 2, 3].flatMap { ["\(device) \($0) false", "\(device) \($0) true"] }
        }
        #expect(report.rows.map { "\($0.device) \($0.jobs) \($0.journal)" } == cases)
        for row in report.rows {
            #expect(row.photosPerSecond.median > 0 && row.processorSeconds.median > 0)
            #expect(Set(row.phaseSeconds.keys) == Set(PhotoPhase.allCases.map(\.name)))
            for phase in [PhotoPhase.read, .plan, .host, .write, .sync] {
                #expect(row.phaseSeconds[phase.name] ?? 0 > 0, "\(phase)")
            }
            for phase in [PhotoPhase.hash, .journal] {
                #expect((row.phaseSeconds[phase.name] ?? 0 > 0) == row.journal, "\(phase)")
            }
            #expect((row.phaseSeconds["device"] ?? 0 > 0) == (row.device == "0.0"))
        }
        #expect(report.findings.count == 2 && report.findings[0].hasPrefix("CPU: "))
        #expect(folder.files(withRecords: true).isEmpty)
    }

    @Test func onlyColourJPEGsAreAccepted() throws {
        let folder = try TemporaryFolder()
        try folder.write(TestPhoto.png(width: 32, height: 32, seed: 1), to: "a.png")
        let run = try Tool.run(["bench", "--quick", "-d", "cpu", "a.png"], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.errorText.contains("a.png: This is no JPEG in colour"))
    }

    @Test func benchAndApplyReportAMissingPhotoAlike() throws {
        let folder = try TemporaryFolder()
        let bench = try Tool.run(["bench", "gone.jpg"], in: folder)
        let apply = try Tool.run(["apply", "-q", "-f", "sepia", "gone.jpg"], in: folder)
        #expect(bench.exitCode == 1)
        #expect(bench.errorText == "gone.jpg: The file cannot be read: No such file or directory.\n")
        #expect(bench.errorText == apply.errorText)
    }

    @Test func aMissingDeviceIsNamed() throws {
        let run = try Tool.run(["bench", "--quick", "-d", "warp-drive"], in: try TemporaryFolder())
        #expect(run.exitCode == 4)
        #expect(run.errorText.contains("'warp-drive'"))
    }

    @Test(arguments: [
        ["--size", "0"], ["--rounds", "0"], ["--jobs", "0"], ["--report", "photo.jpg"], ["-f", "sepai"],
        ["--size", "2", "photo.jpg"], ["--report", "no/such/folder/a.html"], ["--seconds", "-1"],
        ["--folder", "."], ["--pipeline", "--folder", "no/such/folder"], ["--pipeline", "--scaling"],
        ["--pipeline", "--together"],
        ["--pipeline", "--report", "a.html"], ["--pipeline", "-f", "sepia", "-f", "noir"],
    ])
    func wrongUsageFailsBeforeAnythingIsMeasured(_ arguments: [String]) throws {
        let run = try Tool.run(["bench"] + arguments, in: try TemporaryFolder())
        #expect(run.exitCode == 2)
        #expect(!run.errorText.isEmpty)
    }

    @Test func anInterruptedRunReportsItsMeasurements() throws {
        let folder = try TemporaryFolder()
        let running = try Tool.start(
            [
                "bench", "-d", "cpu", "-f", "sepia", "--size", "0.2", "--rounds", "10000", "--seconds", "600",
                "--json",
            ], in: folder)
        // The tool handles signals before it prints anything.
        while try running.errorText().isEmpty, running.process.isRunning { usleep(10_000) }
        kill(running.process.processIdentifier, SIGINT)
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == 130)
        let report = try JSONDecoder().decode(BenchmarkReport.self, from: Data(result.output))
        #expect(report.devices.map(\.device) == ["cpu"])
    }

    @Test func progressShowsShareTimeAndActivity() {
        #expect(BenchProgress.plainLine("checking", 0, nil) == "checking")
        #expect(BenchProgress.plainLine("round 1", 0.424, "ETA 1:01") == "42%  ETA 1:01  round 1")
        #expect(
            BenchProgress.line("round 1", 0.5, "ETA 1:01", width: 40, .ascii)
                == " 50% [#####     ]  ETA 1:01  round 1")
        for width in 0...120 {
            #expect(BenchProgress.line("round 1", 0.5, "ETA 1:01", width: width, .blocks).count <= width)
        }
    }
}
