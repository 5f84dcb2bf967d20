import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// Where photos are decoded and encoded, as `--json` tells it.
struct DeviceCodecTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Lines of photos, by output.
    private func lines(_ arguments: [String]) throws -> [String: [String: Any]] {
        let result = try Tool.run(
            ["apply", "-d", "cpu", "--json", "--no-journal", "-o", "out"] + arguments, in: folder)
        let objects = result.outputLines.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let photos = objects.filter { $0["type"] as? String == "photo" }
        return Dictionary(uniqueKeysWithValues: photos.map { ($0["output"] as? String ?? "", $0) })
    }

    private let fields = ["decodedOn", "decodedOnReason", "encodedOn", "encodedOnReason"]

    private func values(_ line: [String: Any]?) -> [String?] { fields.map { line?[$0] as? String } }

    @Test func eachOutputTellsWhereItWasCoded() throws {
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "a.jpg")
        try folder.write(FirstBytes.jpeg, to: "b.jpg")
        try folder.write(
            Array(#"{"outputs": {"old": {"filters": "sepia"}, "copy": {"metadata": "strip"}}}"#.utf8),
            to: "own.json")
        let arguments = ["--recipe", "own.json", "a.jpg", "b.jpg"]
        let automatic = try lines(arguments)
        #expect(values(automatic["out/a-old.jpg"]) == ["cpu", nil, "cpu", nil])
        #expect(automatic["out/a-copy.jpg"]?["status"] as? String == "done")
        #expect(automatic["out/b-old.jpg"]?["status"] as? String == "failed")
        let always = try lines(arguments + ["--overwrite", "--device-codec", "always"])
        let reason = "The device has no codec of its own."
        #expect(values(always["out/a-old.jpg"]) == ["cpu", reason, "cpu", reason])
        for lines in [automatic, always] {
            for output in ["out/a-copy.jpg", "out/b-old.jpg"] {
                #expect(values(lines[output]) == [nil, nil, nil, nil], "\(output)")
            }
        }
        let skipped = try lines(arguments + ["--skip-existing"])
        #expect(values(skipped["out/a-old.jpg"]) == [nil, nil, nil, nil])
    }

    @Test func theDeviceIsNamedAsForItsFlag() throws {
        let photo = InputPhoto(
            .file(path: "a.jpg"), folder: "", name: "a.jpg", format: .jpeg, byteCount: 1,
            identity: .file(FileIdentity(device: 0, inode: 1)))
        let job = PhotoJob(photo: photo, output: .file(path: "out/a.jpg"))
        var report = FilterReport()
        report.device = "0.1"
        report.coding = CodingReport(decodingObstacle: nil, encodingObstacle: .turned)
        let result = PhotoResult(job, status: .done, report)
        for codec in DeviceCodec.allCases {
            let line = PhotoLine(result, name: nil, codec)
            #expect(line.decodedOn == "0.1" && line.encodedOn == "cpu" && line.decodedOnReason == nil)
            #expect(
                line.encodedOnReason
                    == (codec == .always ? "The output is turned upright after the filters." : nil))
        }
    }

    /// RGB for a PNG, and a damaged photo's verdict, by the device's own decoder.
    @Test func aPNGOfAJPEGIsDecodedOnTheDevice() throws {
        let photo = try TestPhoto.jpeg(width: 203, height: 131, seed: 1)
        try folder.write(photo, to: "in/a.jpg")
        try folder.write(Array(photo.dropLast(1000)), to: "in/b.jpg")
        func photos(_ device: String) throws -> [[String: Any]] {
            let result = try Tool.run(
                [
                    "apply", "-d", device, "--device-codec", "always", "--format", "png", "-f", "sepia",
                    "--json", "--no-journal", "-o", "out-\(device)", "in",
                ], in: folder)
            return result.outputLines.compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }.filter { $0["type"] as? String == "photo" }.sorted {
                $0["input"] as? String ?? "" < $1["input"] as? String ?? ""
            }
        }
        let own = try photos("0.0"), cpu = try photos("cpu")
        try #require(own.count == 2 && cpu.count == 2)
        #expect(values(own[0]) == ["0.0", nil, "cpu", "No device encodes a PNG."])
        #expect(try folder.read("out-0.0/a.png") == folder.read("out-cpu/a.png"))
        #expect(own[1]["status"] as? String == "failed")
        #expect(own[1]["error"] as? String == cpu[1]["error"] as? String && cpu[1]["error"] != nil)
    }

    /// Large photos follow smaller ones, whose lanes have kept their memory. Without that being freed, buffers do not fit.
    @Test func lanesShareTheMemoryOfADevice() throws {
        for number in 0..<8 {
            let medium = try TestPhoto.jpeg(width: 960, height: 720, seed: UInt64(number))
            try folder.write(medium, to: "in/a\(number).jpg")
            let large = try TestPhoto.jpeg(width: 1600, height: 1200, seed: UInt64(number))
            try folder.write(large, to: "in/b\(number).jpg")
        }
        let arguments = ["--json", "--no-journal", "--no-driver-process", "-f", "sepia", "in"]
        #expect(try Tool.run(["apply", "-d", "cpu", "-o", "cpu"] + arguments, in: folder).exitCode == 0)
        let result = try Tool.run(
            [
                "apply", "-d", "gpu", "--device-codec", "always", "-j", "8", "--device-timeout", "600",
                "-o", "own",
            ] + arguments,
            in: folder,
            environment: [
                "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_AS_GPU": "1", "POCL_DEVICES": "pthread",
                // A quarter is enough for a large photo, three quarters for eight smaller ones.
                "OPENCL_MEMORY": "\(140 << 20)", "OPENCL_FAULT_MARK": folder.path("refused"),
            ])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("refused")))
        let photos = result.outputLines.filter { $0.contains(#""type":"photo""#) }
        #expect(photos.count == 16)
        for field in [#""decodedOn":"0.0""#, #""encodedOn":"0.0""#] {
            #expect(photos.allSatisfy { $0.contains(field) })
        }
        for number in 0..<8 {
            for photo in ["a\(number).jpg", "b\(number).jpg"] {
                #expect(try folder.read("own/\(photo)") == folder.read("cpu/\(photo)"), "\(photo)")
            }
        }
    }
}
