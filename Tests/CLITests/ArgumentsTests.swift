import ArgumentParser
import Foundation
import Testing
import Tintype

@testable import TintypeCLI

struct ArgumentsTests {
    @Test(arguments: [
        ("1", 1), ("512M", 536_870_912), ("2G", 2_147_483_648), ("2GiB", 2_147_483_648), ("1.5k", 1536),
        ("100b", 100), ("1T", 1_099_511_627_776),
    ])
    func sizesAreRead(text: String, byteCount: Int) {
        #expect(ByteSize(argument: text)?.byteCount == byteCount)
    }

    @Test(arguments: ["", "G", "0", "-1G", "1X", "1e400", "nan", "inf", "9999999T"])
    func sizesThatAreNoneAreRefused(text: String) {
        #expect(ByteSize(argument: text) == nil)
    }

    @Test(arguments: ["0", "101", "-5", "high", "9.5", ""])
    func qualitiesOutOfRangeAreRefused(text: String) {
        #expect(Recipe.Quality(argument: text) == nil)
    }

    @Test func qualitiesInRangeAreRead() {
        #expect(Recipe.Quality(argument: "keep") == .keep)
        #expect(Recipe.Quality(argument: "1") == .value(1))
        #expect(Recipe.Quality(argument: "100") == .value(100))
    }

    @Test func restartRowsInRangeAreRead() {
        #expect(RestartRows(argument: "1")?.count == 1 && RestartRows(argument: "1000")?.count == 1000)
        #expect(RestartRows(argument: "0") != nil && RestartRows(argument: "0")?.count == nil)
        for argument in ["-1", "1001", "1.5", "all", ""] { #expect(RestartRows(argument: argument) == nil) }
    }

    @Test func flagsBecomeARecipe() throws {
        let command = try ApplyCommand.parse([
            "--no-config", "-f", "sepia:intensity=0.5", "-f", "noir", "--scale", "0.5", "--strip",
            "--quality", "80",
            "--optimize", "--lossless", "--progressive", "--restart-rows", "4", "--to-srgb", "--auto-orient",
            "-o",
            "out/{stem}.png", "a",
        ])
        let settings = try command.settings()
        let (recipe, destination) = (settings.recipes[0].recipe, settings.destination)
        #expect(recipe.chain.recipe == "sepia:intensity=0.5,keep=luminance noir:contrast=5,midpoint=0.5")
        #expect(recipe.halvesSize && recipe.stripsMetadata && recipe.quality == .value(80))
        #expect(recipe.restartRows == 4 && recipe.isProgressive)
        #expect(recipe.optimizesCodes && recipe.isLossless && recipe.convertsToSRGB && recipe.turnsUpright)
        // The template's extension decides.
        #expect(recipe.format == .png)
        #expect(destination == .template(try OutputTemplate("out/{stem}.png")))
    }

    @Test(arguments: [
        ["--format", "png"], ["--scale", "0.5"], ["--strip"], ["--to-srgb"], ["--auto-orient"],
        ["--quality", "keep"], ["--max-bytes", "500K"],
        ["-o", "b.png"],
    ])
    func aConversionNeedsNoFilter(flags: [String]) throws {
        #expect(throws: Never.self) { try ApplyCommand.parse(["--no-config", "a.jpg"] + flags) }
    }

    private static let wrongUsage: [([String], String)] = [
        (["a.jpg"], "nothing to do"),
        (["--scale", "1", "a.jpg"], "nothing to do"),
        (["--restart-rows", "4", "a.jpg"], "--restart-rows is for photos that one of these encodes"),
        (["--max-bytes", "0", "a.jpg"], "nothing to do"), (["--max-bytes", "-1", "a.jpg"], "--max-bytes"),
        (["--lossless", "a.jpg"], "--lossless is for photos that one of these encodes"),
        (["-f", "sepia", "--restart-rows", "1001", "a.jpg"], "--restart-rows"),
        (["--recipe", "web", "--restart-rows", "4", "a.jpg"], "--recipe decides"),
        (["-f", "sepia", "--device-codec", "gpu", "a.jpg"], "--device-codec"),
        (["-f", "sepja", "a.jpg"], "Did you mean 'sepia'?"),
        (["-f", "sepia:intensity=2", "a.jpg"], "0 to 1"),
        (["-f", "sepia", "-j", "0", "a.jpg"], "--jobs"),
        (["-f", "sepia", "--max-pixels", "0", "a.jpg"], "--max-pixels"),
        (["-f", "sepia", "-q", "-v", "a.jpg"], "exclude each other"),
        (["-f", "sepia", "-o", "{stm}", "a.jpg"], "{stem}"),
        (["-f", "sepia", "-o", "a.gif{", "a.jpg"], "do not match"),
        (["-f", "sepia", "-o", "{stem}.gif", "a.jpg"], ".gif"),
        (["-f", "sepia", "-o", "b.png", "--format", "jpeg", "a.jpg"], "png"),
        (["-f", "sepia", "-"], "-o -"),
        (["-f", "sepia", "-o", "out", "-", "-"], "once"),
        (["-f", "sepia", "-o", "-", "--json", "a.jpg"], "--json"),
        (["-f", "sepia", "-o", "out", "--watch", "missing"], "There is no folder 'missing'"),
        (["-f", "sepia", "-o", "out", "--watch", "/dev/null"], "takes folders only"),
        (["-m", "m.jsonl", "--include", "*.jpg"], "give them to 'tintype plan'"),
        (["-m", "m.jsonl", "--exclude", "*.jpg"], "give them to 'tintype plan'"),
        (["--retry-failed", "-o", "out", "--include", "*.jpg"], "name the folders"),
        (["--retry-failed", "-o", "out", "--exclude", "*.jpg"], "name the folders"),
    ]

    @Test(arguments: wrongUsage)
    func wrongUsageIsExplained(arguments: [String], hint: String) {
        let error = #expect(throws: (any Error).self) { try ApplyCommand.parse(["--no-config"] + arguments) }
        guard let error else { return }
        #expect(ApplyCommand.message(for: error).contains(hint), "\(ApplyCommand.message(for: error))")
    }

    @Test func anOutputThatIsAFolderIsOneEvenIfItLooksLikeAPhoto() throws {
        #expect(try OutputDestination("out.png", isFolder: { _ in false }) == .file("out.png"))
        #expect(try OutputDestination("out.png", isFolder: { _ in true }) == .folder("out.png"))
        #expect(try OutputDestination("out.png/", isFolder: { _ in false }) == .folder("out.png"))
        #expect(try OutputDestination("out.d", isFolder: { _ in false }) == .folder("out.d"))
    }
}
