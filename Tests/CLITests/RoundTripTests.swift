import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// What one part of the tool writes is read by another.
struct RoundTripTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Gallery: Decodable {
        struct Recipe: Decodable {
            let chain: String
            let command: String
        }

        let recipe: Recipe
    }

    /// Starts a gallery, and asks it what its page would.
    private func recipe(ofGallery arguments: [String]) async throws -> Gallery.Recipe {
        let running = try Tool.start(["gallery", "-d", "cpu"] + arguments, in: folder)
        defer {
            running.process.terminate()
            running.process.waitUntilExit()
        }
        _ = try await eventually { try !running.outputText().isEmpty || !running.process.isRunning }
        let text = try running.outputText().trimmingCharacters(in: .whitespacesAndNewlines)
        let complaint = try running.errorText()
        let address = try #require(URL(string: text), "\(complaint)")
        // What the address itself would set. Foundation drops it on the way to the page.
        let token = try #require(address.query()?.split(separator: "=").last)
        var request = URLRequest(url: try #require(URL(string: "/api/gallery", relativeTo: address)))
        request.setValue("tintype-\(address.port ?? 80)=\(token)", forHTTPHeaderField: "cookie")
        let session = URLSession(configuration: .ephemeral)
        return try JSONDecoder().decode(Gallery.self, from: try await session.data(for: request).0).recipe
    }

    private func writePhotos() throws {
        for (number, name) in ["set/a", "set/ab", "set/b", "other/c"].enumerated() {
            try folder.write(
                try TestPhoto.jpeg(width: 90, height: 60, seed: UInt64(number)), to: "\(name).jpg")
        }
        try folder.write(Array("other/c.jpg\n".utf8), to: "list.txt")
        try folder.write(Array("other/c.jpg\n".utf8), to: "a list.csv")
    }

    /// An argument that is named like a list is a list to the gallery, and to `apply` only as `--files-from`.
    @Test(
        arguments: [
            (["set"], ["a", "ab", "b"]), (["--include", "a*", "--exclude", "*b*", "set"], ["a"]),
            (["--retry", "1", "list.txt", "set/b.jpg"], ["b", "c"]),
            (["--files-from", "a list.csv", "--max-download", "100M"], ["c"]),
        ] as [([String], [String])])
    func theGallerysCommandTakesTheSamePhotos(inputs: [String], names: [String]) async throws {
        try writePhotos()
        let chain = "sepia:intensity=0.5+grain:size=0.2%,amount=0.3"
        let recipe = try await recipe(ofGallery: ["-f", chain] + inputs)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", recipe.command]
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let tools = URL(fileURLWithPath: Tool.path).deletingLastPathComponent().path
        shell.environment = Tool.environment.merging(["PATH": "\(tools):/usr/bin:/bin"]) { $1 }
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(recipe.command)")
        // Below the folder of photos, if one is named.
        let made = folder.files().filter { $0.contains("filtered/") && $0.hasSuffix(".jpg") }
        let madeNames = made.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted()
        #expect(madeNames == names.map { $0 + ".jpg" }, "\(recipe.command)")
        for path in made {
            let name = URL(fileURLWithPath: path).lastPathComponent
            let original = name == "c.jpg" ? "other/c.jpg" : "set/\(name)"
            let apply = ["apply", "-q", "-d", "cpu", "-f", chain, "-o", "expected/\(name)", original]
            #expect(try Tool.run(apply, in: folder).exitCode == 0)
            #expect(try folder.read(path) == folder.read("expected/\(name)"), "\(path)")
        }
    }

    /// What the page saves, as `recipe.js` writes it.
    @Test func theGallerysRecipeIsTakenByApplyAndByTheGallery() async throws {
        try writePhotos()
        let chain = "sepia:intensity=0.5+duotone:shadows=#123456"
        let saved = try await recipe(ofGallery: ["-f", chain, "set"])
        let file = try JSONSerialization.data(withJSONObject: ["filters": saved.chain])
        try folder.write(Array(file), to: "recipe.json")
        for (name, flags) in [("recipe", ["--recipe", "recipe.json"]), ("flags", ["-f", chain])] {
            let result = try Tool.run(["apply", "-d", "cpu", "-o", name] + flags + ["set/a.jpg"], in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
        }
        #expect(try folder.read("recipe/a.jpg") == folder.read("flags/a.jpg"))
        #expect(try await recipe(ofGallery: ["--recipe", "recipe.json", "set"]).chain == saved.chain)
        // A table beside the recipe; the command is for the current folder.
        try folder.write(Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8), to: "looks/look.cube")
        try folder.write(Array(#"{ "filters": "lut:file=look.cube" }"#.utf8), to: "looks/own.json")
        let own = try await recipe(ofGallery: ["--recipe", "looks/own.json", "set"])
        #expect(own.command.contains("lut:file=looks/look.cube#"), "\(own.command)")
    }

    @Test(arguments: [
        (#"{ "filters": "sepia", "quality": 80 }"#, "asks for more than filters"),
        (#"{ "outputs": { "a": { "filters": "sepia" } } }"#, "asks for more than filters"),
        (#"{ "filters": "sepai" }"#, "Did you mean 'sepia'?"),
    ])
    func theGalleryRefusesRecipesThatItCannotShow(text: String, message: String) throws {
        try folder.write(Array(text.utf8), to: "own.json")
        let result = try Tool.run(["gallery", "--recipe", "own.json", "set"], in: folder)
        #expect(result.exitCode == 2 && result.errorText.contains(message), "\(result.errorText)")
    }

    private func example(inHelpOf command: String) throws -> [UInt8] {
        let help = try Tool.run(["help", command], in: folder).outputText
        let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return Array(try #require(lines.first { $0.hasPrefix("{ ") && $0.hasSuffix(" }") }).utf8)
    }

    @Test func theExamplesOfHelpAreTaken() throws {
        try writePhotos()
        let settings = try folder.write(try example(inHelpOf: "config"), to: "config.json")
        let recipe = try folder.write(try example(inHelpOf: "recipes"), to: "own.json")
        for (name, flags, environment) in [
            ("settings", ["-f", "sepia"], ["TINTYPE_CONFIG": settings]),
            ("recipe", ["--recipe", recipe], [:]),
        ] {
            let result = try Tool.run(
                ["apply", "-d", "cpu", "-o", name] + flags + ["set/a.jpg"], in: folder,
                environment: environment)
            #expect(result.exitCode == 0 && folder.files().contains("\(name)/a.jpg"), "\(result.errorText)")
        }
    }

    @Test func devicesAreTakenAsTheyAreListed() throws {
        struct Device: Decodable {
            let device: String
            let name: String
        }
        try writePhotos()
        let listed = try Tool.run(["devices", "--json"], in: folder)
        let devices = try JSONDecoder().decode([Device].self, from: Data(listed.output))
        #expect(devices.count > 1)
        for device in devices.flatMap({ [$0.device, $0.name] }) {
            let result = try Tool.run(
                [
                    "apply", "--no-journal", "--overwrite", "-q", "-d", device, "-f", "sepia", "-o", "out",
                    "set/a.jpg",
                ],
                in: folder)
            #expect(result.exitCode == 0, "\(device): \(result.errorText)")
        }
    }
}
