import Foundation
import TestSupport
import Testing
import Tintype
import TintypeMetadata

@testable import TintypeBatches
@testable import TintypeCodecs
@testable import TintypePhotos

/// The memory that photos take, and photos that exceed their limit.
struct MemoryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    /// Resamplings and blurs have tables as long as the photo, which are made before its pixels are.
    @Test(
        arguments: [
            "resize:scale=0.5", "sepia+crop:height=100", "border", "blur", "bloom", "sharpen", "tilt-shift",
            "tintype",
        ])
    func aPhotoThatClaimsToBeVeryLongFailsAlone(filters: String) throws {
        try folder.write(
            HugePNG.bytes(width: 1, height: 900_000_000, colourType: 0, lies: true), to: "set/tall.png")
        try folder.write(try TestPhoto.png(width: 33, height: 21, seed: 2), to: "set/small.png")
        let result = try apply(["-f", filters, "-o", "out", "--json", "set"])
        #expect(result.exitCode == 1 && result.errorText.contains("it is very long"), "\(result.errorText)")
        #expect(
            folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") } == ["out/small.png"])
        #expect(try result.peakMemory() < 200 << 20)
    }

    /// Lines of a table are not kept.
    @Test(arguments: ["\n", "\r\n", "#\n"]) func anEndlessTableTakesLittleMoreThanItsFile(line: String) throws
    {
        let table =
            "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n" + String(repeating: line, count: (8 << 20) / line.utf8.count)
        try folder.write(Array(table.utf8), to: "endless.cube")
        try folder.write(try TestPhoto.png(width: 33, height: 21, seed: 2), to: "small.png")
        let result = try apply(["-f", "lut:file=endless.cube", "-o", "out", "--json", "small.png"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try result.peakMemory() < 80 << 20)
    }

    /// A few bytes may claim a row of gigabytes.
    @Test func aPhotoThatClaimsToBeVeryWideFailsAlone() throws {
        try folder.write(
            HugePNG.bytes(width: 1_000_000_000, height: 1, colourType: 0, lies: true), to: "set/grey.png")
        try folder.write(
            HugePNG.bytes(width: 100_000_000, height: 1, colourType: 6, depth: 16, lies: true),
            to: "set/rgba.png")
        try folder.write(try TestPhoto.png(width: 33, height: 21, seed: 2), to: "set/small.png")
        let result = try apply(["-f", "sepia", "-o", "out", "--json", "set"])
        #expect(result.exitCode == 1, "\(result.errorText)")
        for name in ["grey", "rgba"] {
            #expect(result.errorText.contains("set/\(name).png: The photo needs "))
        }
        #expect(
            result.errorText.contains("because it is very wide")
                && result.errorText.contains("--max-photo-memory"))
        #expect(folder.files().filter { $0.hasPrefix("out/") } == ["out/small.png"])
        #expect(try result.peakMemory() < 200 << 20)
        // The journal names them, so that they can be tried again.
        let again = try apply(["-f", "sepia", "-o", "out", "--retry-failed", "set"])
        #expect(again.exitCode == 1 && again.errorText.contains("set/grey.png: The photo needs "))
    }

    /// Metadata has a limit of its own, of 64 MiB.
    @Test func metadataTakesNoneOfThePixelsMemory() throws {
        let byteCount = 60 << 20
        var jpeg = try TestPhoto.jpeg(width: 8, height: 8, seed: 1)
        let segment = [0xFF, 0xE5, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 65533)
        let segments = [[UInt8]](repeating: segment, count: byteCount / segment.count).flatMap(\.self)
        jpeg.insert(contentsOf: segments, at: 2)
        try folder.write(jpeg, to: "a.jpg")
        #expect(try apply(["-f", "sepia", "-o", "out", "a.jpg"]).exitCode == 0)
        let refused = try apply(["-f", "sepia", "-o", "small", "--max-photo-memory", "100M", "a.jpg"])
        #expect(
            refused.exitCode == 1 && refused.errorText.contains("because it is full of metadata"),
            "\(refused.errorText)")
    }

    @Test func aLongChainIsNamedAsTheReason() throws {
        try folder.write(try TestPhoto.png(width: 300, height: 200, seed: 2), to: "a.png")
        let blurs = [String](repeating: "blur:radius=20", count: 60).joined(separator: "+")
        let result = try apply(["-f", blurs, "-o", "out", "--max-photo-memory", "16M", "a.png"])
        #expect(
            result.exitCode == 1 && result.errorText.contains("because it is filtered in so many steps"),
            "\(result.errorText)")
    }

    /// Photos that exceed their own limit do not mean that the machine is short of memory.
    @Test func photosBeyondTheirOwnLimitAreFailedPhotos() throws {
        try folder.write(
            HugePNG.bytes(width: 50_000_000, height: 1, colourType: 2, lies: true), to: "wide.png")
        #expect(try apply(["-f", "sepia", "-o", "out", "wide.png"]).exitCode == 1)
    }

    @Test func theLimitOfAPhotoCanBeSet() throws {
        try folder.write(
            HugePNG.bytes(width: 3000, height: 3000, colourType: 6, isInterlaced: true), to: "interlaced.png")
        let refused = try apply(["-f", "sepia", "-o", "out", "--max-photo-memory", "20M", "interlaced.png"])
        #expect(refused.exitCode == 1 && refused.errorText.contains("because it is an interlaced PNG"))
        let refusedByBudget = try apply(["-f", "sepia", "-o", "out", "--memory", "20M", "interlaced.png"])
        #expect(refusedByBudget.exitCode == 1 && refusedByBudget.errorText.contains("limit of 20 MiB"))
        #expect(try apply(["-f", "sepia", "-o", "out", "interlaced.png"]).exitCode == 0)
    }

    @Test func tooLittleMemoryIsRefusedWithTheLeast() throws {
        for flag in ["--memory", "--max-photo-memory"] {
            let result = try apply(["-f", "sepia", flag, "2", "a.png"])
            #expect(result.exitCode == 2)
            #expect(result.errorText.contains("\(flag) expects at least 16M, got 2"))
        }
    }

    /// Two photos that each need most of the budget are done one after the other.
    @Test func photosWaitForMemory() throws {
        let bytes = HugePNG.bytes(width: 3000, height: 3000, colourType: 6, isInterlaced: true)
        for name in ["a", "b", "c"] { try folder.write(bytes, to: "set/\(name).png") }
        let all = ["-f", "sepia", "-j", "3", "--json", "--no-journal", "set"]
        let waiting = try apply(all + ["-o", "waiting", "--memory", "50M"])
        #expect(waiting.exitCode == 0, "\(waiting.errorText)")
        // 36 MB are one photo's pixels.
        #expect(try waiting.peakMemory() < 100 << 20)
    }

    struct Kind: CustomTestStringConvertible {
        let testDescription: String
        let photo: [UInt8]
        let arguments: [String]
        let recipe: Recipe
    }

    static var kinds: [Kind] {
        get throws {
            let sepia = Recipe(FilterChain([Sepia()]))
            return [
                Kind(
                    testDescription: "wide RGB",
                    photo: HugePNG.bytes(width: 4_000_000, height: 4, colourType: 2),
                    arguments: ["-f", "sepia"], recipe: sepia),
                Kind(
                    testDescription: "interlaced RGBA, 16 bits",
                    photo: HugePNG.bytes(
                        width: 2000, height: 2000, colourType: 6, depth: 16, isInterlaced: true),
                    arguments: ["-f", "sepia"], recipe: sepia),
                Kind(
                    testDescription: "half size",
                    photo: HugePNG.bytes(width: 2_000_000, height: 8, colourType: 2),
                    arguments: ["--scale", "0.5"], recipe: Recipe(FilterChain([]), halvesSize: true)),
                Kind(
                    testDescription: "turned",
                    photo: try TestPhoto.jpeg(EXIF(orientation: .right), width: 4000, height: 3000, seed: 1),
                    arguments: ["-f", "sepia", "--auto-orient"],
                    recipe: Recipe(FilterChain([Sepia()]), turnsUpright: true)),
                Kind(
                    testDescription: "turned as RGB",
                    photo: try TestPhoto.jpeg(EXIF(orientation: .down), width: 2999, height: 2001, seed: 1),
                    arguments: ["--auto-orient"], recipe: Recipe(FilterChain([]), turnsUpright: true)),
                Kind(
                    testDescription: "WebP of noise",
                    photo: try TestPhoto.transparentPNG(width: 1500, height: 1000, seed: 1),
                    arguments: ["-f", "sepia", "--format", "webp"],
                    recipe: Recipe(FilterChain([Sepia()]), format: .webp)),
                Kind(
                    testDescription: "WebP without loss",
                    photo: try TestPhoto.png(width: 1500, height: 1000, seed: 1),
                    arguments: ["-f", "sepia", "--format", "webp", "--lossless"],
                    recipe: Recipe(FilterChain([Sepia()]), format: .webp, isLossless: true)),
                Kind(
                    testDescription: "TIFF of noise",
                    photo: try TestPhoto.transparentPNG(width: 3000, height: 2000, seed: 1),
                    arguments: ["-f", "sepia", "--format", "tiff"],
                    recipe: Recipe(FilterChain([Sepia()]), format: .tiff)),
                Kind(
                    testDescription: "progressive",
                    photo: try TestPhoto.jpeg(width: 4000, height: 3000, seed: 1),
                    arguments: ["-f", "sepia", "--progressive"],
                    recipe: Recipe(FilterChain([Sepia()]), isProgressive: true)),
                Kind(
                    testDescription: "wide blur",
                    photo: HugePNG.bytes(width: 50_000, height: 600, colourType: 2),
                    arguments: ["-f", "tilt-shift:radius=100"],
                    recipe: Recipe(try FilterChain(parsing: ["tilt-shift:radius=100"]))),
            ]
        }
    }

    /// The estimate is an upper one, and not far above.
    @Test(arguments: try kinds)
    func theEstimateHolds(kind: Kind) throws {
        try folder.write(kind.photo, to: "large.png")
        try folder.write(try TestPhoto.png(width: 8, height: 8, seed: 1), to: "small.png")
        let common = kind.arguments + ["-j", "1", "--json", "--no-journal", "-o", "out"]
        let base = try apply(common + ["small.png"]).peakMemory()
        let taken = try apply(common + ["large.png"]).peakMemory() - base
        let estimate = try estimate(kind)
        let slack = 4 << 20
        #expect(taken < estimate + slack, "\(taken) bytes, where \(estimate) were estimated")
        #expect(estimate < taken * 3 / 2 + slack, "\(estimate) bytes are estimated, where \(taken) are taken")
    }

    private func estimate(_ kind: Kind) throws -> Int {
        let reader = try PhotoReader(bytes: kind.photo, limits: DecodeLimits())
        let file = try #require(FileHandle(forWritingAtPath: try folder.write([], to: "header")))
        let way = try RenderPath(reader, kind.recipe, to: file.fileDescriptor)
        return PhotoMemory(reader, [way], on: SIMDDevice()).byteCount
    }
}
