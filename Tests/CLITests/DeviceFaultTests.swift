import Foundation
import TestSupport
import Testing
import TintypeLocking

/// The built tool with a faulty OpenCL driver: it never writes a wrong photo, and never hangs.
struct DeviceFaultTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try Self.photo.get(), to: "a.jpg")
    }

    /// A few strips for an OpenCL CPU, which takes half a megapixel at once.
    private static let photo = Result { try TestPhoto.jpeg(width: 1000, height: 1300, seed: 1) }

    static let layer = BuiltProducts.path("libOpenCLFaults.so")

    /// - Parameter fault: see `opencl_faults.h`.
    private func environment(_ fault: String) throws -> [String: String] {
        try #require(FileManager.default.fileExists(atPath: Self.layer))
        return ["OPENCL_LAYERS": Self.layer, "OPENCL_FAULT": fault]
    }

    private func apply(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(
            ["apply", "--no-journal", "--overwrite"] + arguments + ["a.jpg"], in: folder,
            environment: environment)
    }

    /// What the CPU makes of the photo, by the chain.
    private static let made = Locked<[String: [UInt8]]>([:])

    /// Filters on the CPU, to compare with.
    private func expected(_ chain: String) throws -> [UInt8] {
        try Self.made.withLock { made in
            if let bytes = made[chain] { return bytes }
            #expect(try apply(["-f", chain, "-d", "cpu", "-o", "cpu"]).exitCode == 0)
            let bytes = try folder.read("cpu/a.jpg")
            made[chain] = bytes
            return bytes
        }
    }

    // Both self-tests come first, with two launches of each kernel at least; the photo's own launches are among these.
    @Test(arguments: ["sepia", "tilt-shift:radius=5"], ["fail", "error"])
    func aKernelThatDoesNotRunIsNeverTakenForDone(chain: String, fault: String) throws {
        let expected = try expected(chain)
        var fallbacks = 0
        for call in [1, 4, 5, 6, 34, 41, 44] {
            let faulty = try environment("clEnqueueNDRangeKernel:\(call):\(fault)")
            let result = try apply(
                ["-f", chain, "-d", "0", "--fallback", "cpu", "--json", "-o", "out"], faulty)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(try folder.read("out/a.jpg") == expected, "call \(call)")
            if result.outputText.contains("clEnqueueNDRangeKernel") { fallbacks += 1 }
        }
        #expect(fallbacks > 0, "no launch of the photo's was among them")
    }

    @Test func withoutAFallbackAFailedKernelFailsThePhoto() throws {
        // This launch is the photo's second strip, because each self-test takes two.
        let result = try apply(
            ["-f", "sepia", "-d", "0", "-o", "out"], environment("clEnqueueNDRangeKernel:6:fail"))
        #expect(result.exitCode != 0 && result.errorText.contains("clEnqueueNDRangeKernel"))
        #expect(!folder.files().contains { $0.hasPrefix("out/") })
    }

    @Test func memoryThatMovesIsRefused() throws {
        let expected = try expected("sepia")
        for call in [1, 2, 3] {
            let result = try apply(
                ["-f", "sepia", "-d", "0", "--fallback", "cpu", "-o", "out"],
                environment("clEnqueueMapBuffer:\(call)+:move"))
            #expect(result.exitCode == 0 && result.errorText.contains("maps memory"), "\(result.errorText)")
            #expect(try folder.read("out/a.jpg") == expected, "call \(call)")
        }
    }

    @Test(arguments: ["clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo"])
    func aDriverThatHangsWhileDevicesAreSoughtIsPassedOver(function: String) throws {
        let faulty = try environment("\(function):1:hang")
        let automatic = try apply(["-f", "sepia", "--device-timeout", "1", "-o", "out"], faulty)
        #expect(automatic.exitCode == 0, "\(automatic.errorText)")
        #expect(automatic.errorText.contains("OpenCL has not answered for 1"))
        #expect(try folder.read("out/a.jpg") == expected("sepia"))
        let named = try apply(["-f", "sepia", "-d", "0", "--device-timeout", "1", "-o", "named"], faulty)
        #expect(named.exitCode == 4 && named.errorText.contains("OpenCL has not answered"))
        let devices = try Tool.run(["devices", "--device-timeout", "1"], in: folder, environment: faulty)
        #expect(devices.outputText.contains("SIMD") && devices.errorText.contains("OpenCL has not answered"))
    }

    @Test(arguments: ["clGetPlatformIDs", "clGetDeviceIDs"])
    func devicesNamesAListThatFails(function: String) throws {
        let result = try Tool.run(
            ["devices"], in: folder, environment: environment("\(function):1:error=-5"))
        #expect(result.errorText.contains("OpenCL's \(function) failed with error -5"), "\(result.errorText)")
        #expect(result.exitCode == 0 && result.outputText.contains("SIMD"))
    }

    /// Otherwise an index would be that of another device, such as the CPU.
    @Test(arguments: [("clGetPlatformIDs", []), ("clGetDeviceIDs", ["--no-driver-process"])])
    func devicesThatCannotBeListedHaveNoIndex(function: String, flags: [String]) throws {
        let faulty = try environment("\(function):1+:error=-5")
        for device in ["0", "gpu"] {
            let result = try apply(["-f", "sepia", "-d", device, "-o", "out"] + flags, faulty)
            #expect(result.exitCode == 4, "\(result.errorText)")
            #expect(
                result.errorText.contains(
                    "No device can be found for '\(device)': OpenCL's platforms and devices could not be listed, because "
                        + "\(function) failed with error -5."), "\(result.errorText)")
        }
        #expect(!folder.files().contains("out/a.jpg"))
        let fallback = try apply(
            ["-f", "sepia", "-d", "0", "--fallback", "cpu", "-o", "out"] + flags, faulty)
        #expect(fallback.exitCode == 0 && fallback.errorText.contains("The CPU is used instead"))
        #expect(try folder.read("out/a.jpg") == expected("sepia"))
    }

    @Test func withoutOpenCLTheCPUFiltersAndDevicesSaysWhatIsMissing() throws {
        // This file is found before the real library, and is no library.
        _ = try folder.write(Array("not a library".utf8), to: "libraries/libOpenCL.so.1")
        let without = ["LD_LIBRARY_PATH": folder.path("libraries")]
        let automatic = try apply(["-f", "sepia", "-o", "out"], without)
        // Most machines have none, and nobody has asked for one.
        #expect(automatic.exitCode == 0 && !automatic.errorText.contains("OpenCL"), "\(automatic.errorText)")
        #expect(try folder.read("out/a.jpg") == expected("sepia"))
        let devices = try Tool.run(["devices"], in: folder, environment: without)
        #expect(devices.exitCode == 0 && devices.outputText.contains("SIMD"))
        #expect(devices.errorText.hasPrefix("OpenCL cannot be loaded ("), "\(devices.errorText)")
        #expect(devices.errorText.contains("libOpenCL.so.1"))
    }

    @Test(arguments: [
        "clGetEventInfo", "clReleaseEvent", "clReleaseKernel", "clReleaseMemObject",
        "clFlush", "clEnqueueMapBuffer", "clEnqueueNDRangeKernel",
    ])
    func aDriverThatHangsInAnyCallHoldsNobody(function: String) throws {
        let expected = try expected("tilt-shift")
        for call in [1, 12] {
            let result = try apply(
                [
                    "-f", "tilt-shift", "-d", "0", "--fallback", "cpu", "--device-timeout", "0.5",

                    "-o", "out",
                ], environment("\(function):\(call):hang"))
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(try folder.read("out/a.jpg") == expected, "call \(call)")
        }
    }

    @Test(arguments: ["hang", "stall"])
    func aSignalEndsARunWhoseDeviceHangs(fault: String) throws {
        let running = try Tool.start(
            ["apply", "-f", "sepia", "-d", "0", "--device-timeout", "600", "-o", "out", "a.jpg"], in: folder,
            environment: environment("clEnqueueNDRangeKernel:5:\(fault)"))
        // The first four launches are the self-tests', so the device is at the photo by then.
        while running.process.isRunning, !folder.hasJournal("out") { usleep(10_000) }
        usleep(1_500_000)
        kill(running.process.processIdentifier, SIGINT)
        running.process.waitUntilExit()
        #expect(try running.result().exitCode == 130)
        #expect(!folder.files().contains { $0.hasPrefix("out/") })
    }

    @Test func aKernelThatAllowsFewWorkItemsGetsFew() throws {
        let result = try apply(
            ["-f", "tilt-shift", "-d", "0", "-o", "out"], environment("clGetKernelWorkGroupInfo:1+:small"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try folder.read("out/a.jpg") == expected("tilt-shift"))
    }

    @Test(arguments: ["zero", "most"])
    func aLimitOfWorkItemsThatIsNoneCountsAsOne(fault: String) throws {
        let result = try apply(
            ["-f", "sepia", "-d", "0", "-o", "out"], environment("clGetDeviceInfo:1+:\(fault)"))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try folder.read("out/a.jpg") == expected("sepia"))
    }

    @Test func aPhotoIsCutForADeviceOfLittleMemoryOrGoesToTheCPU() throws {
        let faulty = try environment("clGetDeviceInfo:1+:small")
        let pieces = try apply(["-f", "sepia", "-d", "0", "-o", "pieces"], faulty)
        #expect(pieces.exitCode == 0, "\(pieces.errorText)")
        #expect(try folder.read("pieces/a.jpg") == expected("sepia"))
        // The rows around a strip that a blur needs do not fit.
        let blur = try apply(["-f", "tilt-shift", "-d", "0", "--fallback", "cpu", "-o", "blur"], faulty)
        #expect(blur.exitCode == 0 && blur.errorText.contains("MiB"), "\(blur.errorText)")
        #expect(try folder.read("blur/a.jpg") == expected("tilt-shift"))
    }

    @Test func aProgramForAnotherLayoutProvesItselfBeforeItsFirstPhoto() throws {
        // The fifth launch is of the self-test of a layout that no test at the start covers, or of the photo.
        try folder.write(TestPhoto.png(width: 64, height: 48, seed: 2), to: "b.png")
        try folder.write(try Self.greyPNG(folder), to: "grey.png")
        let result = try Tool.run(
            [
                "apply", "--no-journal", "-f", "sepia", "-d", "0", "--fallback", "cpu", "-o", "out",
                "grey.png",
            ],
            in: folder, environment: environment("clEnqueueNDRangeKernel:5+:wrong"))
        #expect(result.exitCode == 0 && result.errorText.contains("other pixels"), "\(result.errorText)")
        _ = try Tool.run(
            ["apply", "--no-journal", "-f", "sepia", "-d", "cpu", "-o", "cpu", "grey.png"], in: folder)
        #expect(try folder.read("out/grey.png") == folder.read("cpu/grey.png"))
    }

    private static let photos = Result {
        try (0..<4).map { try TestPhoto.jpeg(width: 1000, height: 1300, seed: $0) }
    }

    /// What the CPU makes of these.
    private static let madeOfPhotos = Result {
        let folder = try TemporaryFolder()
        for (index, photo) in try photos.get().enumerated() { try folder.write(photo, to: "in/\(index).jpg") }
        let result = try Tool.run(["apply", "-f", "sepia", "-d", "cpu", "-o", "cpu", "in"], in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        return try photos.get().indices.map { try folder.read("cpu/\($0).jpg") }
    }

    private func isOfTheCPU(_ index: Int) throws -> Bool {
        let made = try Self.madeOfPhotos.get()
        return try folder.read("out/\(index).jpg") == made[index % made.count]
    }

    /// Runs photos on a device that stops filtering after both self-tests and 20 strips.
    private func applyToMany(
        _ options: [String], count: Int = 12, deviceCheck: String = "100"
    ) throws -> Tool.Result {
        let photos = try Self.photos.get()
        for index in 0..<count { try folder.write(photos[index % photos.count], to: "in/\(index).jpg") }
        return try Tool.run(
            ["apply", "-f", "sepia", "-d", "0", "-j", "1", "-o", "out", "--device-check", deviceCheck]
                + options + ["in"],
            in: folder, environment: environment("clEnqueueNDRangeKernel:24+:wrong"))
    }

    @Test func aDeviceThatBecomesWrongIsReplacedByTheCPU() throws {
        let result = try applyToMany(["--fallback", "cpu"])
        #expect(
            result.exitCode == 0 && result.errorText.contains("computes other pixels than the CPU in row"))
        // All of them were checked.
        #expect(!result.errorText.contains("may be wrong"), "\(result.errorText)")
        for index in 0..<12 { #expect(try isOfTheCPU(index), "\(index)") }
    }

    private func expectOutputsOfTheCPU(_ count: Int, _ result: Tool.Result) throws {
        for index in 0..<count { #expect(try isOfTheCPU(index), "\(index): \(result.errorText)") }
    }

    @Test(arguments: [[], ["--no-journal"]])
    func outputsOfUncheckedPhotosAreMadeAgain(options: [String]) throws {
        let result = try applyToMany(
            ["--fallback", "cpu", "--quiet", "--json"] + options, count: 30, deviceCheck: "10")
        #expect(result.exitCode == 0, "\(result.errorText)")
        let summary = try #require(result.outputLines.last)
        #expect(summary.contains(#""suspectOutputs":[]"#), "\(summary)")
        let remade = result.outputLines.count { $0.contains(#""remade":true"#) }
        #expect(
            summary.contains(#""remade":\#(remade),"#) && result.outputLines.count == 31 + remade,
            "\(summary)")
        #expect(remade == 0 || result.errorText.contains("they may be wrong: out/"), "\(result.errorText)")
        try expectOutputsOfTheCPU(30, result)
    }

    @Test func withoutAFallbackTheNextRunMakesThemAgain() throws {
        let first = try applyToMany(["--fallback", "fail", "--json"], count: 30, deviceCheck: "10")
        #expect(first.exitCode == 4, "\(first.errorText)")
        let summary = try #require(first.outputLines.last)
        let isNamed = first.errorText.contains("were not made again. Run again: out/")
        #expect(summary.contains(#""suspectOutputs":[]"#) != isNamed, "\(first.errorText)")
        let second = try Tool.run(["apply", "-f", "sepia", "-d", "cpu", "-o", "out", "in"], in: folder)
        #expect(second.exitCode == 0, "\(second.errorText)")
        try expectOutputsOfTheCPU(30, first)
    }

    @Test func aDeviceThatBecomesWrongFailsItsPhotosByName() throws {
        let result = try applyToMany(["--fallback", "fail"])
        var made = 0
        for index in 0..<12 {
            if folder.files().contains("out/\(index).jpg") {
                made += 1
                #expect(try isOfTheCPU(index), "\(index)")
            } else {
                #expect(result.errorText.contains("in/\(index).jpg: "), "\(index)")
            }
        }
        #expect(result.exitCode != 0 && (1..<12).contains(made))
    }

    /// A grey photo: what `noir` leaves of a coloured one.
    private static func greyPNG(_ folder: TemporaryFolder) throws -> [UInt8] {
        _ = try Tool.run(
            ["apply", "--no-journal", "-f", "noir", "-d", "cpu", "-o", "noir", "b.png"], in: folder)
        return try folder.read("noir/b.png")
    }
}

extension TemporaryFolder {
    fileprivate func hasJournal(_ output: String) -> Bool {
        FileManager.default.fileExists(atPath: path("\(output)/.tintype/journal.jsonl"))
    }
}
