import Foundation
import TestSupport
import Testing

/// Short soaks: on the CPU, and on an OpenCL device that fails. `make soak` runs a long one.
struct SoakTests {
    @Test(arguments: ["cpu", "0"]) func manyPhotosLeaveNothingBehind(device: String) throws {
        let count = ProcessInfo.processInfo.environment["TINTYPE_SOAK"] ?? "600"
        let streams = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProducts.path("soak"))
        process.arguments = [count, "1", device]
        try streams.write([], to: "out")
        process.standardOutput = FileHandle(forWritingAtPath: streams.path("out"))
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try streams.read("out"), as: UTF8.self)
        print(text)
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit, "\(text)")
    }
}
