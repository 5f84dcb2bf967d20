import Foundation
import TestSupport
import Testing
import Tintype
import TintypeMetadata

/// `--auto-orient`, with the built tool.
struct AutoOrientTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let turned = try TestPhoto.jpeg(EXIF(orientation: .right), width: 40, height: 30, seed: 1)
        try folder.write(turned, to: "set/turned.jpg")
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 2), to: "set/up.jpg")
    }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    private func geometry(_ name: String) throws -> PhotoGeometry {
        try PhotoReader(bytes: folder.read(name), limits: DecodeLimits()).geometry
    }

    @Test func aloneItChangesOnlyPhotosThatMustBeTurned() throws {
        let result = try apply(["--auto-orient", "-o", "out", "set"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try geometry("out/turned.jpg") == PhotoGeometry(width: 30, height: 40))
        #expect(try folder.read("out/up.jpg") == folder.read("set/up.jpg"))
        // Beside the photos, outputs are named after it, and are no inputs of the next run.
        #expect(try apply(["--auto-orient", "set"]).exitCode == 0)
        #expect(folder.files().contains("set/turned-upright.jpg"))
        #expect(try apply(["--auto-orient", "--overwrite", "set"]).errorText.contains("2 photos"))
    }

    @Test func aFolderKnowsItAsAnotherRecipe() throws {
        let run = ["-f", "sepia", "-o", "out", "set"]
        #expect(try apply(run).exitCode == 0)
        #expect(try geometry("out/turned.jpg").orientation == .right)
        let other = try apply(run + ["--auto-orient"])
        #expect(other.exitCode == 2 && other.errorText.contains("--auto-orient"), "\(other.errorText)")
        #expect(try apply(run + ["--auto-orient", "--overwrite"]).exitCode == 0)
        #expect(try geometry("out/turned.jpg") == PhotoGeometry(width: 30, height: 40))
    }

    @Test func anOutputOfARecipeMayHaveIt() throws {
        let recipe = """
            { "outputs": { "web": { "auto-orient": true, "scale": 0.5 }, "print": { "filters": "sepia" } } }
            """
        try folder.write(Array(recipe.utf8), to: "own.json")
        #expect(try apply(["--recipe", "own.json", "-o", "out", "set"]).exitCode == 0)
        #expect(try geometry("out/turned-web.jpg") == PhotoGeometry(width: 15, height: 20))
        #expect(
            try geometry("out/turned-print.jpg") == PhotoGeometry(width: 40, height: 30, orientation: .right))
    }
}
