import Foundation
import TestSupport
import Testing

/// The built `tintype`, as a process.
struct Tool {
    struct Result {
        let exitCode: Int32
        let output: [UInt8]
        let errorText: String

        var outputText: String { String(decoding: output, as: UTF8.self) }
        var outputLines: [String] { outputText.split(separator: "\n").map(String.init) }

        /// The largest resident memory of a run with `--json`, in bytes.
        func peakMemory() throws -> Int {
            let summary =
                try JSONSerialization.jsonObject(with: Data(#require(outputLines.last).utf8))
                as? [String: Any]
            return try #require(summary?["peakMemoryBytes"] as? Int)
        }
    }

    /// This process's environment, without the developer's own settings file.
    static let environment = ProcessInfo.processInfo.environment.merging(
        ["TINTYPE_CONFIG": "/dev/null"]) { $1 }

    /// The tool beside the test bundle, or another one that `$TINTYPE_TEST_TOOL` names.
    static let path = environment["TINTYPE_TEST_TOOL"] ?? BuiltProducts.path("tintype")

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - environment: beside this process's own.
    ///   - output: where its standard output goes; nil keeps it for the result.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, input: [UInt8] = [],
        environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> Result {
        let process = try start(
            arguments, in: folder, input: input, environment: environment, output: output)
        process.process.waitUntilExit()
        return try process.result()
    }

    /// A started run. Its streams are files, because a pipe could fill up.
    struct Running {
        let process: Process
        fileprivate let streams: TemporaryFolder

        /// Its standard output so far.
        func outputText() throws -> String { String(decoding: try streams.read("out"), as: UTF8.self) }

        /// Its standard error so far.
        func errorText() throws -> String { String(decoding: try streams.read("err"), as: UTF8.self) }

        /// The result; call it after the process has ended.
        func result() throws -> Result {
            Result(
                exitCode: process.terminationStatus, output: try streams.read("out"),
                errorText: String(decoding: try streams.read("err"), as: UTF8.self))
        }
    }

    /// Runs the tool as `run` does, and kills it if it hangs.
    ///
    /// - Returns: nil if it had to be killed.
    static func runUnlessItHangs(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> Result? {
        let running = try start(arguments, in: folder, environment: environment)
        guard eventually({ !running.process.isRunning }) else {
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
            return nil
        }
        running.process.waitUntilExit()
        return try running.result()
    }

    /// The parameters are those of `run`.
    static func start(
        _ arguments: [String], in folder: TemporaryFolder, input: [UInt8] = [],
        environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> Running {
        let streams = try TemporaryFolder()
        for (name, bytes) in [("in", input), ("out", []), ("err", [])] { try streams.write(bytes, to: name) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = Self.environment.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle(forReadingAtPath: streams.path("in"))
        process.standardOutput = output ?? FileHandle(forWritingAtPath: streams.path("out"))
        process.standardError = FileHandle(forWritingAtPath: streams.path("err"))
        try process.run()
        return Running(process: process, streams: streams)
    }

    /// Runs the tool on a terminal of its own, to its end.
    ///
    /// - Parameter streams: which of them are the terminal; the others go nowhere.
    /// - Returns: the exit code, and all that the terminal got.
    static func runOnTerminal(
        _ arguments: [String], in folder: TemporaryFolder, columns: Int, streams: Set<Int32> = [1, 2],
        environment: [String: String] = ["LANG": "C.UTF-8", "TERM": "xterm"]
    ) throws -> (exitCode: Int32, text: String) {
        var (leader, follower): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&leader, &follower, nil, nil, &size) == 0)
        let terminal = FileHandle(fileDescriptor: follower, closeOnDealloc: false)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Self.environment.merging(environment) { $1 }
        process.environment?["LC_ALL"] = nil
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = streams.contains(1) ? terminal : FileHandle.nullDevice
        process.standardError = streams.contains(2) ? terminal : FileHandle.nullDevice
        try process.run()
        close(follower)
        // Once the last follower is closed, the leader's reads fail.
        var bytes: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(leader, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        process.waitUntilExit()
        close(leader)
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}

extension TemporaryFolder {
    /// Writes JPEGs as `set/1.jpg` and so on.
    func writeSet(_ count: Int, width: Int, height: Int) throws {
        for seed in 1...count {
            try write(
                try TestPhoto.jpeg(width: width, height: height, seed: UInt64(seed)), to: "set/\(seed).jpg")
        }
    }
}
