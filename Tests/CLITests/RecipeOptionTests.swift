import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI

/// Each option of recipes, as a flag, a canonical text, a recipe file and a settings file have it.
struct RecipeOptionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Values of each option: as flags, and as JSON in recipe files.
    private static let values: [String: [(flags: [String], json: String)]] = [
        "format": [(["--format", "png"], "\"png\""), (["--format", "jpeg"], "\"jpeg\"")],
        "quality": [(["--quality", "1"], "1"), (["--quality", "100"], "100")],
        "max-bytes": [(["--max-bytes", "500K"], "\"500K\""), (["--max-bytes", "12345"], "12345")],
        "raw": [(["--raw", "develop"], "\"develop\"")],
        "scale": [(["--scale", "0.5"], "0.5")],
        "strip": [(["--strip"], "\"strip\"")],
        "optimize": [(["--optimize"], "true")],
        "restart-rows": [(["--restart-rows", "1"], "1"), (["--restart-rows", "1000"], "1000")],
        "lossless": [(["--lossless"], "true")],
        "png-level": [(["--png-level", "fast"], "\"fast\"")],
        "progressive": [(["--progressive"], "true")],
        "to-srgb": [(["--to-srgb"], "true")],
        "auto-orient": [(["--auto-orient"], "true")],
    ]

    private static let options = RecipeFlag.all

    private func recipe(_ flags: [String]) throws -> Recipe {
        let command = try ApplyCommand.parse(["--no-config", "-o", "out"] + flags + ["a.jpg"])
        return try command.settings().recipes[0].recipe
    }

    private func recipe(file keys: [String]) throws -> Recipe {
        let text = "{\(keys.joined(separator: ", "))}"
        guard
            case .single(let recipe) = try RecipeFile(try folder.write(Array(text.utf8), to: "r.json"))
                .outputs
        else { throw CocoaError(.coderInvalidValue) }
        return recipe
    }

    @Test func eachOptionIsOfOneFlagOneWordAndOneKey() {
        #expect(Set(Self.options.map(\.option)) == Set(RecipeOption.all))
        #expect(RecipeProperty.all.map(\.option) == RecipeOption.all)
        #expect(Set(Self.options.map(\.key.name)).count == Self.options.count)
        #expect(Set(RecipeOption.all.map(\.word)).count == Self.options.count)
        #expect(Set(Self.values.keys) == Set(Self.options.map(\.option.name)))
        // A run of half-size photos is asked for by flags only.
        #expect(Self.options.filter { $0.setting == nil }.map(\.option) == [.scale])
    }

    /// From flags to the recipe, its canonical text, the flags that it names, and a recipe file: always the same recipe.
    @Test func allOptionsSurviveEachWayTogetherAndAlone() throws {
        var numbers = SystemRandomNumberGenerator()
        let alone = Self.options.map { [$0] }
        let several = (0..<100).map { _ in Self.options.filter { _ in Bool.random(using: &numbers) } }
        for chosen in alone + several + [Self.options] {
            let values = try chosen.map { flag in
                let values = try #require(Self.values[flag.option.name]?.randomElement(using: &numbers))
                return (flags: values.flags, key: "\"\(flag.key.name)\": \(values.json)")
            }
            let flags = ["-f", "sepia"] + values.flatMap(\.flags)
            let asked = try recipe(flags)
            #expect((asked == Recipe(FilterChain([Sepia()]))) == chosen.isEmpty, "\(flags)")
            let text = asked.canonicalText
            #expect(Recipe(canonicalText: text, reading: .readable) == asked, "\(text)")
            let named = CanonicalText(text).flags.split(separator: " ").map(String.init)
            #expect(try recipe(named) == asked, "\(named)")
            #expect(try recipe(file: ["\"filters\": \"sepia\""] + values.map(\.key)) == asked, "\(flags)")
        }
    }

    @Test(arguments: RecipeFlag.all.indices)
    func aFlagBesideARecipeOrAManifestIsRefusedByItsName(index: Int) throws {
        let flag = Self.options[index], values = try #require(Self.values[flag.option.name]?.first)
        let path = try folder.write(Array("{\"filters\": \"noir\"}".utf8), to: "r.json")
        let error = #expect(throws: (any Error).self) {
            try ApplyCommand.parse(["--no-config", "--recipe", path] + values.flags + ["a.jpg"])
        }
        let text = ApplyCommand.message(for: try #require(error))
        #expect(text.contains(flag.subject) && text.contains("--\(flag.option.name)"), "\(text)")
        #expect(throws: (any Error).self) {
            try ApplyCommand.parse(["--no-config", "--manifest", "m.jsonl"] + values.flags)
        }
    }

    /// Alone, it is enough to change photos, or it is not, and then the message says what it is for.
    @Test(arguments: RecipeFlag.all.indices)
    func aFlagAloneIsAConversionOrIsExplained(index: Int) throws {
        let flag = Self.options[index], values = try #require(Self.values[flag.option.name]?.first)
        let isOfEncoding = RecipeFlag.encoding.contains { $0.option == flag.option }
        let keys = ["\"\(flag.key.name)\": \(values.json)"]
        guard isOfEncoding else {
            #expect(try recipe(values.flags) == recipe(file: keys))
            return
        }
        let error = #expect(throws: (any Error).self) { try recipe(values.flags) }
        #expect(
            ApplyCommand.message(for: try #require(error)).contains("--\(flag.option.name) is for photos"))
        #expect(throws: RecipeError.self) { try recipe(file: keys) }
    }

    @Test(arguments: RecipeFlag.all.indices.filter { RecipeFlag.all[$0].setting != nil })
    func aSettingIsTheFlagAndGivesWayToARecipe(index: Int) throws {
        let flag = Self.options[index], values = try #require(Self.values[flag.option.name]?.first)
        let json = values.json == "\"strip\"" ? "true" : values.json
        let path = try folder.write(Array("{\"\(flag.option.name)\": \(json)}".utf8), to: "config.json")
        func taken(_ flags: [String]) throws -> ApplyCommand {
            var command = try ApplyCommand.parse(["--no-config"] + flags + ["a.jpg"])
            command.settingsChoice.noConfig = false
            try command.takeSettings(["TINTYPE_CONFIG": path])
            return command
        }
        var asked = Recipe(FilterChain([])), made = asked
        flag.apply(try taken(["-f", "sepia"]).recipe, &made)
        flag.apply(
            try ApplyCommand.parse(["--no-config", "-f", "sepia"] + values.flags + ["a.jpg"]).recipe, &asked)
        #expect(made == asked && made != Recipe(FilterChain([])))
        let recipe = try folder.write(Array("{\"filters\": \"noir\"}".utf8), to: "r.json")
        #expect(try !flag.isGiven(taken(["--recipe", recipe]).recipe))
    }
}
