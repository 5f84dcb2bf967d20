import CTintypeOpenCL
import Foundation
import TestSupport
import Testing

/// Every OpenCL function that Tintype calls fails in turn: each photo gets the right bytes all the same, or the run says
/// which device could not be used.
///
/// `TINTYPE_DRIVER_FAULTS=all` injects more error codes, at more calls, hangs and crashes (`make test-drivers`); `error`,
/// `hang` or `crash` only these.
struct DriverSweepTests {
    private static let asked = ProcessInfo.processInfo.environment["TINTYPE_DRIVER_FAULTS"]
    private static let isLong = asked != nil
    /// Numbers of the calls that fail. The short form ends with the first one that is made: for every second function, the
    /// fifth if there is one.
    private static func calls(of function: String) -> [Int] {
        if isLong { return [1, 2, 5, 20] }
        return (functions.firstIndex(of: function) ?? 0).isMultiple(of: 2) ? [1, 5] : [5, 1]
    }
    /// Errors that blame the device, its memory, the host's memory, the caller or the queue, and NVIDIA's code for an
    /// access out of bounds.
    private static let codes =
        isLong
        ? [
            CL_DEVICE_NOT_AVAILABLE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
            CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE, -9999,
        ] : [CL_OUT_OF_RESOURCES]
    private static let chain = "tilt-shift:radius=5+sepia"

    /// The functions, from the header that declares them.
    private static let functions: [String] = {
        let header = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/COpenCL/functions.h").standardized
        let text = (try? String(contentsOf: header, encoding: .utf8)) ?? ""
        return ["clGetPlatformIDs"]
            + text.matches(of: /FUNCTION\(\s*[a-z_ *]+,\s*(cl\w+),/).map { String($0.1) }
    }()

    /// Called by `devices --tune` and `bench` only, by tests, or where a kernel does not compile.
    private static let notCalled = [
        "clReleaseCommandQueue", "clFinish", "clCreateUserEvent",
        "clSetUserEventStatus", "clGetProgramBuildInfo", "clReleaseProgram", "clGetEventProfilingInfo",
    ]
    /// Called only where a program is not in Tintype's cache yet, which takes seconds.
    private static let calledToCompile = ["clGetProgramInfo"]
    /// The programs of devices that are shown as GPUs; they are compiled once.
    private static let programs: String? = {
        let path = BuiltProducts.path("driver-sweep-programs")
        let test = try? DriverSweepTests()
        let result = try? test?.apply(["-d", "0", "-o", "out"], fault: "none:1:none", programs: path)
        return result?.exitCode == 0 ? path : nil
    }()

    /// The CPU's outputs, by their names.
    private static let expected: [String: [UInt8]] = {
        guard let test = try? DriverSweepTests(),
            (try? test.apply(["-d", "cpu", "-o", "out"]))?.exitCode == 0
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: ["out/a.jpg", "out/b.png"].map { ($0, (try? test.folder.read($0)) ?? []) })
    }()

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // A few strips for an OpenCL CPU, which takes half a megapixel at once; and one of another layout.
        try folder.write(TestPhoto.jpeg(width: 1000, height: 1300, seed: 1), to: "a.jpg")
        try folder.write(TestPhoto.png(width: 64, height: 48, seed: 2), to: "b.png")
    }

    private func apply(
        _ arguments: [String], fault: String? = nil, programs: String? = nil
    ) throws -> Tool.Result {
        try? FileManager.default.removeItem(atPath: folder.path("mark"))
        var environment: [String: String] = [:]
        if let fault {
            environment = [
                "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_FAULT": fault,
                "OPENCL_FAULT_MARK": folder.path("mark"),
            ]
            if let programs {
                environment["OPENCL_AS_GPU"] = "1"
                environment["XDG_CACHE_HOME"] = programs
            }
        }
        return try Tool.run(
            ["apply", "--no-journal", "--overwrite", "-f", Self.chain, "-j", "1"] + arguments
                + ["a.jpg", "b.png"],
            in: folder, environment: environment)
    }

    @Test func theHeaderNamesAllFunctions() {
        #expect(Self.functions.count > 30 && Self.functions.contains("clEnqueueMapBuffer"))
    }

    @Test(arguments: functions)
    func aFunctionThatFailsCostsNoPhoto(function: String) throws {
        let kinds = Self.codes.map { "error=\($0)" } + (Self.isLong ? ["hang", "crash"] : [])
        let asked = kinds.filter { [nil, "all", String($0.prefix { $0 != "=" })].contains(Self.asked) }
        let faults = Self.calls(of: function).flatMap { call in asked.map { "\(function):\(call):\($0)" } }
        var count = 0
        for fault in faults {
            for fallback in Self.isLong ? ["cpu", "fail"] : ["cpu"] {
                for asGPU in [false, true] {
                    // In the short form, the first calls as a GPU.
                    guard Self.isLong || asGPU == fault.contains(":1:") else { continue }
                    if try check(fault, function, fallback, asGPU) { count += 1 }
                    if !Self.isLong, count > 0 { return }
                }
            }
        }
        #expect(count > 0 || Self.notCalled.contains(function), "\(function) was never called")
    }

    /// Whether a call with this fault was made.
    private func check(
        _ fault: String, _ function: String, _ fallback: String, _ asGPU: Bool
    ) throws -> Bool {
        try? FileManager.default.removeItem(atPath: folder.path("out"))
        let programs = Self.calledToCompile.contains(function) ? folder.path("programs") : Self.programs
        if asGPU { try #require(programs != nil) }
        let result = try apply(
            ["-d", "0", "--fallback", fallback, "--device-timeout", "2", "-o", "out"], fault: fault,
            programs: asGPU ? programs : nil)
        let place =
            "\(fault), --fallback \(fallback)\(asGPU ? ", as a GPU" : ""): exit code \(result.exitCode), \(result.errorText)"
        // A device that is not even found is an error, because its number was given.
        let isSearch = ["clGetPlatform", "clGetDevice"].contains { function.hasPrefix($0) }
        let expected: Set<Int32> = fallback == "fail" ? [0, 1, 4] : isSearch ? [0, 4] : [0]
        #expect(expected.contains(result.exitCode), "\(place)")
        if result.exitCode != 0 {
            #expect(["OpenCL", "device", function].contains { result.errorText.contains($0) }, "\(place)")
        }
        let outputs = folder.files().filter { $0.hasPrefix("out/") }
        #expect(result.exitCode != 0 || outputs.count == 2, "\(place)")
        try #require(Self.expected.count == 2)
        for output in outputs { #expect(try folder.read(output) == Self.expected[output], "\(place)") }
        return folder.files().contains("mark")
    }
}
