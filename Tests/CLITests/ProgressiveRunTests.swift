import TestSupport
import Testing
import TintypePhotos

/// Progressive JPEGs through the tool.
struct ProgressiveRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 200, height: 120, seed: 1), to: "a.jpg")
        try folder.write(Array(#"{"filters": "sepia", "progressive": true}"#.utf8), to: "own.json")
    }

    private func output(_ arguments: String..., to name: String) throws -> [UInt8] {
        let result = try Tool.run(["apply", "-d", "cpu", "-o", name, "a.jpg"] + arguments, in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        return try folder.read("\(name)/a.jpg")
    }

    private func isProgressive(_ file: [UInt8]) -> Bool {
        file.indices.contains { file[$0...].starts(with: [0xFF, 0xC2, 0x00, 0x11]) }
    }

    @Test func outputsAreProgressiveWithTheSamePixels() throws {
        let baseline = try output("-f", "sepia", to: "baseline")
        let progressive = try output("-f", "sepia", "--progressive", to: "progressive")
        #expect(!isProgressive(baseline) && isProgressive(progressive))
        #expect(try EncodedImage(bytes: progressive).pixels() == EncodedImage(bytes: baseline).pixels())
        // Its codes are its own already.
        #expect(try output("-f", "sepia", "--progressive", "--optimize", to: "both") == progressive)
        #expect(try output("--recipe", "own.json", to: "recipe") == progressive)
        #expect(try output("-f", "sepia", "--progressive", "--no-progressive", to: "neither") == baseline)
    }

    /// Only what is encoded becomes progressive.
    @Test func anUnchangedPhotoIsCopied() throws {
        #expect(try output("--strip", "--progressive", to: "copy") == folder.read("a.jpg"))
        let filtered = try Tool.run(
            ["apply", "-d", "cpu", "-f", "sepia", "--progressive", "--format", "png", "-o", "png", "a.jpg"],
            in: folder)
        #expect(filtered.exitCode == 0 && folder.files().contains("png/a.png"))
    }
}
