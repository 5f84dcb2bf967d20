import Foundation
import Testing
import TintypeFilterPictures
import TintypeImaging

@testable import TintypeFilters

struct CubeFileTests {
    private let path = NSTemporaryDirectory() + "tintype +,#% \(UUID()).cube"
    private static let conversion = "convert it to a .cube file or a Hald CLUT"
    private static let line = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"

    private func parse(_ text: String) throws -> ColourTable { try CubeFile.table(Array(text.utf8)) }

    @Test func allThatAFileMayHoldIsRead() throws {
        let text = """
            # made by hand\r
            TITLE "a look"\r
            \r
            DOMAIN_MIN -1 0 0.5\r
            DOMAIN_MAX 2 1 1\r
            LUT_1D_SIZE 3\r
            0 0 0\r
            \t.5 1e-1  -0.25\r
            1 1 2\r
            # the end
            """
        let expected = ColourTable(
            .line, size: 3, minimum: [-1, 0, 0.5], maximum: [2, 1, 1],
            values: [0, 0, 0, 0.5, 0.1, -0.25, 1, 1, 2])
        #expect(try parse(text) == expected)
        let cube = try parse(
            "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.0 4\n" + Array(repeating: "1 2 3\n", count: 8).joined())
        #expect(cube.shape == .cube && cube.maximum == [4, 4, 4] && cube.values.count == 24)
    }

    @Test(arguments: ["\u{FEFF}", "\u{FEFF}# comment\n"], ["\n", "\r", "\r\n", "\r# old\n"])
    func linesEndAsOnAnySystem(start: String, end: String) throws {
        let text = (start + Self.line).replacing("\n", with: end)
        #expect(try parse(text) == parse(Self.line))
    }

    @Test(
        arguments: [
            ("", nil, "it has no LUT_1D_SIZE or LUT_3D_SIZE"),
            ("LUT_3D_SIZE 2\n0 0 0", nil, "it has 1 colours instead of 8"),
            ("0 0 0", 1, "a colour comes before the size"),
            (line + "1 1 1", 4, "there are more than 2 colours"),
            ("\nLUT_3D_SIZE 257", 2, "the size is not from 2 to 256"),
            ("LUT_1D_SIZE 1", 1, "the size is not from 2 to 65536"),
            ("LUT_1D_SIZE", 1, "the size is not from 2 to 65536"),
            (line + "LUT_3D_SIZE 2", 4, "only one size is supported"),
            ("LUT_1D_SIZE 2\n0 0\n1 1 1", 2, "expected 3 numbers"),
            ("LUT_1D_SIZE 2\n0 0 1x", 2, "expected 3 numbers"),
            ("LUT_1D_SIZE 2\n0 0 1e99", 2, "expected 3 numbers"),
            ("DOMAIN_MIN 1 1 1\n" + line, nil, "its domain is empty"), ("<html>", 1, "'<html>' is not known"),
            ("0 64 128 192 256\n0 0 0", 1, "it looks like a .3dl table; \(conversion)"),
            ("3DMESH\nMesh 5 10", 1, "it looks like a .3dl table; \(conversion)"),
            ("CSPLUTV100\n3D", 1, "it looks like a .csp table; \(conversion)"),
            ("a\u{202E}b", 1, "'a\\u{202e}b' is not known"),
            ("Mesh 5 10", 1, "it looks like a .3dl table; \(conversion)"),
            (String(repeating: "x", count: 81), 1, "'\(String(repeating: "x", count: 77))...' is not known"),
        ] as [(String, Int?, String)])
    func mistakesNameTheirLine(text: String, line: Int?, problem: String) {
        #expect(throws: CubeFile.Problem(line: line, text: problem)) { try parse(text) }
    }

