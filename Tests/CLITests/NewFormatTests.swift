import Foundation
import PPMFormat
import TestSupport
import Testing
import Tintype
import TintypeImaging
import TintypeMetadata
import TintypePhotos

@testable import TintypeCLI

/// What a format gets that is only registered: `PPMFormat`, of which no module knows. Each test has a process of its own, because
/// formats are the process's.
struct NewFormatTests {
    @Test func photosAreConvertedBothWays() async {
        await #expect(processExitsWith: .success) {
            let run = try Run()
            let samples = try run.writePPM("in/a.ppm")
            try await run.apply("--format", "png", "-o", "png", "in")
            try #require(try TestPhoto.samples(of: run.folder.read("png/a.png")) == samples)
            try await run.apply("--format", "ppm", "-o", "back", "png")
            try #require(try run.folder.read("back/a.ppm") == run.folder.read("in/a.ppm"))

            try await run.apply("--format", "jpeg", "--quality", "100", "-o", "jpeg", "in")
            try await run.apply("--format", "PPM", "-o", "decoded", "jpeg")
            let jpeg = try EncodedImage(path: run.folder.path("jpeg/a.jpg"))
            let decoded = try jpeg.pixels(layout: .interleaved(.rgb, .eight))
            let converted = try EncodedImage(path: run.folder.path("decoded/a.ppm")).pixels()
            try #require(jpeg.format == .jpeg && converted == decoded)
        }
    }

    @Test func filtersGiveTheSamePixelsAsForAPNG() async {
        await #expect(processExitsWith: .success) {
            let run = try Run()
            try run.writePPM("in/a.ppm")
            for filters in ["sepia", "resize:long=20+sharpen", "noir"] {
                try await run.apply("-f", filters, "-o", "own/\(filters)", "in")
                try await run.apply("-f", filters, "-o", "png/\(filters)", "--format", "png", "in")
                let own = try EncodedImage(path: run.folder.path("own/\(filters)/a.ppm"))
                let png = try EncodedImage(path: run.folder.path("png/\(filters)/a.png"))
                try #require(try own.pixels() == png.pixels())
            }
            // Noir leaves no colour.
            try #require(try run.folder.read("own/noir/a.ppm").starts(with: "P5\n40 30\n255\n".utf8))
        }
    }

    @Test func listsRecipesAndNamesTakeIt() async {
        await #expect(processExitsWith: .success) {
            let run = try Run()
            try run.writePPM("in/a.pnm")
            try run.folder.write(Array("in/a.pnm\n".utf8), to: "list.txt")
            let recipe = """
                { "outputs": { "small": { "scale": 0.5, "format": "ppm" },
                    "old": { "filters": "sepia", "output": "old/{stem}.{ext}" } } }
                """
            try run.folder.write(Array(recipe.utf8), to: "two.json")
            try await run.apply("--recipe", "two.json", "-o", "out", "--files-from", "list.txt")
            let made = run.folder.files().filter { $0.hasPrefix("out/") }
            try #require(made == ["out/a-small.pnm", "out/old/a.pnm"], "\(made)")

            try run.folder.write(TestPhoto.png(width: 8, height: 8, seed: 1), to: "b.png")
            try await run.apply("-f", "sepia", "-o", "named.ppm", "b.png")
            try #require(try run.folder.read("named.ppm").starts(with: "P6\n8 8\n255\n".utf8))
        }
    }

    @Test func whatItCannotHoldGivesANoteOrChangesThePixels() async {
        await #expect(processExitsWith: .success) {
            let run = try Run()
            let exif = EXIF(orientation: .left)
            try run.folder.write(TestPhoto.jpeg(exif, width: 64, height: 32, seed: 1), to: "in/a.jpg")
            let ppm = try #require(PhotoFormat(rawValue: "ppm"))
            let notes = try await run.apply("--format", "ppm", "-o", "out", "in")[0].notes
            try #require(notes == [.metadataLeftOut(names: ["EXIF"], by: ppm)], "\(notes)")
            try #require(
                "\(notes[0])" == "Metadata was left out because a PPM has no place for it (EXIF).")
            let pixels = try EncodedImage(path: run.folder.path("out/a.ppm")).pixels()
            try #require(pixels.geometry.width == 32 && pixels.geometry.height == 64)
        }
    }

    @Test func messagesAndHelpNameIt() async {
        await #expect(processExitsWith: .success) {
            let run = try Run()
            let error = CodecError.notAPhoto(firstBytes: [0], looksLike: nil)
            try #require(
                error.description
                    == "This is not a JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF, RAW or PPM: it begins with 00."
            )
            try #require(CodecError.truncated == truncation(of: Array("P6".utf8)))
            try run.folder.write([], to: "in/notes.txt")
            let none = try run.complaint("-f", "sepia", "in", exitCode: 3)
            try #require(
                none.contains("Tintype reads JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF, RAW and PPM."),
                "\(none)")
            let unknown = try run.complaint("--format", "gif", "in", exitCode: 2)
            for name in ["jpeg", "png", "webp", "avif", "jxl", "tiff", "ppm"] {
                try #require(unknown.contains("- \(name)"), "\(unknown)")
            }
            let unwritten = try run.complaint("-f", "sepia", "-o", "a.gif", "in", exitCode: 2)
            try #require(
                unwritten.contains("Use .jpg, .png, .webp, .avif, .jxl, .tif or .ppm; "), "\(unwritten)")
        }
    }
}

