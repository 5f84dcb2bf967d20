import Foundation
import TestSupport
import Testing

/// Damaged photos with `--lenient`.
struct LenientTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func apply(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["apply", "-f", "sepia", "-d", "cpu"] + arguments, in: folder)
    }

    private func makeDamagedPhotos() throws {
        let jpeg = try TestPhoto.jpeg(width: 64, height: 64, seed: 1)
        let png = try TestPhoto.png(width: 64, height: 64, seed: 2)
        try folder.write(jpeg, to: "in/sound.jpg")
        try folder.write(Array(jpeg[..<(jpeg.count / 2)]), to: "in/cut.jpg")
        try folder.write(Array(png[..<(png.count / 2)]), to: "in/cut.png")
        try folder.write(Array(jpeg[..<100]), to: "in/nothing.jpg")
    }

    @Test func damagedOutputsHaveTheirOwnName() throws {
        try makeDamagedPhotos()
        let result = try apply("--lenient", "--json", "-o", "out/{name}", "in")
        #expect(result.exitCode == 1)
        let outputs = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
        #expect(outputs == ["cut-damaged.jpg", "cut-damaged.png", "sound.jpg"])
        let lines = try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        for name in ["cut.jpg", "cut.png"] {
            let line = try #require(lines.first { $0["input"] as? String == "in/\(name)" })
            let path = "out/cut-damaged." + name.suffix(3)
            #expect(line["status"] as? String == "failed")
            #expect(line["salvaged"] as? String == path)
            #expect(result.errorText.contains("What could be decoded of it is in '\(path)'."))
            #expect(try TestPhoto.samples(of: folder.read(path)).count > 0)
        }
        let nothing = try #require(lines.first { $0["input"] as? String == "in/nothing.jpg" })
        #expect(nothing["status"] as? String == "failed" && nothing["salvaged"] == nil)
    }

    @Test func damagedPhotosLeaveNothingWithoutTheFlag() throws {
        try makeDamagedPhotos()
        #expect(try apply("-o", "out/{name}", "in").exitCode == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["sound.jpg"])
    }

    /// The journal lists the photo as failed, so the next run tries it again.
    @Test func aPhotoThatWasMendedIsDoneByTheNextRun() throws {
        let jpeg = try TestPhoto.jpeg(width: 64, height: 64, seed: 1)
        try folder.write(Array(jpeg[..<(jpeg.count / 2)]), to: "in/a.jpg")
        #expect(try apply("--lenient", "-o", "out", "in").exitCode == 1)
        let left = try folder.read("out/a-damaged.jpg")
        let again = try apply("--lenient", "--overwrite", "-o", "out", "in")
        #expect(again.exitCode == 1 && again.errorText.contains("exists already, and was left as it is"))
        try folder.write(jpeg, to: "in/a.jpg")
        #expect(try apply("--lenient", "-o", "out", "in").exitCode == 0)
        #expect(try folder.read("out/a.jpg") != left)
        #expect(try folder.read("out/a-damaged.jpg") == left)
    }

    @Test func aPipeHasNoName() throws {
        try folder.write(try TestPhoto.jpeg(width: 16, height: 16, seed: 1), to: "a.jpg")
        let result = try apply("--lenient", "-o", "-", "a.jpg")
        #expect(result.exitCode == 2 && result.errorText.contains("--lenient writes what is left"))
    }
}
