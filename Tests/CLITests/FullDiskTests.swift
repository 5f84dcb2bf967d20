import Foundation
import TestSupport
import Testing

/// Small file systems that fill up, run out of inodes, or become read-only in mid-run. As root: these tests fail where
/// root may not mount, and do not run for other users.
@Suite(.enabled(if: geteuid() == 0, "Mounting takes root; CI runs as root."))
struct FullDiskTests {
    private static let count = 40

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // Noise, so that an output takes some 30 KB.
        for index in 0..<Self.count {
            let jpeg = try TestPhoto.jpeg(width: 200, height: 150, seed: UInt64(index))
            try folder.write(jpeg, to: "in/\(index).jpg")
        }
    }

    private func apply(
        _ flags: [String] = [], output: String = "disk/out", input: [UInt8] = [],
        photo: String = "in", environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "2", "-o", output] + flags + [photo], in: folder,
            input: input, environment: environment)
    }

    /// The names of all files below a folder. A search does not enter another file system, so it begins there.
    private func names(_ parent: String) -> [String] {
        let all =
            FileManager.default.enumerator(atPath: folder.path(parent))?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: folder.path("\(parent)/\(name)"), isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// The outputs below a folder, by name.
    private func outputs(_ output: String) throws -> [String: [UInt8]] {
        let outputs = names(output).filter { !$0.hasPrefix(".tintype/") }
        return try Dictionary(
            uniqueKeysWithValues: outputs.map { ($0, try folder.read("\(output)/\($0)")) })
    }

    /// What a run on a full disk must have left: whole outputs under their names, and nothing else.
    private func expectWhole(_ result: Tool.Result, among whole: [String: [UInt8]]) throws {
        let made = try outputs("disk/out")
        #expect(!made.isEmpty && made.count < whole.count, "\(made.count)")
        for (name, bytes) in made { #expect(bytes == whole[name], "\(name)") }
        let records = names("disk/out").filter { $0.hasSuffix(".new") }
        #expect(records.isEmpty, "\(records)")
        // Each photo that failed is named, and the first reason is the disk's.
        let reasons = result.errorText.split(separator: "\n").filter { $0.hasPrefix("in/") }
        #expect(!reasons.isEmpty && reasons.allSatisfy { $0.contains(": The ") }, "\(result.errorText)")
    }

    @Test(arguments: [
        ("size=400k", []), ("size=401k", ["--optimize"]), ("size=402k", ["--no-journal"]),
        ("size=10m,nr_inodes=20", []), ("size=10m,nr_inodes=21", ["--no-journal"]),
    ])
    func aFullDiskEndsTheRunAndTheNextOneFinishes(limit: String, flags: [String]) throws {
        #expect(try apply(flags, output: "whole").exitCode == 0)
        let whole = try outputs("whole")
        let disk = try SmallDisk(at: folder.path("disk"), limit)
        let full = try apply(flags)
        #expect(full.exitCode == 6, "\(full.errorText)")
        #expect(full.errorText.contains("cannot be written: No space left on device. Free some disk space"))
        try expectWhole(full, among: whole)
        // It stays full.
        let again = try apply(flags + (flags.contains("--no-journal") ? ["--skip-existing"] : []))
        #expect(again.exitCode == 6, "\(again.errorText)")

        try disk.remount("size=20m,nr_inodes=200")
        let rest = try apply(flags + (flags.contains("--no-journal") ? ["--skip-existing"] : []))
        #expect(rest.exitCode == 0, "\(rest.errorText)")
        #expect(try outputs("disk/out") == whole)
        withExtendedLifetime(disk) {}
    }

    @Test func aFullDiskIsToldAfterADamagedPhotoToo() throws {
        try folder.write(FirstBytes.jpeg, to: "in/00.jpg")
        let disk = try SmallDisk(at: folder.path("disk"), "size=403k")
        let full = try apply()
        #expect(full.exitCode == 6, "\(full.errorText)")
        #expect(full.errorText.contains("in/00.jpg: ") && full.errorText.contains(" not done."))
        withExtendedLifetime(disk) {}
    }

    /// Pages of 4 KiB: some for the recipe and the first receipts, and none at all.
    @Test(arguments: [3, 2, 1])
    func aFullDiskOfTheJournalEndsTheRunAndTheNextOneFinishes(pages: Int) throws {
        #expect(try apply(output: "whole").exitCode == 0)
        // The folder itself takes no page.
        let disk = try SmallDisk(at: folder.path("disk/out/.tintype"), "size=\(4 * pages)k")
        let full = try apply()
        #expect(full.exitCode == 6, "\(full.errorText)")
        #expect(full.errorText.contains("No space left on device. Free some disk space, then run again"))
        #expect(full.errorText.contains(".tintype"), "\(full.errorText)")
        let text = try folder.read("disk/out/.tintype/journal.jsonl")
        #expect(text.isEmpty || text.last == UInt8(ascii: "\n"), "only whole lines")
        #expect(!names("disk/out").contains { $0.contains(".tintype-") })

        try disk.remount("size=1m")
        let rest = try apply()
        #expect(rest.exitCode == 0, "\(rest.errorText)")
        #expect(try outputs("disk/out") == outputs("whole"))
        withExtendedLifetime(disk) {}
    }

    @Test func aFullTemporaryFolderIsNamed() throws {
        // Smaller files stay in memory.
        let surplus = [UInt8](repeating: 0, count: 16 << 20)
        let large = try TestPhoto.jpeg(width: 500, height: 400, seed: 1) + surplus
        try folder.write(large, to: "large.jpg")
        let server = try FaultServer { _, connection in connection.respond(body: large) }
        let address = server.url("/large.jpg").absoluteString
        let disk = try SmallDisk(at: folder.path("disk"), "size=8k")
        for (output, photo, flags) in [
            ("-", "large.jpg", []), ("out", "-", []), ("a.jpg", address, ["--no-journal"]),
        ] {
            let result = try apply(
                flags, output: output, input: photo == "-" ? large : [], photo: photo,
                environment: ["TMPDIR": disk.path])
            #expect(result.exitCode == 6, "\(photo): \(result.errorText)")
            #expect(result.errorText.contains("No space left on device"), "\(result.errorText)")
            #expect(result.errorText.contains("'\(disk.path)"), "\(result.errorText)")
            #expect(result.output.isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
        #expect(folder.files().filter { !$0.hasPrefix("in/") } == ["large.jpg"])
        server.stop()
    }

    /// Without a journal, because the kernel makes nothing read-only while a file in it is open for writing.
    @Test func aDiskThatBecomesReadOnlyEndsTheRun() throws {
        #expect(try apply(["--no-journal"], output: "whole").exitCode == 0)
        // More photos, for a run that is long enough.
        for index in Self.count..<600 {
            try FileManager.default.linkItem(
                atPath: folder.path("in/\(index % Self.count).jpg"), toPath: folder.path("in/\(index).jpg"))
        }
        let disk = try SmallDisk(at: folder.path("disk"), "size=100m")
        let running = try Tool.start(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "1", "--no-journal", "-o", "disk/out", "in"],
            in: folder)
        while running.process.isRunning, try outputs("disk/out").count < 3 { usleep(1000) }
        // The run stands while the disk is tried, and goes on for a moment where a file was open: it cannot end first.
        let pid = running.process.processIdentifier
        while running.process.isRunning {
            kill(pid, SIGSTOP)
            let done = disk.makeReadOnly()
            kill(pid, SIGCONT)
            if done { break }
            usleep(300)
        }
        running.process.waitUntilExit()
        let result = try running.result()
        #expect(result.exitCode == 6, "\(result.errorText)")
        #expect(result.errorText.contains("Read-only file system. Check the disk, then run again"))
        try disk.makeWritable()
        let made = try outputs("disk/out")
        #expect(made.count < 600 && !made.keys.contains { $0.contains(".tintype-") })
        let rest = try apply(["--no-journal", "--skip-existing"])
        #expect(rest.exitCode == 0, "\(rest.errorText)")
        let whole = try outputs("whole")
        let all = try outputs("disk/out")
        #expect(all.count == 600)
        for (name, bytes) in all {
            let number = try #require(Int(name.dropLast(4)))
            #expect(bytes == whole["\(number % Self.count).jpg"], "\(name)")
        }
        withExtendedLifetime(disk) {}
    }
}