    /// What a file says is cut in messages.
    @Test(arguments: ["1 ", "word ", "9", "x"]) func aLongLineGivesAShortMessage(part: String) {
        let text = Array(String(repeating: part, count: (1 << 20) / part.utf8.count).utf8)
        #expect {
            try CubeFile.table(text)
        } throws: {
            ($0 as? CubeFile.Problem).map { $0.line == 1 && $0.text.count < 120 } ?? false
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x31, 0x00], "it is not text"),
            (Array("8BPS\u{8}".utf8), "it looks like a Photoshop document"),
            (Array("<html>".utf8), "it looks like an HTML page"),
        ] as [([UInt8], String)])
    func otherFilesAreNamed(contents: [UInt8], what: String) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(contents).write(to: URL(fileURLWithPath: path))
        #expect {
            try LookUp(contentsOf: path)
        } throws: {
            "\($0)"
                == "lut: '\(path)': \(what); expected a .cube file, or a Hald CLUT as a PNG, JPEG or WebP."
        }
    }

    /// A cube of 81 entries of a smooth look becomes one of 65, and one of steps stays.
    @Test func largeCubesAreResampledWhereNoNodeChangesByMore() throws {
        func table(_ value: (Float) -> Float) -> ColourTable {
            let size = 81
            return ColourTable(
                .cube, size: size,
                values: (0..<size * size * size).flatMap { node in
                    [node % size, node / size % size, node / size / size].map {
                        (value(Float($0) / 80) * 255).rounded() / 255
                    }
                })
        }
        let smooth = table { $0 * $0 * (3 - 2 * $0) }
        let usual = smooth.inUsualSize()
        #expect(usual.size == 65 && usual.inUsualSize() == usual)
        // Red's axis of the darkest row, against the curve itself.
        for entry in 0..<65 {
            let x = Float(entry) / 64
            #expect(abs(usual.values[3 * entry] - x * x * (3 - 2 * x)) <= 1.0 / 255)
        }
        let steps = table { $0 < 0.5 ? 0 : 1 }
        #expect(steps.inUsualSize() == steps)
    }

    @Test func aRecipeDependsOnTheFilesContents() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.line.write(toFile: path, atomically: true, encoding: .utf8)
        let chain = FilterChain([try LookUp(contentsOf: path)])
        let recipe = Recipe(chain), text = recipe.canonicalText
        // The name's marks part no words, settings or filters.
        #expect(try FilterChain(parsing: [chain.recipe]) == chain)
        #expect(try FilterChain(parsing: ["sepia+" + chain.recipe + "+noir"]).filters.count == 3)
        #expect(Recipe(canonicalText: text, reading: .readable) == recipe)

        try "LUT_1D_SIZE 2\n0 0 0\n1 1 0.9\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try FilterChain([LookUp(contentsOf: path)]) != chain)
        #expect(Recipe(canonicalText: text, reading: .readable) == nil)
        #expect {
            try FilterChain(parsing: [chain.recipe])
        } throws: {
            "\($0)" == "lut: '\(path)' cannot be read: its contents have changed."
        }
    }

    @Test func filesThatCannotBeReadAreExplained() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        func message(_ text: String, _ files: FilterFiles = .readable) -> String? {
            do throws(FilterError) { _ = try FilterChain(parsing: [text], reading: files) } catch {
                return "\(error)"
            }
            return nil
        }
        #expect(message("lut") == "lut needs a file; write lut:file=PATH.")
        #expect(
            message("lut:file=/nowhere/a.cube")
                == "lut: '/nowhere/a.cube' cannot be read: No such file or directory.")
        #expect(message("lut:file=/") == "lut: '/' cannot be read: it is not a file.")
        try (Self.line + "nonsense").write(toFile: path, atomically: true, encoding: .utf8)
        let file = "lut:file=\(FilterFile(path))"
        #expect(message(file) == "lut: '\(path)', line 4: 'nonsense' is not known.")
        try Self.line.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(message(file) == nil)
        let chain = try FilterChain(parsing: [file])
        #expect(message(file, FilterFiles(of: chain)) == nil)
        #expect(message(file, FilterFiles(of: FilterChain([]))) != nil)
    }
}
