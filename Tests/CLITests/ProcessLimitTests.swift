import Foundation
import TestSupport
import Testing

/// The tool under the limits of `ulimit` and `prlimit`: it works, or it says what to raise, and never hangs.
struct ProcessLimitTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeSet(4, width: 200, height: 100)
    }

    /// Runs the tool behind a command, and kills it where it does not end.
    private func run(
        behind command: [String], tool: String = Tool.path, _ arguments: [String]
    ) throws -> (exitCode: Int32, errorText: String) {
        let process = Process(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["timeout", "-s", "KILL", "120"] + command + [tool, "apply", "-f", "sepia"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Tool.environment
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// With any memory limit, all photos are done, or the run reports that it cannot start.
    @Test(arguments: [160, 200, 260, 300, 350, 400, 500, 800], ["cpu", "auto"])
    func aLimitOfMemoryNeverHangsTheRun(mebibytes: Int, device: String) throws {
        let result = try run(
            behind: ["prlimit", "--as=\(mebibytes << 20)"], ["-d", device, "-j", "4", "-o", "out", "set"])
        if result.exitCode == 0 {
            #expect(folder.files().filter { $0.hasPrefix("out/") }.count == 4)
        } else {
            #expect(result.exitCode == 6, "\(result.errorText)")
            #expect(result.errorText.contains("ulimit -v"))
        }
    }

    @Test func theAdvisedAmountOfMemoryIsEnough() throws {
        let refused = try run(
            behind: ["prlimit", "--as=\(200 << 20)"], ["-d", "cpu", "-j", "4", "-o", "out", "set"])
        #expect(refused.exitCode == 6)
        let advice = try #require(refused.errorText.firstMatch(of: /ulimit -v ([0-9]+)/)?.1)
        let kibibytes = try #require(Int(advice))
        let raised = try run(
            behind: ["prlimit", "--as=\(kibibytes << 10)"], ["-d", "cpu", "-j", "4", "-o", "out", "set"])
        #expect(raised.exitCode == 0, "\(raised.errorText)")
    }

    @Test func fewOpenFilesLeaveFewerWorkers() throws {
        let result = try run(
            behind: ["prlimit", "--nofile=40:40"], ["-d", "cpu", "-j", "16", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.errorText.contains("instead of 16 photos"))
    }

    @Test func theLimitOfOpenFilesIsRaisedAsFarAsItMayBe() throws {
        let result = try run(
            behind: ["prlimit", "--nofile=20:4096"], ["-d", "cpu", "-j", "4", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("instead of"))
    }

    @Test func tooFewOpenFilesAreSaidBeforeTheRun() throws {
        let result = try run(behind: ["prlimit", "--nofile=20:20"], ["-d", "cpu", "-o", "out", "set"])
        #expect(result.exitCode == 6 && result.errorText.contains("ulimit -n"), "\(result.errorText)")
    }

    @Test func aLimitOfTheSizesOfFilesIsNamed() throws {
        let flags = ["-d", "cpu", "-o", "out", "set"]
        let refused = try run(behind: ["prlimit", "--fsize=9000"], flags)
        #expect(refused.exitCode == 6, "\(refused.errorText)")
        #expect(refused.errorText.contains("'out/1.jpg' cannot be written: File too large."))
        #expect(refused.errorText.contains("ulimit -f"), "\(refused.errorText)")
        #expect(!folder.files().contains { $0.hasPrefix("out/") })
        #expect(try run(behind: [], flags).exitCode == 0)
    }

    @Test func stripsBeyondTheLimitOfTheSizesOfFilesDoNotEndTheDriversProcess() throws {
        // A strip has more bytes than the limit; the output has fewer.
        try folder.write(HugePNG.bytes(width: 1000, height: 1000, colourType: 2), to: "in/a.png")
        let result = try run(
            behind: ["prlimit", "--fsize=\(1 << 20)"],
            ["--no-journal", "-d", "0", "--fallback", "cpu", "-o", "out", "in"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("has ended"), "\(result.errorText)")
        #expect(folder.files().contains("out/a.png"))
    }

    /// Root's processes are not counted, so root becomes another user, who has no process yet.
    @Test(.enabled(if: geteuid() == 0), arguments: [1, 3, 8, 16, 40])
    func fewProcessesNeverHangTheRun(count: Int) throws {
        // The kernel accepts any user number; this one has no processes.
        let user = 40_000 + Int(getpid()) % 20_000 + count
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        // The checkout may lie in a folder that only its owner can enter.
        let tool = folder.path("tintype")
        try FileManager.default.copyItem(atPath: Tool.path, toPath: tool)
        let result = try run(
            behind: ["setpriv", "--reuid", "\(user)", "--clear-groups", "prlimit", "--nproc=\(count)"],
            tool: tool, ["-d", "cpu", "-j", "4", "-o", "out", "set"])
        if result.exitCode == 0 {
            #expect(folder.files().filter { $0.hasPrefix("out/") }.count == 4)
        } else {
            #expect(result.exitCode == 6 && result.errorText.contains("ulimit -u"), "\(result.errorText)")
        }
        #expect(count < 40 || result.exitCode == 0)
    }
}
