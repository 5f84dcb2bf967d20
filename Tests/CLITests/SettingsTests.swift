import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// The settings file, as it is read.
struct SettingsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func takeSettings(_ json: String, _ flags: [String]) throws -> ApplyCommand {
        let path = try folder.write(Array(json.utf8), to: "config.json")
        var command = try ApplyCommand.parse(["--no-config"] + flags)
        command.settingsChoice.noConfig = false
        try command.takeSettings(["TINTYPE_CONFIG": path])
        return command
    }

    @Test func settingsFillWhatTheFlagsLeaveOpen() throws {
        let command = try takeSettings(
            """
            {"quality": 85, "format": "png", "strip": true, "keep-times": true, "jobs": 3, "memory": "2G",
             "device-codec": "never", "restart-rows": 4,
             "to-srgb": true, "auto-orient": true, "exclude": ["*.png", "\\u00e4"], "device": "cpu", "retry": 0}
            """, ["-f", "sepia", "-j2", "--no-strip", "a.jpg"])
        #expect(
            command.recipe.quality == .value(85) && command.recipe.format == .png
                && command.outputs.keepTimes == true)
        #expect(command.limits.jobs == 2 && command.recipe.strip == false && command.recipe.toSRGB == true)
        #expect(command.recipe.autoOrient == true && command.deviceChoice.deviceCodec == .never)
        #expect(command.recipe.restartRows?.count == 4)
        #expect(command.limits.memory == ByteSize(byteCount: 2 << 30) && command.sources.network.retry == 0)
        #expect(command.files.exclude == ["*.png", "ä"] && command.deviceChoice.devices == ["cpu"])
        #expect(command.settingsTaken?.has("quality") == true && command.settingsTaken?.has("jobs") == false)
    }

    /// As Windows' editors write it.
    @Test func aByteOrderMarkIsNoPartOfTheFile() throws {
        #expect(
            try takeSettings("\u{FEFF}{\"quality\": 80}", ["-f", "sepia", "a.jpg"]).recipe.quality
                == .value(80))
        let recipe = try folder.write(
            Array("\u{FEFF}{\"outputs\": {\"web\": {\"filters\": \"sepia\"}}}".utf8), to: "recipe.json")
        guard case .several(let outputs) = try RecipeFile(recipe).outputs else {
            Issue.record("the recipe has a named output")
            return
        }
        #expect(outputs.count == 1)
        let key = try folder.write(Array("\u{FEFF}\(String(repeating: "0a", count: 32))\n".utf8), to: "key")
        _ = try DecryptionKey(file: key)
    }

    @Test func listsOfFlagsReplaceThoseOfTheFile() throws {
        let command = try takeSettings(
            #"{"device": ["gpu"], "exclude": "*.png"}"#,
            ["-f", "sepia", "-d", "cpu", "--exclude", "b", "a.jpg"])
        #expect(command.deviceChoice.devices == ["cpu"] && command.files.exclude == ["b"])
    }

    @Test func whatTheRecipeDecidesIsNotTaken() throws {
        let command = try takeSettings(
            """
            {"format": "png", "quality": 85, "strip": true, "optimize": true, "restart-rows": 4, "to-srgb": true,
             "auto-orient": true, "jobs": 2}
            """, ["--recipe", "web", "-o", "out", "a.jpg"])
        #expect(
            command.recipe.restartRows == nil && command.recipe.toSRGB == nil
                && command.recipe.autoOrient == nil
                && command.limits.jobs == 2)
        #expect(command.settingsTaken?.text?.hasSuffix("config.json: jobs 2.") == true)
    }

    @Test func whatTheManifestDecidesIsNotTaken() throws {
        var command = try ApplyCommand.parse(["--no-config", "-f", "sepia", "a.jpg"])
        command.settingsChoice.noConfig = false
        command.shards.manifestPath = "m.jsonl"
        let path = try folder.write(
            Array(#"{"output": "mine", "exclude": "*.png", "quality": 85, "keep-times": true}"#.utf8),
            to: "config.json")
        try command.takeSettings(["TINTYPE_CONFIG": path])
        #expect(command.outputs.output == nil && command.files.exclude == [] && command.recipe.quality == nil)
        #expect(command.settingsTaken?.text?.hasSuffix("config.json: keep-times true.") == true)
    }

    @Test func anOutputsExtensionWinsOverTheFilesFormat() throws {
        let command = try takeSettings(#"{"format": "png"}"#, ["-f", "sepia", "-o", "b.jpg", "a.jpg"])
        #expect(try command.settings().recipes[0].recipe.format == .jpeg)
    }

    private static let mistakes: [(String, line: Int, String)] = [
        ("{\n\"qualty\": 85}", 2, "There is no setting 'qualty'. Did you mean 'quality'?"),
        ("{\"overwrite\": true}", 1, "There are: format, quality"),
        (
            "{\"jobs\": 2,\n\n\"quality\": 0}", 3,
            "'quality' expects a number from 1 to 100, or \"keep\", got 0."
        ),
        ("{\"jobs\": \"many\"}", 1, "'jobs' expects a number from 1 on, got \"many\"."),
        ("{\n \"jobs\": 0\n}", 2, "'jobs': --jobs expects a number from 1 on, got 0."),
        ("{\"memory\": \"1K\"}", 1, "'memory': --memory expects at least"),
        ("{\"strip\": \"yes\"}", 1, "'strip' expects true or false, got \"yes\"."),
        ("{\"strip\": null}", 1, "got null"),
        ("{\"output\": \"-\"}", 1, "'output' expects a folder or a template"),
        ("{\"jobs\": 2,\n\"jobs\": 3}", 2, "The setting 'jobs' is given twice."),
        ("{\"jobs\": 2\n\"quality\": 3}", 2, "A comma or } is missing here."),
        ("{\"jobs\": 2,\n}", 2, "A setting's name in quotes is missing here."),
        ("{\"format\": png}", 1, "png is no JSON value. A text needs quotes: \"png\"."),
        ("{\"format\": \"png\n\"}", 1, "The closing quote of a text is missing."),
        ("{\"format\": \"\\x\"}", 1, "escapes that JSON does not allow"),
        ("{\"format\"\n 2}", 2, "A colon is missing after \"format\"."),
        ("{\"jobs\": }", 1, "A value is missing here."), ("{\"jobs\": 01}", 1, "01 is no JSON value."),
        ("{\"exclude\": [1]}", 1, "A list has texts in quotes."),
        ("{\"jobs\": {}}", 1, "Values are texts"), ("{}\n{}", 2, "after the closing brace"),
        ("jobs = 2", 1, "The file must hold a JSON object"), ("{\"jobs\": 2", 1, "A comma or } is missing"),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsNamedWithItsLine(json: String, line: Int, complaint: String) throws {
        let error = #expect(throws: SettingsError.self) {
            _ = try takeSettings(json, ["-f", "sepia", "--strip", "a.jpg"])
        }
        #expect(
            error?.line == line && error?.description.contains(complaint) == true,
            "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix(folder.path("config.json, line \(line): ")) == true)
    }

    @Test func theFileIsFoundByTheEnvironment() {
        #expect(
            SettingsFile.Location(["HOME": "/home/ann"])?.path == "/home/ann/.config/tintype/config.json")
        #expect(
            SettingsFile.Location(["HOME": "/home/ann", "XDG_CONFIG_HOME": "/etc/ann"])?.path
                == "/etc/ann/tintype/config.json")
        let relative = SettingsFile.Location([
            "HOME": "/home/ann", "XDG_CONFIG_HOME": "x", "TINTYPE_CONFIG": "",
        ])
        #expect(relative?.path == "/home/ann/.config/tintype/config.json" && relative?.isNamed == false)
        let named = SettingsFile.Location(["HOME": "/home/ann", "TINTYPE_CONFIG": "my.json"])
        #expect(named?.path == "my.json" && named?.isNamed == true)
        #expect(SettingsFile.Location([:]) == nil)
    }

    @Test func whatTheToolRemembersLiesInTheStateFolder() {
        #expect(StateFolder.path(["HOME": "/home/ann"]) == "/home/ann/.local/state/tintype")
        #expect(StateFolder.path(["HOME": "/home/ann", "XDG_STATE_HOME": "/var/ann"]) == "/var/ann/tintype")
        #expect(
            StateFolder.path(["HOME": "/home/ann", "XDG_STATE_HOME": "x"]) == "/home/ann/.local/state/tintype"
        )
        #expect(StateFolder.path(["HOME": ""]) == nil)
    }
}

