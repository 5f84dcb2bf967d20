import Foundation
import TestSupport
import Testing

/// Disks and file systems that fail, as `Tests/IOFaults` makes them.
struct StorageFaultTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let library = BuiltProducts.path("libIOFaults.so")

    /// System calls that fail: `count` of them, from the `first` on.
    struct Fault: CustomTestStringConvertible {
        let call: String
        let path: String
        let error: Int32
        var first = 1
        var count = 1
        var isAfter = false

        var testDescription: String { "\(call) of \(path), error \(error), from \(first)" }

        var environment: [String: String] {
            [
                "LD_PRELOAD": StorageFaultTests.library,
                "IO_FAULT_CALL": call, "IO_FAULT_PATH": path, "IO_FAULT_ERRNO": "\(error)",
                "IO_FAULT_FIRST": "\(first)", "IO_FAULT_COUNT": "\(count)",
                "IO_FAULT_AFTER": isAfter ? "1" : "0",
            ]
        }
    }

    private func apply(_ fault: Fault? = nil, sync: String = "each") throws -> Tool.Result {
        try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-j", "1", "--json", "--sync", sync, "-o", "out", "in"],
            in: folder, environment: fault?.environment ?? [:])
    }

    private func writeTwoPhotos() throws {
        for name in ["a", "b"] {
            try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "in/\(name).jpg")
        }
    }

    /// Of two photos.
    private func outputs(_ fault: Fault, sync: String) throws -> (count: Int, Tool.Result) {
        try writeTwoPhotos()
        let result = try apply(fault, sync: sync)
        return (folder.files().count { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") }, result)
    }

    @Test(arguments: [
        ("each", "fsync"), ("each", "fdatasync"), ("batch", "syncfs"),
    ])
    func noOutputHasItsNameBeforeItIsOnTheDisk(sync: String, call: String) throws {
        let (count, result) = try outputs(
            Fault(call: call, path: "out/", error: EIO, count: 1000), sync: sync)
        #expect(count == 0 && result.exitCode == 6, "\(result.errorText)")
        #expect(try summary(try apply(sync: sync))["done"] as? Int == 2)
    }

    @Test(arguments: [
        ("each", "syncfs"), ("batch", "fsync"), ("batch", "fdatasync"), ("none", "fsync"),
        ("none", "fdatasync"), ("none", "syncfs"),
    ])
    func theOtherWaysAreNotTaken(sync: String, call: String) throws {
        // Of the recipe, which is there before the first photo, and may be synchronised.
        let path = call == "fsync" ? "out/.tintype-" : "out/"
        let (count, result) = try outputs(Fault(call: call, path: path, error: EIO, count: 1000), sync: sync)
        #expect(count == 2 && result.exitCode == 0, "\(result.errorText)")
    }

    @Test func aDiskThatFailsAfterTheLastOutputIsTold() throws {
        try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "in/a.jpg")
        let fault = Fault(call: "syncfs", path: "out/", error: EIO, first: 2)
        let result = try apply(fault, sync: "batch")
        #expect(result.exitCode == 0)
        #expect(result.errorText.contains("may lose their names if power fails"))
    }

    private func summary(_ result: Tool.Result) throws -> [String: Any] {
        let line = try #require(result.outputLines.last)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test(arguments: [EIO, EEXIST])
    func aLinkThatWasMadeButReportedAsFailedIsNoFailure(error: Int32) throws {
        try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "in/a.jpg")
        let result = try apply(Fault(call: "link", path: "out/a.jpg", error: error, isAfter: true))
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try summary(try apply())["upToDate"] as? Int == 1)
    }

    /// After any failing call, the next run finishes the folder.
    @Test(
        arguments: [
            Fault(call: "write", path: "journal.jsonl", error: EIO),
            Fault(call: "write", path: "journal.jsonl", error: ENOSPC),
            Fault(call: "write", path: "journal.jsonl", error: EDQUOT),
            Fault(call: "write", path: "journal.jsonl", error: EROFS),
            Fault(call: "fdatasync", path: "journal.jsonl", error: EIO),
            Fault(call: "fsync", path: ".tintype-", error: EIO),
            Fault(call: "syncfs", path: "out/", error: EIO),
            Fault(call: "read", path: "in/", error: EIO),
            Fault(call: "mkdir", path: "out", error: EIO),
            Fault(call: "rename", path: ".tintype/recipe", error: EIO),
            Fault(call: "lock", path: ".tintype/lock", error: ENOLCK),
            Fault(call: "link", path: "out/", error: EIO),
            Fault(call: "link", path: "out/", error: EIO, isAfter: true),
        ], [1, 2, 4])
    func theNextRunFinishesWhatAFaultHasLeft(fault: Fault, first: Int) throws {
        var fault = fault
        fault.first = first
        try writeTwoPhotos()
        let broken = try apply(fault, sync: fault.call == "syncfs" ? "batch" : "each")
        let whole = folder.files().filter { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") }
        let next = try apply()
        #expect(next.exitCode == 0, "\(next.errorText)")
        let facts = try summary(next)
        // Complete outputs stay, even if the run reported them as failed.
        #expect(facts["upToDate"] as? Int == whole.count, "\(broken.errorText)")
        #expect(facts["done"] as? Int == 2 - whole.count)
        #expect(broken.exitCode != 0 || whole.count == 2)
    }

    @Test(arguments: [EROFS, EIO])
    func anUnwritableDiskEndsTheRunAfterAFewPhotos(error: Int32) throws {
        let photo = try TestPhoto.jpeg(width: 32, height: 32, seed: 1)
        for index in 0..<200 { try folder.write(photo, to: "in/\(index).jpg") }
        let result = try apply(Fault(call: "open", path: "out/.tintype-", error: error, count: 1000))
        #expect(result.exitCode == 6)
        let facts = try summary(result)
        // Three failures in a row stop the run. On a busy machine, a few dozen more fail before it stops.
        #expect((3...100).contains(facts["failed"] as? Int ?? 0))
        #expect(facts["done"] as? Int == 0 && (facts["notDone"] as? Int ?? 0) >= 100)
        let reason = String(cString: strerror(error))
        #expect(result.errorText.contains("cannot be written: \(reason). Check the disk"))
    }

    /// Kernels without quotas in tmpfs cannot show it otherwise.
    @Test func aQuotaThatIsReachedEndsTheRun() throws {
        let photo = try TestPhoto.jpeg(width: 32, height: 32, seed: 1)
        for index in 0..<20 { try folder.write(photo, to: "in/\(index).jpg") }
        let result = try apply(
            Fault(call: "write", path: "out/.tintype-", error: EDQUOT, first: 3, count: 1000))
        #expect(result.exitCode == 6)
        #expect(result.errorText.contains("cannot be written: Disk quota exceeded. Free some disk space"))
        #expect(!folder.files().contains { $0.contains(".tintype-") })
        #expect(try apply().exitCode == 0)
    }

    @Test func aFewBadBlocksDoNotEndTheRun() throws {
        let photo = try TestPhoto.jpeg(width: 32, height: 32, seed: 1)
        for index in 0..<6 { try folder.write(photo, to: "in/\(index).jpg") }
        let result = try apply(Fault(call: "open", path: "out/.tintype-", error: EIO, first: 2, count: 2))
        let facts = try summary(result)
        #expect(result.exitCode == 6 && facts["failed"] as? Int == 2 && facts["done"] as? Int == 4)
    }
}
