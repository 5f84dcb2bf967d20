import Foundation
import Testing
import TintypeFilterPictures
import TintypeImaging

@testable import TintypeFilters

/// The names of tables and pictures in texts.
struct FilterFileTests: ~Copyable {
    private let folder = NSTemporaryDirectory() + "tintype-\(UUID())"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    private func write(_ name: String, last: String = "1 1 1") throws -> String {
        let path = "\(folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try "LUT_1D_SIZE 2\n0 0 0\n\(last)\n".write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func file(_ text: String) throws -> String? {
        try FilterChain(parsing: [text]).filters.compactMap { ($0 as? LookUp)?.file.path }.first
    }

    @Test func aFileIsFoundWhateverItsName() throws {
        for name in [
            "a, v2.cube", "a+b.cube", "a,b+c,d 50%.cube", "100%20.cube", "a%2Cb.cube",
            "look.cube,intensity=0.5",
            "%.cube", "100%", "a%zz.cube",
        ] {
            let path = try write(name)
            for text in ["lut:file=\(path)", "noir+lut:intensity=0.5,file=\(path)+sepia"] {
                let chain = try FilterChain(parsing: [text])
                #expect(try file(text) == path)
                // As journals and manifests have it.
                #expect(
                    try FilterChain(parsing: chain.recipe.split(separator: " ").map(String.init)) == chain)
            }
        }
        let path = try write("a,b.cube")
        #expect(try FilterChain(parsing: ["lut:file=\(path),intensity=0.25+sepia"]).filters.count == 2)
    }

    @Test func percentSignsAndMarksMayBothBeInAName() throws {
        let path = try write("a,b+ 50%.cube")
        #expect(try file("lut:file=\(folder)/a%2Cb%2B 50%.cube") == path)
        #expect(try file("lut:file=\(folder)/a%2Cb%2b%2050%25.cube") == path)
    }

    @Test func onlyFilesOfTheChainAreLookedFor() throws {
        let path = try write("a,b.cube")
        let none = FilterFiles(of: FilterChain([]))
        #expect(throws: FilterError.self) { try FilterChain(parsing: ["lut:file=\(path)"], reading: none) }
        let chain = try FilterChain(parsing: ["lut:file=\(path)"])
        #expect(try FilterChain(parsing: ["lut:file=\(path)"], reading: FilterFiles(of: chain)) == chain)
    }

    @Test func relativePathsAreLookedUpInFoldersAndStayAsWritten() throws {
        try write("one/look.cube")
        let chain = try FilterChain(
            parsing: ["lut:file=look.cube"], reading: FilterFiles(in: ["\(folder)/none", "\(folder)/one"]))
        #expect(chain.recipe.hasPrefix("lut:file=look.cube#"))
        // Only the file with the recipe's hash is taken.
        try write("two/look.cube", last: "1 1 0.5")
        let files = FilterFiles(in: ["\(folder)/two", "\(folder)/one"])
        #expect(try FilterChain(parsing: [chain.recipe], reading: files) == chain)
        #expect(throws: FilterError.self) {
            try FilterChain(parsing: [chain.recipe], reading: FilterFiles(in: ["\(folder)/two"]))
        }
    }

    @Test func anAbsolutePathIsFoundByItsNameAndHashElsewhere() throws {
        let path = try write("one/look.cube")
        let recipe = try FilterChain(parsing: ["lut:file=\(path)"]).recipe
        try FileManager.default.moveItem(atPath: "\(folder)/one", toPath: "\(folder)/two")
        let files = FilterFiles(in: ["\(folder)/two"])
        #expect(try FilterChain(parsing: [recipe], reading: files).recipe == recipe)
        #expect(throws: FilterError.self) { try FilterChain(parsing: ["lut:file=\(path)"], reading: files) }
        let text = Recipe(try FilterChain(parsing: [recipe], reading: files)).canonicalText
        #expect(
            Recipe(canonicalText: text, reading: .readable) == nil
                && Recipe(canonicalText: text, reading: files) != nil)
        #expect(Recipe.fileProblem(in: text, reading: files) == nil)
        #expect(
            Recipe.fileProblem(in: text, reading: .readable)?.description
                == "lut: '\(path)' cannot be read: No such file or directory.")
    }

    @Test func picturesAreDecodedByTheReaderThatIsHandedIn() throws {
        struct Refusal: Error, CustomStringConvertible { let description = "it has no pixels" }
        let path = "\(folder)/mark.png"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        let text = "watermark:file=\(path)"
        let red = FilterFiles(in: [""]) { contents in
            guard contents == [1, 2, 3] else { throw Refusal() }
            return PictureSamples(PhotoGeometry(width: 1, height: 1), .rgb, .eight, bytes: [255, 0, 0])
        }
        let chain = try FilterChain(parsing: [text], reading: red)
        let photo = PhotoGeometry(width: 8, height: 8)
        #expect(
            chain.stages(for: photo)
                == FilterChain([Watermark(Picture(width: 1, height: 1, rgba: [255, 0, 0, 255]))]).stages(
                    for: photo))
        let none = FilterFiles(in: [""]) { _ in throw Refusal() }
        #expect {
            try FilterChain(parsing: [text], reading: none)
        } throws: {
            "\($0)" == "watermark: '\(path)' cannot be read: it has no pixels."
        }
    }
}