/// The settings file, with the built tool.
struct SettingsRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 40, height: 30, seed: 1), to: "set/a.jpg")
    }

    private func run(_ arguments: [String], settings: String) throws -> Tool.Result {
        let path = try folder.write(Array(settings.utf8), to: "config/tintype/config.json")
        #expect(path.hasSuffix("tintype/config.json"))
        return try Tool.run(
            arguments, in: folder,
            environment: ["TINTYPE_CONFIG": "", "XDG_CONFIG_HOME": folder.path("config")])
    }

    @Test func aRunTakesItsSettingsAndADryRunNamesThem() throws {
        let settings = #"{"format": "png", "output": "out", "keep-times": true, "jobs": 2}"#
        let dry = try run(["apply", "-f", "sepia", "-j1", "--dry-run", "set"], settings: settings)
        #expect(dry.outputLines == ["set/a.jpg -> out/a.png"])
        let line = "Settings of \(folder.path("config/tintype/config.json")): "
        #expect(dry.errorText.contains(line + "format \"png\", output \"out\", keep-times true.\n"))
        let done = try run(["apply", "-f", "sepia", "set"], settings: settings)
        #expect(done.exitCode == 0 && !done.errorText.contains("Settings"), "\(done.errorText)")
        #expect(folder.files().contains("out/a.png"))
        #expect(try folder.modificationTime("out/a.png") == folder.modificationTime("set/a.jpg"))
        let bare = try run(["apply", "-f", "sepia", "--dry-run", "--no-config", "set"], settings: settings)
        #expect(bare.outputLines == ["set/a.jpg -> set/a-sepia.jpg"] && !bare.errorText.contains("Settings"))
    }

    @Test func settingsAloneAskForNoConversion() throws {
        let settings = #"{"format": "png", "strip": true, "quality": 80}"#
        let result = try run(["apply", "-o", "out", "set"], settings: settings)
        #expect(result.exitCode == 2 && result.errorText.contains("nothing to do"))
    }

    /// The folder's recipe counts, not that of the settings.
    @Test func failedPhotosAreRetriedWithTheFoldersRecipe() throws {
        try folder.write(FirstBytes.jpeg, to: "set/b.jpg")
        #expect(try run(["apply", "-f", "sepia", "-o", "out", "set"], settings: "{}").exitCode == 1)
        try folder.write(try TestPhoto.jpeg(width: 20, height: 30, seed: 2), to: "set/b.jpg")
        let result = try run(
            ["apply", "--retry-failed", "-o", "out"], settings: #"{"format": "png", "quality": 80}"#)
        #expect(result.exitCode == 0 && folder.files().contains("out/b.jpg"), "\(result.errorText)")
    }

    @Test func aWrongFileIsAnErrorUnlessItIsIgnored() throws {
        let arguments = ["apply", "-f", "sepia", "-o", "out", "set"]
        let wrong = try run(arguments, settings: "{\n  \"jbos\": 2\n}\n")
        #expect(wrong.exitCode == 2)
        #expect(
            wrong.errorText.contains("config.json, line 2: There is no setting 'jbos'. Did you mean 'jobs'?"))
        #expect(try run(arguments + ["--no-config"], settings: "no JSON").exitCode == 0)
        let missing = try Tool.run(arguments, in: folder, environment: ["TINTYPE_CONFIG": "gone.json"])
        #expect(
            missing.exitCode == 2 && missing.errorText.contains("gone.json: The settings file cannot be read")
        )
        #expect(!missing.errorText.contains("Correct the file"))
        let none = try Tool.run(
            arguments, in: folder,
            environment: ["TINTYPE_CONFIG": "", "XDG_CONFIG_HOME": folder.path("set/a.jpg")])
        #expect(none.exitCode == 0, "\(none.errorText)")
    }

    @Test func aRunThatCannotStartNamesItsSettings() throws {
        let result = try run(["apply", "-f", "sepia", "set"], settings: #"{"device": "no-such-device"}"#)
        #expect(result.exitCode == 4 && result.errorText.contains("no-such-device"))
        #expect(result.errorText.contains("config.json: device \"no-such-device\"."), "\(result.errorText)")
    }

    @Test(arguments: [
        (#""kernel": "missing.cl""#, "config/tintype/missing.cl' cannot be read", #"kernel "missing.cl""#),
        (#""output": "out/{nonsense}""#, "{nonsense}", #"output "out/{nonsense}""#),
        (#""keep-times": true, "output": "s3://b/out""#, "--keep-times does not go", "keep-times true"),
    ])
    func aMistakeThatShowsLaterNamesTheFile(setting: String, message: String, name: String) throws {
        let result = try run(["apply", "-f", "sepia", "set"], settings: "{\(setting)}")
        #expect(result.exitCode == 2 && result.errorText.contains(message), "\(result.errorText)")
        let line = try #require(result.errorText.split(separator: "\n").first { $0.contains("Settings of") })
        #expect(line.contains("config.json: ") && line.contains(name), "\(line)")
    }

    @Test func theConfigCommandShowsAllSettings() throws {
        let result = try run(["config"], settings: #"{"quality": 85}"#)
        #expect(result.exitCode == 0 && result.outputLines[0] == folder.path("config/tintype/config.json"))
        #expect(result.outputLines.contains { $0.hasPrefix("quality ") && $0.contains(" 85 ") })
        #expect(result.outputLines.contains { $0.hasPrefix("jobs ") && $0.contains(" - ") })
        let wrong = try run(["config"], settings: #"{"quality": 850}"#)
        #expect(wrong.exitCode == 2 && !wrong.errorText.contains("--no-config"), "\(wrong.errorText)")
    }
}
