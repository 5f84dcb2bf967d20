import Foundation
import TestSupport

/// The built `tintype`, as a process.
struct Tool {
    struct Result {
        let exitCode: Int32
        let output: [UInt8]
        let errorText: String

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var outputLines: [String] { outputText.split(separator: "\n").map(String.init) }
    }

    /// Stands beside the test bundle, which is the running program.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("tintype").path

    /// Runs the tool to its end.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = try start(arguments, in: folder, input: input, environment: environment)
        process.process.waitUntilExit()
        return try process.result()
    }

    /// A run under way. Its streams are files, so that no pipe fills up.
    struct Running {
        let process: Process
        fileprivate let streams: TemporaryFolder

        /// What it has said so far.
        func errorText() throws -> String { String(decoding: try streams.read("err"), as: UTF8.self) }

        /// What came out; call it after the process has ended.
        func result() throws -> Result {
            Result(
                exitCode: process.terminationStatus, output: try streams.read("out"),
                errorText: String(decoding: try streams.read("err"), as: UTF8.self))
        }
    }

    /// - Parameter environment: beside this process's own.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, input: [UInt8] = [],
        environment: [String: String] = [:]
    ) throws -> Running {
        let streams = try TemporaryFolder()
        for (name, bytes) in [("in", input), ("out", []), ("err", [])] { try streams.write(bytes, to: name) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle(forReadingAtPath: streams.path("in"))
        process.standardOutput = FileHandle(forWritingAtPath: streams.path("out"))
        process.standardError = FileHandle(forWritingAtPath: streams.path("err"))
        try process.run()
        return Running(process: process, streams: streams)
    }
}
