import Foundation
import TestSupport
import Testing
import Tintype

/// The process that loads OpenCL's drivers for the tool: it may crash, stop or be killed, and the run goes on.
struct DriverProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try DriverPhotos.folder() }

    private func apply(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try DriverPhotos.apply(arguments, environment, in: folder)
    }

    /// - Parameter fault: see `opencl_faults.h`.
    private func environment(_ fault: String, once: Bool = false) throws -> [String: String] {
        try #require(FileManager.default.fileExists(atPath: DeviceFaultTests.layer))
        let faulty = [
            "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_FAULT": fault,
            "OPENCL_FAULT_MARK": folder.path("mark"),
        ]
        return once ? faulty.merging(["OPENCL_FAULT_ONCE": "1"]) { $1 } : faulty
    }

    /// A run on the driver's two devices, of which only the second one makes photos in the end.
    ///
    /// - Parameter ending: what the run tells of the first one's driver.
    private func expectSecondDeviceGoesOn(
        _ fault: [String: String], ending: String, _ place: String
    ) throws {
        let result = try apply(
            ["-d", "0", "-d", "1", "--fallback", "cpu", "-j", "1", "--json", "-o", "out"],
            fault.merging(["OPENCL_TWO_PLATFORMS": "two"]) { $1 })
        #expect(result.exitCode == 0, "\(result.errorText)")
        let texts = result.errorText + result.outputText
        #expect(texts.contains(ending), "\(texts)")
        #expect(result.outputText.contains("\"device\":\"1.0\""), "\(result.outputText)")
        #expect(!result.outputText.contains("\"device\":\"cpu\""), "\(result.outputText)")
        try expectRightBytes(in: "out", place)
    }

    private func expectRightBytes(in out: String, _ place: String) throws {
        for (name, bytes) in try DriverPhotos.expected.get() {
            #expect(try folder.read("\(out)/\(name)") == bytes, "\(name), \(place)")
        }
    }

    @Test(arguments: [
        "clGetPlatformIDs:1", "clGetDeviceInfo:3", "clCreateContext:1", "clEnqueueNDRangeKernel:1",
        "clEnqueueNDRangeKernel:15", "clEnqueueMapBuffer:12", "clReleaseMemObject:2", "clReleaseEvent:20",
    ])
    func aDriverThatCrashesAgainAndAgainIsGivenUp(call: String) throws {
        let isSearch = call.hasPrefix("clGet")
        let device = isSearch ? [] : ["-d", "0"]
        let result = try apply(
            device + ["--fallback", "cpu", "-o", "out"], environment("\(call):crash"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(
            result.errorText.contains("the driver's process has ended (Segmentation fault)"),
            "\(result.errorText)")
        try expectRightBytes(in: "out", call)
    }

    // The last call is a photo's, behind the self-tests' launches.
    @Test(arguments: ["clCreateContext:1", "clEnqueueNDRangeKernel:1", "clEnqueueNDRangeKernel:16"])
    func aDriverThatCrashesOnceIsUsedAgain(call: String) throws {
        let result = try apply(
            ["-d", "0", "--fallback", "fail", "--json", "-o", "out"],
            environment("\(call):crash", once: true))
        #expect(folder.files().contains("mark"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.outputText.contains("it is started once more") == call.hasSuffix(":16"))
        #expect(!result.outputText.contains("\"device\":\"cpu\""), "\(result.outputText)")
        try expectRightBytes(in: "out", "once")
    }

    /// As after a fault in a GPU: every call of that process fails. The photo that fails first is made by the CPU.
    @Test func aDriverWhoseContextIsBrokenIsStartedOnceMore() throws {
        let result = try apply(
            ["-d", "0", "--fallback", "cpu", "-j", "1", "--json", "-o", "out"],
            environment("clEnqueueNDRangeKernel:16+:error=-36", once: true))
        #expect(folder.files().contains("mark"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        let text = result.outputText
        #expect(text.contains("failed again, with OpenCL error -36"), "\(text)")
        #expect(text.components(separatedBy: "\"device\":\"cpu\"").count == 2, "\(text)")
        try expectRightBytes(in: "out", "a broken context")
    }

    /// LLVM may turn a crash of the compiler into an error.
    @Test(arguments: ["error=-11", "crash"])
    func aCompilerThatFailsOnceIsTriedAgainInANewProcess(fault: String) throws {
        let result = try apply(
            ["-d", "0", "--fallback", "fail", "--json", "-o", "out"],
            environment("clBuildProgram:2:\(fault)", once: true))
        #expect(folder.files().contains("mark"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!result.outputText.contains("\"device\":\"cpu\""), "\(result.outputText)")
        try expectRightBytes(in: "out", fault)
    }

    @Test func aProgramThatNeverCompilesIsNamed() throws {
        for (fault, text) in [
            ("error=-11", "could not compile filter_points.cl, and its compiler does not say why"),
            ("error=-6", "clBuildProgram(filter_points.cl) failed with OpenCL error -6"),
        ] {
            let result = try Tool.run(
                ["apply", "--no-journal", "-f", "sepia", "-d", "0", "--fallback", "fail", "-o", "out", "in"],
                in: folder, environment: environment("clBuildProgram:1+:\(fault)"))
            #expect(result.exitCode == 4 && result.errorText.contains(text), "\(result.errorText)")
        }
    }

    /// Drivers compile one program at a time in a process.
    @Test func manyProgramsAreCompiledBySeveralProcesses() throws {
        try #require(ProcessInfo.processInfo.activeProcessorCount > 1)
        // No process may compile more than half of them.
        var separate = try environment("clCreateProgramWithSource:\(Self.programCount / 2 + 1):error")
        separate["OPENCL_AS_GPU"] = "1"
        separate["XDG_CACHE_HOME"] = folder.path("cache")
        let result = try apply(["-d", "0", "--fallback", "fail", "-o", "out"], separate)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!folder.files().contains("mark"))
        try expectRightBytes(in: "out", "compiled apart")
        let programs = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache/tintype"))
            .filter { $0.hasSuffix(".program") }
        #expect(programs.count == Self.programCount)
    }

    /// Of `apply`'s chain, in the layouts of the self-tests: both load and blur, each has an end of its own.
    /// Two more decode and encode JPEGs.
    private static let programCount = 8

    // The last call is a photo's, behind the self-tests' launches.
    @Test(arguments: [1, 16])
    func aDeviceWhoseDriverCrashesLeavesTheOthers(call: Int) throws {
        try expectSecondDeviceGoesOn(
            environment("clEnqueueNDRangeKernel:\(call)+:first"),
            ending: "the driver's process has ended (Segmentation fault)", "two devices")
    }

    @Test func aDeviceThatIsGoneAfterACrashLeavesTheOthers() throws {
        // A photo's launch, as above.
        let fault = try environment("clEnqueueNDRangeKernel:16:first", once: true).merging(
            ["OPENCL_LOSES_DEVICE": "1", "OPENCL_IDENTITIES": "pci=1,pci=2"]) { $1 }
        try expectSecondDeviceGoesOn(
            fault, ending: "the next one does not find this device", "one device")
        #expect(folder.files().contains("mark"))
    }

    @Test func withoutAFallbackACrashingDriverFailsItsPhotosByName() throws {
        let result = try apply(
            ["-d", "0", "--fallback", "fail", "-o", "out"],
            environment("clEnqueueNDRangeKernel:16:crash"))
        #expect(result.exitCode == 1 || result.exitCode == 4, "\(result.errorText)")
        #expect(result.errorText.contains("the driver's process has ended"), "\(result.errorText)")
    }

    @Test(arguments: [false, true])
    func stripsInSharedMemoryGiveTheSameBytes(asGPU: Bool) throws {
        try folder.write(TestPhoto.jpeg(width: 801, height: 1203, seed: 5), to: "in/e.jpg")
        let photos = ["a.jpg", "d.png", "e.jpg"]
        var environment = asGPU ? try environment("none:1:none") : [:]
        if asGPU { environment["OPENCL_AS_GPU"] = "1" }
        // Rows that are skipped, a resize, a window, planes of floats, 16 bits, rotated photos.
        for chain in [
            "crop:height=301,y=0.7", "resize:long=333+median+sharpen", "tilt-shift+border:size=9",
            "bloom+grain",
        ] {
            let own = try Tool.run(
                ["apply", "--no-journal", "-f", chain, "-d", "cpu", "-o", "\(chain)/cpu"]
                    + photos.map { "in/\($0)" },
                in: folder)
            let shared = try Tool.run(
                ["apply", "--no-journal", "-f", chain, "-d", "0", "-j", "3", "-o", "\(chain)/shared"]
                    + photos.map { "in/\($0)" },
                in: folder, environment: environment)
            #expect(own.exitCode == 0 && shared.exitCode == 0, "\(shared.errorText)")
            for name in photos {
                let expected = try folder.read("\(chain)/cpu/\(name)")
                #expect(try folder.read("\(chain)/shared/\(name)") == expected, "\(chain), \(name)")
            }
        }
    }

    /// PoCL loads a kernel once more for a wider photo, and then mistakes the one for the other where several threads run it.
    @Test func photosThatGetWiderDoNotCrashADriver() throws {
        let widths = (1...28).map { 64 * $0 }
        for width in widths {
            try folder.write(
                TestPhoto.jpeg(width: width, height: 300, seed: 1), to: "wider/\(10_000 + width).jpg")
        }
        for run in 1...2 {
            let result = try Tool.run(
                [
                    "apply", "--no-journal", "-f", "median", "-d", "0", "-j", "8", "--fallback", "fail",
                    "--json", "-o", "out\(run)", "wider",
                ],
                in: folder, environment: ["POCL_MAX_PTHREAD_COUNT": "8"])
            let texts = result.errorText + result.outputText
            #expect(result.exitCode == 0 && !texts.contains("driver's process has ended"), "\(texts)")
            #expect(texts.components(separatedBy: "\"device\":\"0.0\"").count == widths.count + 1, "\(texts)")
        }
    }

    /// The decoder reads them all the same, into memory that both processes have.
    @Test func rowsThatACropSkipsDoNotStayInMemory() throws {
        let (width, height) = (4000, 24_000)
        try folder.write(HugePNG.bytes(width: width, height: height, colourType: 0), to: "tall.png")
        let result = try Tool.run(
            [
                "apply", "-f", "crop:height=64,y=1", "-d", "0", "--fallback", "fail", "--json", "-o", "out",
                "tall.png",
            ],
            in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        let summary = try #require(result.outputText.split(separator: "\n").last)
        let line = try #require(try JSONSerialization.jsonObject(with: Data(summary.utf8)) as? [String: Any])
        let peak = try #require(line["peakMemoryBytes"] as? Int)
        #expect(peak < width * height, "\(peak)")
    }

    /// The children of all threads of a process.
    private func children(of process: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").flatMap { task in
            try String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
                .split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Whether a process has not ended; nobody may have collected it yet.
    private func isRunning(_ process: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z ") } ?? false
    }

    /// A run whose device hangs in the photo, and its driver process. The one after that hangs too, in the third strip.
    private func hangingRun(_ arguments: [String] = []) throws -> (Tool.Running, driver: Int32) {
        try folder.write(TestPhoto.jpeg(width: 1000, height: 2700, seed: 1), to: "high.jpg")
        let running = try Tool.start(
            [
                "apply", "--no-journal", "-f", "sepia", "-d", "0", "--device-timeout", "600", "-o", "out",
                "high.jpg",
            ] + arguments, in: folder, environment: environment("clEnqueueNDRangeKernel:5:hang"))
        while running.process.isRunning, !folder.files().contains("mark") { usleep(10_000) }
        return (running, try #require(try children(of: running.process.processIdentifier).first))
    }

    @Test func aDriverProcessThatIsKilledIsReplaced() throws {
        let (running, driver) = try hangingRun(["--fallback", "cpu"])
        try FileManager.default.removeItem(atPath: folder.path("mark"))
        kill(driver, SIGKILL)
        // The next one hangs, too.
        while running.process.isRunning, !folder.files().contains("mark") { usleep(10_000) }
        kill(try #require(try children(of: running.process.processIdentifier).first), SIGKILL)
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.errorText.contains("the driver's process has ended (Killed)"), "\(result.errorText)")
    }

    @Test func aDriverProcessThatStopsIsGivenUp() throws {
        let running = try Tool.start(
            [
                "apply", "--no-journal", "-f", "sepia", "-d", "0", "--fallback", "cpu",
                "--device-timeout", "2", "-o", "out", "in/a.jpg",
            ], in: folder,
            environment: environment("clEnqueueNDRangeKernel:5:stop"))
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.errorText.contains("has not answered for 2"), "\(result.errorText)")
    }

    /// As by the freezer of a container: both processes stop, and go on together.
    @Test func timeInWhichTheRunIsPausedDoesNotCount() throws {
        // The driver's process stops itself at the photo's first launch, and calls the driver once it goes on.
        let running = try Tool.start(
            [
                "apply", "--no-journal", "-f", "sepia", "-d", "0", "--device-timeout", "10", "-o", "out",
                "in/a.jpg",
            ], in: folder, environment: environment("clEnqueueNDRangeKernel:5:stop"))
        while running.process.isRunning, !folder.files().contains("mark") { usleep(10_000) }
        let tool = running.process.processIdentifier
        let driver = try #require(try children(of: tool).first)
        kill(tool, SIGSTOP)
        sleep(11)
        kill(driver, SIGCONT)
        kill(tool, SIGCONT)
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(folder.files().contains("out/a.jpg"))
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func aRunThatEndsLeavesNoDriverProcess(signal: Int32) throws {
        let (running, driver) = try hangingRun()
        kill(running.process.processIdentifier, signal)
        running.process.waitUntilExit()
        // It ends by itself, when nobody holds the other end of its socket.
        #expect(eventually { !isRunning(driver) })
    }

    @Test func signalsOfTheWholeGroupAreForTheTool() throws {
        let (running, driver) = try hangingRun()
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(driver)/task")
        // One may end meanwhile.
        let statuses = threads.compactMap {
            try? String(contentsOfFile: "/proc/\(driver)/task/\($0)/status", encoding: .utf8)
        }
        #expect(statuses.count > 1)
        for status in statuses {
            let blocked = try #require(status.firstMatch(of: /SigBlk:\s*([0-9a-f]+)/)?.1)
            let mask = try #require(UInt64(blocked, radix: 16))
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] {
                #expect(mask >> UInt64(signal - 1) & 1 == 1, "\(signal)")
            }
        }
        kill(running.process.processIdentifier, SIGKILL)
        running.process.waitUntilExit()
    }

    @Test func theCommandIsNotForPeople() throws {
        let result = try Tool.run(["driver-process"], in: folder)
        #expect(result.exitCode == 2 && result.errorText.contains("starts this command by itself"))
        #expect(!(try Tool.run(["--help"], in: folder).outputText.contains("driver-process")))
    }
}
