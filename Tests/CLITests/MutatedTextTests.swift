import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// Parsers of text get inputs that were damaged at random: each ends in a value or in an error that says what is wrong.
///
/// `TINTYPE_MUTATIONS` sets how many inputs each parser gets.
struct MutatedTextTests {
    private static let count =
        ProcessInfo.processInfo.environment["TINTYPE_MUTATIONS"].flatMap { Int($0) } ?? 1000

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Damages one of the seeds at one to eight places.
    private static func mutate(_ seeds: [String], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(seeds.randomElement(using: &generator)!.utf8)
        let other = Array(seeds.randomElement(using: &generator)!.utf8)
        let special: [[UInt8]] = [
            "", "\0", "\"", "{", "}", "[", "]", ",", ":", "=", "+", "-", "_", "/", "%", "#", "\\", "\r\n",
            "\u{FEFF}", "é",
            "99999999999999999999", "-1", "1e999", "nan", "inf", "0x", "..", "null", "\u{202E}",
        ].map { Array($0.utf8) }
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let start = Int.random(in: 0...bytes.count, using: &generator)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
            let part: [UInt8] =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: []
                case 1: special.randomElement(using: &generator)!
                case 2: [UInt8.random(in: 0...255, using: &generator)]
                case 3: Array(bytes[start..<end]) + Array(bytes[start..<end])
                case 4: Array(repeating: bytes.isEmpty ? 0 : bytes[min(start, bytes.count - 1)], count: 300)
                default: Array(other.dropFirst(start).prefix(20))
                }
            bytes.replaceSubrange(start..<end, with: part)
        }
        return bytes
    }

    /// - Parameter parse: throws for an input that it does not take.
    private func check(
        _ seeds: [String], seed: UInt64, count: Int = Self.count, _ parse: ([UInt8]) throws -> Void
    ) {
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<count {
            do {
                try parse(Self.mutate(seeds, &generator))
            } catch {
                refused += 1
                let text = "\(error)"
                #expect(text.count > 10 && text.utf8.count < 8000, "\(text.prefix(300))")
            }
        }
        // Otherwise the inputs test nothing.
        #expect(refused > count / 10)
    }

    @Test func filters() {
        let seeds =
            FilterCatalog.all.map(\.name) + [
                "tilt-shift:radius=8,band=0.2+sepia:intensity=80%", "curves:red=0/0_0.5/0.6_1/1",
                "duotone:shadows=#1f2a52",
                "resize:long=2048,fit=fill,width=3,height=4", "crop:aspect=3:2,x=0.2",
                "border:size=5%,colour=#fff",
            ]
        check(seeds, seed: 1) { _ = try FilterChain(parsing: [String(decoding: $0, as: UTF8.self)]) }
    }

    @Test func templates() {
        check(
            ["out/{dir}/{stem}-{chain}.{ext}", "{id}{{x}}.jpg", "s3://bucket/a/{name}", "-", "a.png"], seed: 2
        ) {
            _ = try OutputDestination(String(decoding: $0, as: UTF8.self), isFolder: { _ in false })
                .impliedFormat()
        }
    }

    @Test func recipes() throws {
        let seeds = [
            #"{"outputs":{"big":{"filters":"sepia","quality":90},"small":{"filters":"resize:long=16","format":"png"}}}"#,
            #"{"outputs":{"a":{"filters":["noir","blur:radius=2"],"template":"{dir}/{stem}.{ext}","strip":true}}}"#,
        ]
        check(seeds, seed: 3) { bytes in
            _ = try RecipeFile(try folder.write(bytes, to: "recipe.json"))
        }
    }

    @Test func canonicalRecipes() throws {
        let recipe = Recipe(try FilterChain(parsing: ["sepia+tilt-shift:radius=8"]), quality: .value(80))
        check([recipe.canonicalText], seed: 4) { bytes in
            struct Refused: Error, CustomStringConvertible { let description = "it is no recipe" }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let parsed = Recipe(canonicalText: text, reading: .readable) else { throw Refused() }
            #expect(parsed.canonicalText == text)
        }
    }

    @Test func manifests() throws {
        let path = folder.path("m.jsonl")
        var writer = try ManifestWriter(
            at: path, ManifestHeader(root: "/in", outputFolder: "/out", recipe: "v5 filters=sepia"))
        for index in 0..<5 {
            try writer.write(
                ManifestPhoto(input: "\(index).jpg", byteCount: index, outputs: ["a/\(index).jpg"]))
        }
        try writer.finish()
        let whole = try folder.read("m.jsonl")
        check([String(decoding: whole, as: UTF8.self)], seed: 5) { bytes in
            let manifest = try Manifest(try folder.write(bytes, to: "damaged.jsonl"))
            try manifest.forEachPhoto { _, _ in }
            #expect(bytes == whole, "a changed manifest was taken")
        }
    }

    @Test func lists() {
        let seeds = [
            "a.jpg\nhttps://host/b.jpg\n# no\ns3://bucket/c d.jpg\n",
            "name,url\n\"a, \"\"b\",https://h/a.jpg\nx,y.jpg\n",
            #"[{"name":"a","url":"https://h/a.jpg"},"b.jpg"]"#, #"{"rose":"https://h/rose.jpg"}"#,
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><string>https://h/a.jpg</string></dict></plist>",
        ]
        check(seeds, seed: 6) { bytes in
            let list = PhotoList(bytes: bytes, origin: .folder("/in"), name: "list")
            var failure: ListError?
            while true {
                do throws(ListError) {
                    guard let entry = try list.next() else { break }
                    let name = OutputName.make(for: entry)
                    #expect(
                        !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 255
                    )
                } catch {
                    failure = error
                    if error.endsList { break }
                }
            }
            if let failure { throw failure }
        }
    }

    @Test func tables() throws {
        let seeds = [
            "LUT_1D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n0 0 0\n.5 .5 .5\n1 1 1\n",
            "TITLE \"x\"\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n",
        ]
        check(seeds, seed: 7) { bytes in
            let path = try folder.write(bytes, to: "look.cube")
            _ = try FilterChain(parsing: ["lut:file=\(path)"])
        }
    }

    @Test func kernels() throws {
        let source = """
            // summary: More light
            // parameter: amount = 0.5 in 0...1, how much light
            // parameter: tint = #ffe0b0, the colour
            ARGUMENTS(glow) { float amount, tint[3]; };
            POINT(glow) { return c; }

            """
        var generator = SeededGenerator(seed: 8)
        var refused = 0
        for index in 0..<min(Self.count, 300) {
            let path = try folder.write(Self.mutate([source], &generator), to: "\(index)/glow.cl")
            // Compiling would take a second each; the header is read before.
            let result: Void? = try? KernelFlags.parse(["--kernel", path]).register(compiles: false)
            if result == nil { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test func receiptsAndJournals() throws {
        let journal = try Journal(outputFolder: folder.path("out"))
        for index in 0..<5 {
            var receipt = Receipt(
                .failed, output: "\(index).jpg", input: InputIdentity(location: "/in/\(index)"), recipe: "v5")
            receipt.error = "It is \"damaged\"."
            try journal.append(receipt)
        }
        let whole = String(decoding: try folder.read("out/.tintype/journal.jsonl"), as: UTF8.self)
        var generator = SeededGenerator(seed: 9)
        for index in 0..<min(Self.count, 200) {
            let bytes = Self.mutate([whole], &generator)
            try folder.write(bytes, to: "damaged\(index)/.tintype/journal.jsonl")
            // A damaged line loses its receipt, and nothing else.
            let read = try Journal(outputFolder: folder.path("damaged\(index)"))
            #expect(try read.receipts(in: .failed).count <= 40)
        }
    }

    @Test func arguments() {
        let seeds = [
            "apply -f sepia -o out a.jpg", "plan -f noir -m m.jsonl -o out in",
            "apply -m m.jsonl --shard 3/24 --root x",
            "verify -m m.jsonl --no-hash",
            "apply --scale 0.5 --memory 2G --quality 85 -j 3 --retry 2 a.jpg -o b.jpg",
            "bench --json -d cpu", "gallery -f sepia --port 0 in --order barrier",
        ]
        // ArgumentParser takes 50 ms for a mistake.
        check(seeds, seed: 10, count: Self.count / 20) { bytes in
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
            _ = try TintypeCommand.parseAsRoot(words)
        }
    }
}
