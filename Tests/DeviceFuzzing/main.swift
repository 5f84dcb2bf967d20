// Damages JPEGs, and compares what an OpenCL device makes of each with what the CPU makes of it: the same samples or
// files, or the device leaves the photo to the CPU.
//
// usage: DeviceFuzzer SECONDS [--seed SEED] [--photos COUNT] [--round NUMBER]
//        DeviceFuzzer FILE...        tries files again, such as findings, in all ways
//
// Photos come in rounds, each of one JPEG. Equal seeds make equal rounds; --round runs one of them alone. Findings are
// kept in .build/fuzz/device/findings. After a crash, .build/fuzz/device/last.jpg is the photo. Exit code 1: there was a
// finding.
import Foundation
import TintypeCompute
import TintypeOpenCLRendering

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("DeviceFuzzer: \(message)\n".utf8))
    exit(code)
}

func run() throws -> Bool {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let first = arguments.first else {
        fail(
            "usage: DeviceFuzzer SECONDS [--seed SEED] [--photos COUNT] [--round NUMBER], or FILE...",
            code: 2)
    }
    let devices = try [Subsequences.usual, .short].map { subsequences in
        let runtime = OpenCLRuntime(testing: .baseline, subsequences: subsequences)
        guard let device = try runtime.devices(timeLimit: nil).first else {
            fail("there is no OpenCL device: install pocl-opencl-icd", code: 2)
        }
        return device
    }
    let fuzzer = try Fuzzer(
        usual: devices[0], short: devices[1],
        folder: URL(fileURLWithPath: ".build/fuzz/device", isDirectory: true), say: say)
    guard let seconds = Int(first) else { return try fuzzer.tryAgain(files: arguments) }
    var limits = Fuzzer.Limits(duration: .seconds(seconds))
    for (index, name) in arguments.enumerated().dropFirst() where index % 2 == 1 {
        guard index + 1 < arguments.count, let value = Int(arguments[index + 1]), value >= 0 else {
            fail("\(name) needs a number", code: 2)
        }
        switch name {
        case "--seed": limits.seed = UInt64(value)
        case "--photos": limits.photoCount = value
        case "--round": limits.onlyRound = value
        default: fail("there is no option \(name)", code: 2)
        }
    }
    return try fuzzer.run(limits)
}

do {
    exit(try run() ? 0 : 1)
} catch {
    fail("\(error)", code: 1)
}
