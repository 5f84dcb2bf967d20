import Foundation
import TestSupport
import Testing
import Tintype

/// `--device auto` of the built tool, with PoCL's devices as GPUs and made-up measurements.
struct AutomaticDeviceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeSet(3, width: 320, height: 240)
    }

    /// Programs come from one folder for all runs, so that they compile once.
    private func environment(fault: String = "none:1:none") -> [String: String] {
        [
            "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_AS_GPU": "1", "OPENCL_FAULT": fault,
            "XDG_CACHE_HOME": folder.path("cache"),
        ]
    }

    /// Keeps speeds as `devices --tune` does.
    ///
    /// - Parameter gpu: seconds of a photo on PoCL's devices, as the layer shows them.
    private func keepSpeeds(gpu: Double, startup: Double = 0.001, driver: String? = nil) throws {
        func speeds(device: Double, host: Double, startup: Double) -> DeviceSpeeds {
            DeviceSpeeds(
                date: "2026-11-24", startupSeconds: startup,
                renders: PassKind.allCases.map {
                    .init(kind: $0, megapixels: 1, deviceSeconds: device, hostSeconds: host)
                }, codecs: [.init(megapixels: 1, hostSeconds: 0.01)])
        }
        let store = try #require(SpeedStore(folder: URL(fileURLWithPath: folder.path("cache/tintype"))))
        let devices = DeviceSelection.all().devices
        for device in devices {
            let info = device.info
            guard info.kind != .simd else {
                #expect(store.keep(speeds(device: 0, host: 0.1, startup: 0), of: info))
                continue
            }
            let shown = DeviceInfo(
                identifier: info.identifier, kind: .gpu, name: info.name,
                driver: driver ?? "-\(info.driver.dropFirst())", memoryByteCount: 0)
            #expect(store.keep(speeds(device: gpu, host: gpu / 10, startup: startup), of: shown))
        }
        try #require(devices.count > 1, "no OpenCL device")
    }

    private func run(
        _ arguments: [String] = [], with environment: [String: String]
    ) throws -> (reason: String?, devices: [String], errorText: String) {
        let result = try Tool.run(
            ["apply", "-f", "tilt-shift", "--no-journal", "--overwrite", "--json", "-o", "out"] + arguments
                + ["set"],
            in: folder, environment: environment)
        #expect(result.exitCode == 0, "\(result.errorText)")
        let summary =
            try JSONSerialization.jsonObject(with: Data(#require(result.outputLines.last).utf8))
            as? [String: Any]
        let devices = try #require(summary?["devices"] as? [String: Int])
        return (summary?["deviceReason"] as? String, devices.keys.sorted(), result.errorText)
    }

    @Test func aSlowerGPUIsLeftOutWithTheReason() throws {
        try keepSpeeds(gpu: 5)
        let (reason, devices, errorText) = try run(["-v"], with: environment())
        #expect(devices == ["cpu"])
        let text = try #require(reason)
        #expect(
            text.hasPrefix("CPU: about ") && text.contains("on the 2 GPUs for tilt-shift at 0.1 MP"),
            "\(text)")
        #expect(text.hasSuffix("(measured 2026-11-24)"), "\(text)")
        #expect(errorText.contains(text), "\(errorText)")
        #expect(errorText.contains("auto expected "), "\(errorText)")
        #expect(try !run(with: environment()).errorText.contains("CPU: about"))
    }

    @Test func aFasterGPUIsChosenAndGivesTheSameBytes() throws {
        try keepSpeeds(gpu: 0.0001)
        let (reason, _, _) = try run(with: environment())
        #expect(reason?.hasPrefix("2 GPUs: about ") == true, "\(reason ?? "")")
        let bytes = try (1...3).map { try folder.read("out/\($0).jpg") }
        #expect(try run(["-d", "cpu"], with: environment()).reason == nil)
        #expect(try (1...3).map { try folder.read("out/\($0).jpg") } == bytes)
    }

    @Test func withoutMeasurementsOrWithOldOnesItIsTheGPUs() throws {
        let unmeasured = try run(["-v"], with: environment())
        #expect(
            unmeasured.reason?.hasPrefix("GPUs: ") == true
                && unmeasured.errorText.contains("was not measured"))
        try keepSpeeds(gpu: 5, driver: "-ortable Computing Language 0.1")
        let old = try run(["-v"], with: environment())
        #expect(old.reason?.hasPrefix("GPUs: ") == true && old.errorText.contains("another driver"))
    }

    @Test func aMachineWithoutAGPUHearsOfItOnlyIfItAsks() throws {
        let without = ["OPENCL_LAYERS": DeviceFaultTests.layer, "XDG_CACHE_HOME": folder.path("cache")]
        let usual = try run(with: without)
        #expect(
            usual.reason == "CPU: No GPU was found" && !usual.errorText.contains("GPU"), "\(usual.errorText)")
        #expect(try !run(["-d", "auto"], with: without).errorText.contains("GPU"))
        let verbose = try run(["-v"], with: without).errorText
        #expect(verbose.components(separatedBy: "No GPU was found").count == 2, "\(verbose)")
        // It had one.
        try keepSpeeds(gpu: 5)
        for flags in [[], ["-v"]] {
            let lost = try run(flags, with: without)
            #expect(
                lost.errorText.components(separatedBy: "No GPU was found, though ").count == 2,
                "\(lost.errorText)")
            #expect(lost.reason?.hasPrefix("CPU: No GPU was found, though ") == true)
        }
    }

    // MARK: A run that begins on the CPU

    private func waitUntil(_ condition: () throws -> Bool) throws {
        #expect(try eventually(condition))
    }

    /// Starts a run that goes on until a signal, and waits until its standard error contains a text.
    private func watch(_ flags: [String], until text: String, fault: String) throws -> Tool.Running {
        let running = try Tool.start(
            ["apply", "-f", "sepia", "--watch", "--json", "-v", "-o", "out"] + flags + ["set"], in: folder,
            environment: environment(fault: fault))
        try waitUntil { try running.errorText().contains(text) || !running.process.isRunning }
        return running
    }

    private func end(_ running: Tool.Running) throws -> Tool.Result {
        kill(running.process.processIdentifier, SIGINT)
        running.process.waitUntilExit()
        return try running.result()
    }

    @Test func photosGoToTheGPUsOnceTheyHaveStarted() throws {
        let running = try watch([], until: "From now on", fault: "none:1:none")
        try waitUntil { try running.errorText().contains("Watching") }
        try folder.write(try TestPhoto.jpeg(width: 320, height: 240, seed: 9), to: "set/4.jpg")
        try waitUntil { try running.errorText().contains("4 photos so far") }
        let result = try end(running)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.errorText.contains("From now on, photos go to 0.0"), "\(result.errorText)")
        let last = try #require(result.outputLines.first { $0.contains("set/4.jpg") })
        #expect(last.contains(#""device":"0."#), "\(last)")
        #expect(!result.outputText.contains("fallback\":\""))
    }

    @Test func aGPUThatFailsItsTestBesideTheRunIsNamed() throws {
        // A GPU that computes nothing.
        let running = try watch(
            [], until: "The CPU is used instead", fault: "clEnqueueNDRangeKernel:1+:wrong")
        try waitUntil { try running.errorText().contains("Watching") }
        let result = try end(running)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.errorText.contains("computes other pixels"), "\(result.errorText)")
        #expect(result.errorText.contains("0.0 is not used") && result.errorText.contains("0.1 is not used"))
        let last = try #require(result.outputLines.last)
        #expect(last.contains(#""deviceReason":"CPU: no GPU has passed its test""#), "\(last)")
    }

    @Test func aGPUThatHangsInItsTestHoldsNobody() throws {
        let result = try Tool.run(
            ["apply", "-f", "sepia", "--json", "-o", "out", "set"], in: folder,
            environment: environment(fault: "clBuildProgram:1:hang"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.outputText.contains("the run ended before it had started"), "\(result.outputText)")
    }

    @Test func withoutAFallbackTheTestComesFirst() throws {
        let faulty = environment(fault: "clEnqueueNDRangeKernel:1+:wrong")
        for flags in [["-d", "gpu"], ["--fallback", "fail"]] {
            let result = try Tool.run(
                ["apply", "-f", "sepia", "-o", "out"] + flags + ["set"], in: folder, environment: faulty)
            #expect(result.exitCode == 4 && result.errorText.contains("computes other pixels"), "\(flags)")
            #expect(!folder.files().contains { $0.hasPrefix("out/") })
        }
    }
}
