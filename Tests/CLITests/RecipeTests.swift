import Foundation
import TestSupport
import Testing

/// Runs with several outputs of each photo.
struct RecipeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let recipe = """
        {
          "outputs": {
            "small": { "filters": ["resize:long=40", "sharpen"], "quality": 80, "metadata": "strip" },
            "old": { "filters": "sepia", "format": "png", "output": "{dir}/old/{stem}.{ext}" }
          }
        }
        """

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder)
    }

    private func writePhotos() throws {
        try folder.write(Array(recipe.utf8), to: "own.json")
        for name in ["a", "sub/b", "c"] {
            try folder.write(
                try TestPhoto.jpeg(width: 200, height: 150, seed: UInt64(name.count)), to: "set/\(name).jpg")
        }
    }

    private let outputs = [
        "out/a-small.jpg", "out/c-small.jpg", "out/old/a.png", "out/old/c.png", "out/sub/b-small.jpg",
        "out/sub/old/b.png",
    ]

    private func made() -> [String] {
        folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") }.sorted()
    }

    @Test func everyPhotoGetsAllOutputsAndALaterRunOnlyTheMissingOnes() throws {
        try writePhotos()
        let run = ["--recipe", "own.json", "-o", "out", "set"]
        let planned = try apply(run + ["--dry-run"])
        #expect(planned.outputLines.count == 6 && planned.errorText.contains("Would do 6 outputs."))
        let result = try apply(run + ["--json"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(made() == outputs)
        #expect(result.outputLines.count { $0.contains("\"name\":\"old\"") } == 3)

        let first = try folder.read("out/sub/b-small.jpg")
        try FileManager.default.removeItem(atPath: folder.path("out/sub/b-small.jpg"))
        let again = try apply(run)
        #expect(again.errorText.contains("1 output,") && again.errorText.contains("5 up to date"))
        #expect(try folder.read("out/sub/b-small.jpg") == first)

        let other = try apply(["-f", "sepia", "-o", "out", "set"])
        #expect(other.exitCode == 2 && other.errorText.contains("a recipe of the outputs small (-f resize:"))
        #expect(made() == outputs)
    }

    @Test func anOutputThatFailsIsNamedAndTriedAgain() throws {
        try writePhotos()
        // A file where the output's folder would be.
        try folder.write([1], to: "out/old")
        let run = ["--recipe", "own.json", "-o", "out", "set"]
        let result = try apply(run)
        #expect(result.exitCode != 0 && result.errorText.contains("set/a.jpg, output old: "))
        #expect(
            made() == [
                "out/a-small.jpg", "out/c-small.jpg", "out/old", "out/sub/b-small.jpg", "out/sub/old/b.png",
            ])
        let journal = try Tool.run(["journal", "out"], in: folder)
        #expect(journal.outputLines.contains { $0.hasPrefix("failed") && $0.hasSuffix(" 2") })

        try FileManager.default.removeItem(atPath: folder.path("out/old"))
        // The journal knows the recipe, and which output each failure was.
        let retried = try apply(["--retry-failed", "-o", "out"])
        #expect(retried.exitCode == 0 && retried.errorText.contains("2 outputs,"), "\(retried.errorText)")
        #expect(made() == outputs)
        #expect(try folder.read("out/old/a.png").starts(with: [0x89, 0x50]))
        #expect(try apply(run).errorText.contains("6 up to date"))
    }

    @Test func aRunThatIsKilledIsContinued() throws {
        try folder.write(Array(recipe.utf8), to: "own.json")
        for index in 0..<40 {
            let jpeg = try TestPhoto.jpeg(width: 300 + index, height: 250, seed: UInt64(index))
            try folder.write(jpeg, to: "set/\(index).jpg")
        }
        func arguments(_ output: String) -> [String] {
            ["apply", "-d", "cpu", "--recipe", "own.json", "-o", output, "set"]
        }
        #expect(try Tool.run(arguments("whole"), in: folder).exitCode == 0)
        for delay in [60_000, 120_000, 180_000, 240_000] as [UInt32] {
            let running = try Tool.start(arguments("out"), in: folder)
            usleep(delay)
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
        }
        let last = try Tool.run(arguments("out"), in: folder)
        #expect(last.exitCode == 0, "\(last.errorText)")
        #expect(made().count == 80)
        for name in made() {
            #expect(try folder.read(name) == folder.read("whole/\(name.dropFirst("out/".count))"), "\(name)")
        }
    }

    @Test(arguments: [
        (
            "{ \"outputs\": {\n\"a\": { \"filter\": \"sepia\" } } }",
            "line 2: There is no key 'filter'. Did you mean 'filters'?"
        ),
        (
            "{ \"outputs\": {\n\"a\": { \"filters\": \"sepai\" } } }",
            "line 2: 'filters': There is no filter 'sepai'."
        ),
        (
            "{ \"outputs\": {\n\"a\": {\n\"quality\": 101 } } }",
            "line 3: 'quality' expects a number from 1 to 100"
        ),
        (
            "{ \"outputs\": { \"a\": { \"scale\": 0.5, \"output\": \"../{stem}\" } } }",
            "below the output folder"
        ),
        (
            "{ \"outputs\": { \"a\": { \"scale\": 0.5, \"output\": \"{stm}\" } } }",
            "'output': The template has no placeholder {stm}. Did you mean {stem}?"
        ),
        (
            "{ \"outputs\": { \"a\": { \"scale\": 0.5, \"output\": \"{stem}.heic\" } } }",
            "'output': The template ends in '.heic', which is not a format that Tintype writes."
        ),
        (
            "{ \"outputs\": { \"a\": { \"format\": \"png\", \"output\": \"{stem}.jpg\" } } }",
            "'output': The template has the extension of jpeg, and 'format' says png."
        ),
        ("{ \"outputs\": { \"a\": { \"scale\": 0.5 }, \"a\": { \"scale\": 0.5 } } }", "'a' is given twice."),
        ("{ \"outputs\": { \"a\": { \"optimize\": true } } }", "'a' does nothing."),
        ("{ \"outputs\": { \"a\": { \"restart-rows\": 4 } } }", "'a' does nothing."),
        ("{ \"restart-rows\": 1001 }", "'restart-rows' expects a number from 0 to 1000, got 1001."),
        ("{ \"outputs\": { \"a\": { \"to-srgb\": 1 } } }", "'to-srgb' expects true or false, got 1."),
        (
            "{ \"outputs\": { \"a\": { \"scale\": { \"x\": 1 } } } }",
            "Values are texts, numbers, true, false, or lists of texts."
        ),
        ("{ \"outputs\": { } }", "A recipe has \"outputs\""),
        ("{ }", "A recipe has filters, such as"),
        ("{\n\"filtres\": \"sepia\" }", "line 2: There is no key 'filtres'. Did you mean 'filters'?"),
        ("{\n\"filters\": \"sepai\" }", "line 2: 'filters': There is no filter 'sepai'."),
        ("{ \"filters\": [] }", "The recipe does nothing."),
        (
            "{ \"filters\": \"sepia\",\n\"output\": \"{stem}.{ext}\" }",
            "line 2: 'output' belongs to an output with a name"
        ),
        ("{ \"filters\": \"sepia\",\n\"outputs\": {} }", "line 1: There is no key 'filters'."),
        ("{ \"output\": { } }", "There is no key 'output'. Did you mean 'outputs'?"),
    ])
    func mistakesAreNamedWithTheirLine(text: String, message: String) throws {
        try folder.write(Array(text.utf8), to: "own.json")
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 1), to: "a.png")
        let result = try apply(["--recipe", "own.json", "-o", "out", "a.png"])
        #expect(result.exitCode == 2 && result.errorText.contains("own.json, line "), "\(result.errorText)")
        #expect(result.errorText.contains(message), "\(result.errorText)")
        #expect(made().isEmpty)
    }

    private func writeLook(_ path: String, last: String = "1 1 0") throws {
        try folder.write(Array("LUT_1D_SIZE 2\n0 0 0\n\(last)\n".utf8), to: path)
    }

    private let looks = """
        { "outputs": { "warm": { "filters": "lut:file=luts/a,b.cube+watermark:file=logo.png" } } }
        """

    private func writeLooks() throws {
        try folder.write(try TestPhoto.png(width: 40, height: 30, seed: 1), to: "set/a.png")
        try folder.write(Array(looks.utf8), to: "recipes/look.json")
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 2), to: "recipes/logo.png")
        try writeLook("recipes/luts/a,b.cube")
        // In the current folder there is another one.
        try writeLook("luts/a,b.cube", last: "0 1 1")
    }

    @Test func pathsInARecipeBeginInItsFolder() throws {
        try writeLooks()
        let run = ["--recipe", "recipes/look.json", "-o", "out", "set"]
        let first = try apply(run)
        #expect(first.exitCode == 0, "\(first.errorText)")
        // From another folder, and by an absolute path, it is the same recipe.
        let absolute = [
            "--recipe", folder.path("recipes/look.json"), "-o", folder.path("out"), folder.path("set"),
        ]
        #expect(try apply(absolute).errorText.contains("1 up to date"))
        let table = try folder.read("recipes/luts/a,b.cube")
        try FileManager.default.removeItem(atPath: folder.path("recipes/luts/a,b.cube"))
        let gone = try apply(run)
        let message =
            "line 1: 'filters': lut: 'luts/a,b.cube' cannot be read: No such file or directory."
        #expect(gone.exitCode == 2 && gone.errorText.contains(message), "\(gone.errorText)")
        let retried = try apply(["--retry-failed", "-o", "out"])
        #expect(retried.exitCode == 2 && retried.errorText.contains("give the filters or the --recipe again"))
        try folder.write(table, to: "recipes/luts/a,b.cube")
        #expect(try apply(run).errorText.contains("1 up to date"))
    }

    @Test func aPlansFilesAreFoundWhereverItsShardsRun() throws {
        try writeLooks()
        func tool(_ arguments: [String]) throws -> Tool.Result { try Tool.run(arguments, in: folder) }
        let plan = try tool(["plan", "-m", "m.jsonl", "--recipe", "recipes/look.json", "-o", "out", "set"])
        #expect(plan.exitCode == 0, "\(plan.errorText)")
        #expect(try apply(["-m", "m.jsonl"]).exitCode == 0)
        #expect(try tool(["status", "-m", "m.jsonl"]).outputText.contains("1 of 1 outputs"))
        // On another machine, they are beside the manifest.
        let first = try folder.read("out/a-warm.png")
        for name in ["recipes", "luts", "out"] {
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        let lost = try apply(["-m", "m.jsonl"])
        #expect(lost.exitCode == 2 && lost.errorText.contains("put it into the folder of the manifest"))
        #expect(try tool(["status", "-m", "m.jsonl"]).exitCode != 2)
        try folder.write(try folder.read("m.jsonl"), to: "cluster/m.jsonl")
        try writeLook("cluster/luts/a,b.cube")
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 2), to: "cluster/logo.png")
        let elsewhere = try apply(["-m", "cluster/m.jsonl"])
        #expect(elsewhere.exitCode == 0, "\(elsewhere.errorText)")
        #expect(try folder.read("out/a-warm.png") == first)
    }

    @Test func aRecipeMayComeThroughAPipe() throws {
        try folder.write(try TestPhoto.png(width: 40, height: 30, seed: 1), to: "a.png")
        try folder.write(Array(recipe.utf8), to: "own.json")
        let arguments = ["apply", "-d", "cpu", "--recipe", "-", "-o", "out", "a.png"]
        let input = try Tool.run(arguments, in: folder, input: Array(recipe.utf8))
        #expect(input.exitCode == 0 && made().count == 2, "\(input.errorText)")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        shell.environment = Tool.environment
        // The writer comes late, and writes in pieces.
        shell.arguments = [
            "-c",
            "'\(Tool.path)' apply -q -d cpu --recipe <(sleep 0.2; head -c 30 own.json; sleep 0.2; tail -c +31 own.json) -o pipe a.png",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(folder.files().filter { $0.hasPrefix("pipe/") }.count == 2)
        let twice = try Tool.run(
            ["apply", "-d", "cpu", "--recipe", "-", "-o", "out", "-"], in: folder, input: Array(recipe.utf8))
        #expect(twice.exitCode == 2 && twice.errorText.contains("give '-' once"), "\(twice.errorText)")
    }

    @Test func theRecipeDecidesWhatFlagsWould() throws {
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 1), to: "a.png")
        for flags in [["-f", "sepia"], ["--quality", "80"], ["--no-strip"], ["--scale", "0.5"]] {
            let result = try apply(["--recipe", "web", "-o", "out", "a.png"] + flags)
            #expect(result.exitCode == 2 && result.errorText.contains("--recipe decides"), "\(flags)")
        }
        for output in [[], ["-o", "b.png"], ["-o", "out/{stem}.{ext}"], ["-o", "-"]] {
            let result = try apply(["--recipe", "web", "a.png"] + output)
            #expect(
                result.exitCode == 2 && result.errorText.contains("a template with {output}"), "\(output)")
        }
    }

    @Test func anOutputWithoutANameIsThatOfTheFlags() throws {
        try folder.write(
            Array(#"{ "filters": ["sepia", "noir"], "quality": 70, "metadata": "strip" }"#.utf8),
            to: "own.json")
        try folder.write(try TestPhoto.jpeg(width: 90, height: 60, seed: 1), to: "set/a.jpg")
        let flags = ["-f", "sepia+noir", "--quality", "70", "--strip"]
        let made = try apply(["--recipe", "own.json", "-o", "out", "set"])
        #expect(made.exitCode == 0 && self.made() == ["out/a.jpg"], "\(made.errorText)")
        // To a folder's journal, both are the same recipe.
        #expect(try apply(flags + ["-o", "out", "set"]).errorText.contains("1 up to date"))
        for output in ["b.jpg", "c/{stem}-{chain}.{ext}"] {
            #expect(try apply(["--recipe", "own.json", "-o", output, "set"]).exitCode == 0)
        }
        let beside = try apply(["--recipe", "own.json", "set"])
        #expect(beside.exitCode == 0, "\(beside.errorText)")
        let expected = try folder.read("out/a.jpg")
        for name in ["b.jpg", "c/a-sepia+noir.jpg", "set/a-sepia+noir.jpg"] {
            #expect(try folder.read(name) == expected, "\(name)")
        }
        let piped = try Tool.run(
            ["apply", "-d", "cpu", "--recipe", "own.json", "-o", "-", "-"], in: folder,
            input: try folder.read("set/a.jpg"))
        #expect(piped.output == expected)
    }

    @Test func anOutputWithoutANameHasNoNameInTemplates() throws {
        try folder.write(Array(#"{ "filters": "sepia", "format": "png" }"#.utf8), to: "own.json")
        try folder.write(try TestPhoto.png(width: 9, height: 9, seed: 1), to: "a.png")
        let named = try apply(["--recipe", "own.json", "-o", "out/{output}/{stem}.{ext}", "a.png"])
        #expect(named.exitCode == 2 && named.errorText.contains("give a --recipe with \"outputs\""))
        let other = try apply(["--recipe", "own.json", "-o", "b.jpg", "a.png"])
        #expect(other.exitCode == 2 && other.errorText.contains("the recipe says png"), "\(other.errorText)")
    }

    @Test(arguments: ["web", "print", "looks"]) func shippedRecipesWork(name: String) throws {
        try folder.write(try TestPhoto.jpeg(width: 90, height: 60, seed: 1), to: "a.jpg")
        let text = try Tool.run(["recipes", name], in: folder)
        try folder.write(text.output, to: "own.json")
        for recipe in [name, "own.json"] {
            let result = try apply(["--recipe", recipe, "-o", "out", "a.jpg"])
            #expect(result.exitCode == 0, "\(result.errorText)")
        }
        #expect(made().count == (name == "print" ? 2 : 3))
        #expect(try Tool.run(["recipes"], in: folder).outputText.contains(name))
    }
}
