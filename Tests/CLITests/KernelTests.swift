import Foundation
import TestSupport
import Testing

/// Filters that users write, in the tool.
struct KernelTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "a.jpg")
        try write("c->r = c->r + a->amount * a->tint[0];")
    }

    private func write(_ body: String, to name: String = "glow.cl") throws {
        let text = """
            // summary: Soft light
            // parameter: amount = 0.5 in 0...1, how much
            // parameter: tint = #ffe0b0, which colour
            ARGUMENTS(glow) { float amount, tint[3]; };
            POINT(glow, c, at, a) { \(body) }
            """
        try folder.write(Array(text.utf8), to: name)
    }

    private func run(_ arguments: String..., config: String = "/dev/null") throws -> Tool.Result {
        try run(arguments, config: config)
    }

    private func run(_ arguments: [String], config: String = "/dev/null") throws -> Tool.Result {
        try Tool.run(
            arguments, in: folder,
            environment: ["TINTYPE_CONFIG": config, "XDG_CACHE_HOME": folder.path("cache")])
    }

    @Test func aKernelIsAFilter() throws {
        let first = try run(
            "apply", "-d", "cpu", "--kernel", "glow.cl", "-f", "noir+glow:amount=40%", "-o", "out", "a.jpg")
        #expect(first.exitCode == 0, "\(first.errorText)")
        let plain = try run("apply", "-d", "cpu", "-f", "noir", "-o", "plain", "a.jpg")
        #expect(plain.exitCode == 0)
        #expect(try folder.read("out/a.jpg") != folder.read("plain/a.jpg"))
        let list = try run("filters", "--kernel", "glow.cl")
        #expect(list.outputText.contains("Your own\n\nglow: Soft light\n"))
        let one = try run("filters", "--kernel", "glow.cl", "glow")
        #expect(one.outputText.contains("  amount  0 to 1    fraction  default 0.5      how much\n"))
        #expect(one.outputText.contains("  tint    a colour            default #ffe0b0  which colour\n"))
        #expect(
            one.outputText.hasSuffix(
                "\n  tintype apply --kernel glow.cl -f glow:amount=0.5,tint=#ffe0b0 photo.jpg\n"))
    }

    @Test func aChangedKernelIsAnotherRecipe() throws {
        let arguments = ["apply", "-d", "cpu", "--kernel", "glow.cl", "-f", "glow", "-o", "out", "a.jpg"]
        func run() throws -> Tool.Result {
            try Tool.run(arguments, in: folder, environment: ["XDG_CACHE_HOME": folder.path("cache")])
        }
        #expect(try run().exitCode == 0)
        let again = try run()
        #expect(again.exitCode == 0 && again.errorText.contains("up to date"), "\(again.errorText)")
        try write("c->r = c->r - a->amount * a->tint[0];")
        let changed = try run()
        #expect(changed.exitCode != 0 && changed.errorText.contains("code="), "\(changed.errorText)")
    }

    @Test func mistakesEndTheRunBeforeItBegins() throws {
        for (name, body, complaint) in [
            ("glow.cl", "c->r = amount;", "'glow.cl' cannot be compiled for the CPU"),
            ("sepia.cl", "", "'sepia.cl': expected a function 'POINT(sepia, c, at, a)"),
            ("missing.cl", nil, "'missing.cl' cannot be read: No such file or directory."),
        ] as [(String, String?, String)] {
            if let body { try write(body, to: name) }
            let result = try run(
                "apply", "-d", "cpu", "--kernel", name, "-f", "glow", "-o", "out", "a.jpg")
            #expect(result.exitCode == 2)
            #expect(result.errorText.contains(complaint), "\(result.errorText)")
        }
        #expect(folder.files().filter { $0.hasPrefix("out") } == [])
    }

    /// The function crashes between the default and an end of its range.
    @Test func settingsThatCrashEndTheRunBeforeItBegins() throws {
        try write(
            "volatile int zero = 0; if (a->amount > 0.2f && a->amount < 0.4f) c->r = (float)(at.x / zero);")
        try folder.write(Array(#"{ "filters": "glow:amount=0.3" }"#.utf8), to: "recipe.json")
        for flags in [["-f", "glow:amount=0.3"], ["--recipe", "recipe.json"]] {
            let result = try run(["apply", "-d", "cpu", "--kernel", "glow.cl", "-o", "out", "a.jpg"] + flags)
            #expect(result.exitCode == 2)
            #expect(
                result.errorText.contains("'glow.cl' crashes on the CPU with amount=0.3,tint=#ffe0b0 ("),
                "\(result.errorText)")
        }
        #expect(folder.files().filter { $0.hasPrefix("out") } == [])
        let other = try run(
            ["apply", "-d", "cpu", "--kernel", "glow.cl", "-f", "glow:amount=0.1", "-o", "out", "a.jpg"])
        #expect(other.exitCode == 0, "\(other.errorText)")
    }

    @Test(arguments: ["sepia", "vignette", "tilt_shift", "colour_matrix"])
    func namesAreTakenOnce(stem: String) throws {
        let text = "// summary: Mine\nPOINT(\(stem), c, at, a) { c->r = 0.0f; }"
        try folder.write(Array(text.utf8), to: "\(stem).cl")
        let result = try run("filters", "--kernel", "\(stem).cl")
        #expect(result.exitCode == 2)
        #expect(result.errorText.contains("is taken; rename the file"), "\(result.errorText)")
    }

    @Test func theSettingsFileMayNameKernels() throws {
        let config = try folder.write(
            Array(#"{ "kernel": ["glow.cl"] }"#.utf8), to: "settings/config.json")
        try FileManager.default.moveItem(
            atPath: folder.path("glow.cl"), toPath: folder.path("settings/glow.cl"))
        let result = try run(
            "apply", "-d", "cpu", "-f", "glow", "-o", "out", "a.jpg", config: config)
        #expect(result.exitCode == 0, "\(result.errorText)")
    }
}
