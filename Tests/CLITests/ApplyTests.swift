import Foundation
import TestSupport
import Testing
import Tintype

/// Whole runs of the built tool, with real codecs and the SIMD device, which every machine has.
struct ApplyTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func apply(_ arguments: [String], input: [UInt8] = []) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, input: input)
    }

    @Test func aFolderIsFilteredAndTheOriginalsStayAsTheyAre() throws {
        let jpeg = try TestPhoto.jpeg(width: 70, height: 50, seed: 1)
        let png = try TestPhoto.png(width: 33, height: 21, seed: 2)
        try folder.write(jpeg, to: "set/a.jpg")
        try folder.write(png, to: "set/sub/b.png")
        let result = try apply(["-f", "sepia:keep=none", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(result.output.isEmpty)
        #expect(result.errorText.contains("2 photos"))
        #expect(folder.files() == ["out/a.jpg", "out/sub/b.png", "set/a.jpg", "set/sub/b.png"])
        #expect(try folder.read("set/a.jpg") == jpeg && folder.read("set/sub/b.png") == png)
        #expect(
            try TestPhoto.samples(of: folder.read("out/sub/b.png")) == sepia(width: 33, height: 21, seed: 2))
    }

    /// W3C `sepia(0.8)` in double precision; the noise has no value at which float32 rounds to the other
    /// side.
    private func sepia(width: Int, height: Int, seed: UInt64) -> [UInt8] {
        let matrix = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
        let samples = TestPhoto.samples(width: width, height: height, seed: seed).map(Double.init)
        return stride(from: 0, to: samples.count, by: 3).flatMap { pixel in
            (0..<3).map { row in
                let toned = (0..<3).reduce(0) { $0 + 0.8 * matrix[row][$1] * samples[pixel + $1] }
                return UInt8(min(255, (toned + 0.2 * samples[pixel + row] + 0.5).rounded(.down)))
            }
        }
    }

    @Test func aDeviceThatTakesTooLongIsGivenUpAndTheRunEnds() throws {
        try folder.write(try TestPhoto.png(width: 33, height: 21, seed: 2), to: "a.png")
        // No driver answers within a nanosecond: every OpenCL device hangs, as far as the tool can tell.
        let arguments = ["apply", "-f", "sepia:keep=none", "-d", "0.0", "--device-timeout", "1e-9", "a.png"]
        let refused = try Tool.run(arguments + ["-o", "refused"], in: folder)
        #expect(refused.exitCode == 4, "\(refused.errorText)")
        #expect(refused.errorText.contains("has not answered") && folder.files() == ["a.png"])
        let redone = try Tool.run(arguments + ["-o", "out", "--no-journal", "--fallback", "cpu"], in: folder)
        #expect(redone.exitCode == 0 && redone.errorText.contains("has not answered"))
        #expect(
            try TestPhoto.samples(of: folder.read("out/a.png")) == sepia(width: 33, height: 21, seed: 2))
    }

    @Test func oneBadPhotoStopsNoOther() throws {
        let jpeg = try TestPhoto.jpeg(width: 64, height: 64, seed: 3)
        try folder.write(jpeg, to: "set/good.jpg")
        try folder.write(Array(jpeg.prefix(jpeg.count / 2)), to: "set/cut.jpg")
        try folder.write(FirstBytes.text, to: "set/notes.jpg")
        let result = try apply(["-f", "noir", "-o", "out", "--json", "set"])
        #expect(result.exitCode == 1)
        #expect(folder.files().filter { $0.hasPrefix("out/") } == ["out/good.jpg"])
        #expect(result.errorText.contains("set/cut.jpg: ") && result.errorText.contains("set/notes.jpg: "))
        let lines = try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let statuses = Dictionary(
            lines.dropLast().map { ($0["input"] as? String ?? "", $0["status"] as? String ?? "") },
            uniquingKeysWith: { $0 + $1 })
        #expect(statuses == ["set/good.jpg": "done", "set/cut.jpg": "failed", "set/notes.jpg": "failed"])
        let done = try #require(lines.first { $0["status"] as? String == "done" })
        #expect(done["output"] as? String == "out/good.jpg" && done["device"] as? String == "cpu")
        #expect(done["pixels"] as? Int == 4096)
        #expect(done["bytes"] as? Int == (try folder.read("out/good.jpg").count))
        #expect(lines.last?["done"] as? Int == 1 && lines.last?["failed"] as? Int == 2)
    }

    @Test func aPipeGivesTheSameBytesAsAFile() throws {
        let jpeg = try TestPhoto.jpeg(width: 40, height: 30, seed: 4)
        try folder.write(jpeg, to: "a.jpg")
        #expect(try apply(["-f", "sepia", "-o", "out", "a.jpg"]).exitCode == 0)
        let piped = try apply(["-f", "sepia", "-o", "-", "-"], input: jpeg)
        #expect(piped.exitCode == 0)
        #expect(try piped.output == folder.read("out/a.jpg"))
        let cut = try apply(["-f", "sepia", "-o", "-", "-"], input: Array(jpeg.prefix(jpeg.count / 2)))
        #expect(cut.exitCode == 1 && cut.output.isEmpty)
    }

    @Test func conversionsNeedNoFilter() throws {
        try folder.write(try TestPhoto.png(width: 31, height: 17, seed: 5), to: "a.png")
        #expect(try apply(["--scale", "0.5", "-o", "half", "a.png"]).exitCode == 0)
        // Half of an odd number of columns or rows is rounded up.
        #expect(try TestPhoto.samples(of: folder.read("half/a.png")).count == 16 * 9 * 3)
        #expect(try apply(["-o", "a.jpg", "a.png"]).exitCode == 0)
        #expect(try folder.read("a.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try apply(["--format", "jpeg", "a.png"]).exitCode == 2)  // a.jpg is there by now
    }

    @Test func outputsAreReplacedOnlyWhenAsked() throws {
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 6), to: "a.png")
        #expect(try apply(["-f", "sepia", "a.png"]).exitCode == 0)
        let sepia = try folder.read("a-sepia.png")
        #expect(try apply(["-f", "noir", "-o", "a-sepia.png", "a.png"]).exitCode == 2)
        #expect(try folder.read("a-sepia.png") == sepia)
        #expect(try apply(["-f", "noir", "-o", "a-sepia.png", "--overwrite", "a.png"]).exitCode == 0)
        #expect(try folder.read("a-sepia.png") != sepia)
    }

    @Test func limitsAreNamedWithTheirFlag() throws {
        try folder.write(try TestPhoto.png(width: 20, height: 20, seed: 7), to: "a.png")
        let result = try apply(["-f", "sepia", "--max-pixels", "399", "a.png"])
        #expect(result.exitCode == 1 && result.errorText.contains("--max-pixels"))
        #expect(try apply(["-f", "sepia", "--max-pixels", "400", "a.png"]).exitCode == 0)
    }

    @Test func aDeviceThatIsMissingIsAnErrorOrAVisibleFallback() throws {
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 8), to: "a.png")
        let missing = try Tool.run(["apply", "-f", "sepia", "-d", "no-such-device", "a.png"], in: folder)
        #expect(missing.exitCode == 4 && missing.errorText.contains("no-such-device"))
        #expect(folder.files() == ["a.png"])
        let allowed = try Tool.run(
            ["apply", "-f", "sepia", "-d", "no-such-device", "--fallback", "cpu", "--json", "a.png"],
            in: folder)
        #expect(allowed.exitCode == 0 && allowed.errorText.contains("The CPU is used instead"))
        #expect(allowed.outputText.contains(#""deviceReason":"CPU: 'no-such-device' cannot be used""#))
        #expect(folder.files() == ["a-sepia.png", "a.png"])
    }

    @Test func messagesGoIntoNoFileWhereTheStreamsAreClosed() throws {
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "a.jpg")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", Tool.path]
            + ["apply", "-d", "cpu", "-f", "sepia", "-v", "-o", "out", "a.jpg"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = Tool.environment
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && folder.files() == ["a.jpg", "out/a.jpg"])
        #expect(try folder.read("out/.tintype/lock").isEmpty)
    }

    @Test func theNumberOfJobsDoesNotChangeTheBytes() throws {
        for index in 0..<12 {
            try folder.write(
                try TestPhoto.jpeg(width: 50 + index, height: 90 - index, seed: UInt64(index)),
                to: "set/\(index).jpg")
        }
        let chain = ["-f", "sepia", "-f", "tilt-shift"]
        #expect(try apply(chain + ["-j", "1", "-o", "one", "set"]).exitCode == 0)
        #expect(try apply(chain + ["-j", "7", "-o", "seven", "set"]).exitCode == 0)
        for index in 0..<12 {
            #expect(try folder.read("one/\(index).jpg") == folder.read("seven/\(index).jpg"))
        }
    }

    @Test func devicesAreListedWithTheirSelfTest() throws {
        let result = try Tool.run(["devices", "--json"], in: folder)
        #expect(result.exitCode == 0)
        let devices = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
        let cpu = try #require(devices.first { $0["device"] as? String == "cpu" })
        #expect(cpu["passesSelfTest"] as? Bool == true && cpu["index"] as? Int == devices.count - 1)
        #expect(devices.count == DeviceSelection.all().devices.count)
    }
}
