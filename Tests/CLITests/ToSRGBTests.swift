import Foundation
import TestSupport
import Testing
import Tintype
import TintypeMetadata

/// `--to-srgb`, with the built tool.
struct ToSRGBTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let encoding = ColourEncoding(curve: .sRGB, primaries: .displayP3)
        let profile = try #require(encoding.profile(hasColour: true, description: "Display P3"))
        let payload = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile.bytes
        let length = payload.count + 2
        var photo = try TestPhoto.jpeg(width: 40, height: 30, seed: 1)
        photo.insert(
            contentsOf: [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + payload, at: 2)
        try folder.write(photo, to: "set/p3.jpg")
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 2), to: "set/plain.jpg")
    }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    private func profile(_ name: String) throws -> String? {
        let reader = try PhotoReader(bytes: folder.read(name), limits: DecodeLimits())
        return reader.metadata.icc?.profileDescription
    }

    @Test func aloneItConvertsOnlyPhotosWithAProfile() throws {
        let result = try apply(["--to-srgb", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try profile("out/p3.jpg") == "sRGB" && profile("out/plain.jpg") == nil)
        #expect(try folder.read("out/p3.jpg") != folder.read("set/p3.jpg"))
        #expect(try folder.read("out/plain.jpg") == folder.read("set/plain.jpg"))
        // Beside the photos, outputs are named after it.
        #expect(try apply(["--to-srgb", "set"]).exitCode == 0)
        #expect(folder.files().contains("set/p3-srgb.jpg"))
    }

    @Test func aFolderKnowsItAsAnotherRecipe() throws {
        let run = ["-f", "sepia", "-o", "out", "set"]
        #expect(try apply(run).exitCode == 0)
        #expect(try profile("out/p3.jpg") == "Display P3")
        for flags in [["--to-srgb"], ["--to-srgb", "--dry-run"]] {
            let other = try apply(run + flags)
            #expect(other.exitCode == 2 && other.errorText.contains("--to-srgb"), "\(other.errorText)")
        }
        #expect(try apply(run + ["--to-srgb", "--overwrite"]).exitCode == 0)
        #expect(try profile("out/p3.jpg") == "sRGB")
        #expect(try apply(run + ["--to-srgb"]).errorText.contains("2 up to date"))
    }

    @Test func anOutputOfARecipeMayHaveIt() throws {
        let recipe = """
            { "outputs": { "web": { "to-srgb": true, "scale": 0.5 }, "print": { "filters": "sepia" } } }
            """
        try folder.write(Array(recipe.utf8), to: "own.json")
        #expect(try apply(["--recipe", "own.json", "-o", "out", "set"]).exitCode == 0)
        #expect(try profile("out/p3-web.jpg") == "sRGB" && profile("out/p3-print.jpg") == "Display P3")
    }
}