private func truncation(of bytes: [UInt8]) -> CodecError? {
    do {
        _ = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        return nil
    } catch {
        return error
    }
}

/// Runs of the tool in this process, which has registered the format.
private final class Run {
    let folder: TemporaryFolder

    init() throws {
        PhotoFormat.register(PPMFormat())
        folder = try TemporaryFolder()
        try #require(chdir(folder.path) == 0)
    }

    /// - Returns: the samples.
    @discardableResult
    func writePPM(_ name: String) throws -> [UInt8] {
        let samples = TestPhoto.samples(width: 40, height: 30, seed: 7)
        try folder.write(Array("P6\n40 30\n255\n".utf8) + samples, to: name)
        return samples
    }

    /// Does what `tintype apply` would. Its run needs the main thread, which tests have not.
    @discardableResult
    func apply(_ arguments: String...) async throws -> [PhotoResult] {
        let command = try TintypeCommand.parseAsRoot(["apply"] + arguments)
        let apply = try #require(command as? ApplyCommand)
        let run = ApplyRun(apply, try apply.settings())
        let (plan, _) = try run.plan(through: nil)
        try #require(plan.failures.isEmpty && !plan.jobs.isEmpty, "\(plan.failures)")
        var settings = Batch.Settings(
            through: PhotoPipeline(run.settings.recipes[0].recipe),
            on: DevicePool([SIMDDevice()], fallback: nil),
            concurrentPhotoCount: 2)
        settings.recipes = run.settings.recipes
        var results: [PhotoResult] = []
        for await result in Batch.results(of: plan.jobs, settings) { results.append(result) }
        try #require(results.allSatisfy { $0.status == .done }, "\(results.map(\.status))")
        return results
    }

    /// What `tintype apply` says of wrong arguments.
    func complaint(_ arguments: String..., exitCode: Int32) throws -> String {
        let standardError = dup(STDERR_FILENO), path = try folder.write([], to: "complaint")
        let file = open(path, O_WRONLY)
        dup2(file, STDERR_FILENO)
        let code = TintypeCommand.execute(["apply"] + arguments)
        dup2(standardError, STDERR_FILENO)
        close(file)
        close(standardError)
        let text = String(decoding: try folder.read("complaint"), as: UTF8.self)
        try #require(code == exitCode, "\(arguments): \(text)")
        return text
    }
}
