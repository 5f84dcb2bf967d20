import ArgumentParser
import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// The tool takes every command line of the README, the guide and the reference.
struct DocumentedCommandsTests {
    private static let pages = DocumentedPage.all.filter { !$0.examples.isEmpty }

    /// A folder with the files that the pages name.
    private static func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let photos = [
            "photos/2024/stream.jpg", "photos/2024/sunset.jpg", "photos/2025/meadow.jpg", "incoming/a.jpg",
        ]
        for (seed, name) in photos.enumerated() {
            try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: UInt64(seed)), to: name)
        }
        let recipes = try #require(pages.first { $0.name == "docs/guide/recipes.md" })
        let recipe = try #require(recipes.blocks(of: "json").first)
        for name in ["web.json", "own.json"] { try folder.write(Array(recipe.utf8), to: name) }
        try folder.write(Array(#"{ "outputs": { "web": { "qualty": 85 } } }"#.utf8), to: "bad.json")
        let glow = DocumentedPage.root.appendingPathComponent("Examples/Sources/GlowKernel/glow.cl")
        try folder.write([UInt8](try Data(contentsOf: glow)), to: "glow.cl")
        let runs = [
            ["plan", "photos", "-o", "planned", "--recipe", "web.json", "-m", "manifest.jsonl"],
            ["apply", "-q", "-d", "cpu", "-f", "sepia", "-o", "out", "photos"],
        ]
        for run in runs { #expect(try Tool.run(run, in: folder).exitCode == 0) }
        for name in ["m.jsonl", "rest.jsonl"] {
            try folder.write(try folder.read("manifest.jsonl"), to: name)
        }
        return folder
    }

    @Test func thePagesHaveCommands() {
        #expect(Self.pages.count > 15 && Self.pages.reduce(0) { $0 + $1.examples.count } > 80)
        #expect(Self.pages.contains { $0.name == "README.md" })
        #expect(Self.pages.contains { $0.name == "docs/reference/messages.md" })
    }

    @Test(arguments: pages)
    func theToolTakesTheCommandsThatAPageShows(page: DocumentedPage) throws {
        let folder = try Self.makeFolder()
        for example in page.examples {
            for command in example.commands {
                if example.isRefused {
                    let result = try Tool.run(command, in: folder)
                    #expect(result.exitCode == 2 && example.shows(result.outputText + result.errorText))
                } else if command.contains("--kernel") {
                    // It would stay registered in this process.
                    let result = try Tool.run(command, in: folder)
                    #expect(result.exitCode == 0, "\(result.errorText)")
                } else {
                    try parse(command, in: folder)
                }
            }
        }
    }

    private func parse(_ command: [String], in folder: TemporaryFolder) throws {
        // Files by their full paths: tests run beside each other, so the current folder stays.
        var words = command.map { word in
            FileManager.default.fileExists(atPath: folder.path(word)) ? folder.path(word) : word
        }
        if words.first == "apply" { words.insert("--no-config", at: 1) }
        // Here, standard output may be a terminal, which gets no photo.
        if words.suffix(3) == ["-o", "-", "-"] { words.append("--dry-run") }
        #expect(throws: Never.self, "\(command)") { _ = try TintypeCommand.parseAsRoot(words) }
    }

    @Test func aLineIsSplitAsAShellDoes() {
        let line = "cat a |tintype apply -o 'out/{dir} x' - < in.jpg > out.jpg || tintype devices  # why"
        #expect(
            ShellLine(line).commands == [
                ["cat", "a"], ["tintype", "apply", "-o", "out/{dir} x", "-"], ["tintype", "devices"],
            ])
    }

    @Test func eachFilterHasAPictureAndAnExample() throws {
        let page = try #require(Self.pages.first { $0.name == "docs/guide/filters.md" })
        let pictures = DocumentedPage.root.appendingPathComponent("docs/images/filters")
        let row = /\| !\[.+?\]\(\.\.\/images\/filters\/(.+?)\.jpg\) \|.*?`-f (.+?)`/
        let examples = Dictionary(
            uniqueKeysWithValues: page.text.matches(of: row).map { (String($0.1), String($0.2)) })
        // By the tool, because tests of kernels register filters in this process.
        let listed = try Tool.run(["filters", "--json"], in: TemporaryFolder())
        let filters = try JSONSerialization.jsonObject(with: Data(listed.output)) as? [[String: Any]]
        #expect(Set(filters?.compactMap { $0["name"] as? String } ?? []) == Set(examples.keys))
        for (name, text) in examples {
            #expect(text.prefix { $0 != ":" } == name)
            let picture = pictures.appendingPathComponent("\(name).jpg")
            #expect(try EncodedImage(path: picture.path).format == .jpeg)
        }
    }

    @Test func thePageOfKernelsShowsTheExample() throws {
        let page = try #require(Self.pages.first { $0.name == "docs/guide/own-filters.md" })
        let example = DocumentedPage.root.appendingPathComponent("Examples/Sources/GlowKernel/glow.cl")
        let shown = try #require(page.blocks(of: "c").first)
        #expect(try String(contentsOf: example, encoding: .utf8).contains(shown))
    }
}
