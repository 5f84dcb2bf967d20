import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeJournals

/// A folder has outputs of one recipe only.
struct RecipeClaimTests {
    let setting: JournalSetting
    private let sepia =
        "v5 filters=sepia:intensity=0.8 format=keep quality=keep scale=1 metadata=keep codes=standard colours=keep "
        + "orientation=keep"
    private let noir =
        "v5 filters=noir:contrast=5,midpoint=0.5 format=keep quality=keep scale=1 metadata=keep codes=standard colours=keep"

    init() throws { setting = try JournalSetting() }

    private func refusal(_ made: String, _ asked: String) -> JournalError {
        .otherRecipe(folder: setting.outputFolder, made: made, asked: asked)
    }

    private func make(_ recipe: String, in journal: Journal) throws {
        try setting.make("a.jpg", of: try setting.input("a.jpg", "photo"), recipe: recipe, in: journal)
    }

    @Test func anotherRecipeIsRefusedOnceAndBeforeTheWork() throws {
        do {
            let journal = try setting.open()
            try journal.claim(recipe: sepia)
            try make(sepia, in: journal)
        }
        try setting.open().claim(recipe: sepia)
        #expect(throws: refusal(sepia, noir)) { try setting.open().claim(recipe: noir) }
        #expect(throws: refusal(sepia, noir)) {
            try JournalPreview(outputFolder: setting.outputFolder).check(recipe: noir)
        }
        try setting.open().claim(recipe: noir, overwrites: true)
        #expect(throws: refusal(noir, sepia)) { try setting.open().claim(recipe: sepia) }
    }

    @Test(arguments: ["=", "= ==", "filters", "v5 filters=", "scale=\u{0}"])
    func damagedTextsAreNoRecipes(text: String) {
        #expect(Recipe(canonicalText: text, reading: .readable) == nil)
        _ = CanonicalText(text).flags
    }

    @Test func twoRunsThatStartTogetherDoNotMix() throws {
        let first = try setting.open()
        try first.claim(recipe: sepia)
        // Nothing has been made yet, but the other run is about to.
        let busy = JournalError.otherRecipeAtWork(folder: setting.outputFolder, made: sepia)
        for overwrites in [false, true] {
            #expect(throws: busy) { try setting.open().claim(recipe: noir, overwrites: overwrites) }
        }
        try setting.open().claim(recipe: sepia)
        try make(sepia, in: first)
        #expect(throws: busy) { try setting.open().claim(recipe: noir, overwrites: true) }
    }

    @Test(arguments: 0..<20)
    func ofManyThatClaimAtOnceAllThatSucceedHaveOneRecipe(round: Int) throws {
        let journals = try (0..<8).map { _ in try setting.open() }
        let claimed = ClaimedRecipes()
        DispatchQueue.concurrentPerform(iterations: journals.count) { [sepia, noir] index in
            let recipe = index.isMultiple(of: 2) ? sepia : noir
            if (try? journals[index].claim(recipe: recipe)) != nil { claimed.add(recipe) }
        }
        #expect(Set(claimed.all).count == 1 && claimed.all.count == journals.count / 2)
    }

    @Test func aFolderWithoutOutputsTakesAnyRecipe() throws {
        try setting.open().claim(recipe: sepia)
        try setting.open().claim(recipe: noir)
        do { try make(noir, in: try setting.open()) }
        unlink(setting.folder.path("out/a.jpg"))
        try setting.open().claim(recipe: sepia)
    }

    @Test func aFolderOfAnEarlierVersionTellsByItsReceipts() throws {
        let old = sepia.replacingOccurrences(of: "v5", with: "v4")
        do { try make(old, in: try setting.open()) }
        #expect(throws: refusal(old, noir)) { try setting.open().claim(recipe: noir) }
        #expect(throws: refusal(old, sepia)) { try setting.open().claim(recipe: sepia) }
        #expect(refusal(old, sepia).description.contains("another version of Tintype"))
        try setting.open().claim(recipe: old)
    }

    @Test func aRecipeCanBeReadBackFromItsText() throws {
        let chain = try FilterChain(parsing: ["tilt-shift:radius=0.4%", "sepia:intensity=0.25"])
        let recipes = [
            Recipe(chain, format: .png, quality: .value(70), halvesSize: true, stripsMetadata: true),
            Recipe(FilterChain([]), format: .jpeg), Recipe(FilterChain([Noir()])),
            Recipe(chain, optimizesCodes: true, convertsToSRGB: true), Recipe(chain, turnsUpright: true),
            Recipe(chain, restartRows: 16),
        ]
        for recipe in recipes {
            #expect(Recipe(canonicalText: recipe.canonicalText, reading: .readable) == recipe)
        }
        let text = Recipe(chain).canonicalText
        #expect(Recipe(canonicalText: "v0" + text.dropFirst(2), reading: .readable) == nil)
        #expect(
            Recipe(
                canonicalText: text.replacingOccurrences(of: "sepia:", with: "sepium:"), reading: .readable)
                == nil)
    }

    @Test func onlyOutputsWithNamesAreNamedInARecipesText() {
        let recipes = [Recipe(FilterChain([Noir()])), Recipe(FilterChain([Sepia()]))]
        let single = [NamedRecipe(nil, recipes[0])]
        #expect(single.canonicalText == recipes[0].canonicalText)
        #expect([NamedRecipe](canonicalText: single.canonicalText, reading: .readable) == single)
        let several = zip(["web", "print"], recipes).map { NamedRecipe($0, $1) }
        #expect(several.canonicalText.hasPrefix("web: \(recipes[0].canonicalText) | print: "))
        #expect([NamedRecipe](canonicalText: several.canonicalText, reading: .readable) == several)
    }

    @Test func theAdviceForSeveralOutputsNamesThem() {
        let asked = [NamedRecipe("web", Recipe(FilterChain([Noir()])))].canonicalText
        #expect(refusal(sepia, asked).description.contains("{dir}/{stem}-{output}-{recipe}.{ext}"))
    }

    @Test func theRefusalNamesBothRecipesAndWhatToDo() {
        let error = refusal(sepia, noir), text = error.description
        #expect(text.contains("sepia:intensity=0.8") && text.contains("noir:contrast=5,midpoint=0.5"))
        #expect(error.recoverySuggestion?.contains("{stem}-{recipe}.{ext}") == true && !text.contains("--"))
    }

    @Test func aRecipeHasFlags() {
        let all =
            "v5 filters=sepia:intensity=1 noir:contrast=0 format=jpeg quality=80 scale=0.5 metadata=strip "
            + "codes=optimal colours=srgb orientation=upright restarts=16"
        let flags =
            "-f sepia:intensity=1 -f noir:contrast=0 --format jpeg --quality 80 --scale 0.5 --strip --optimize --to-srgb "
            + "--auto-orient --restart-rows 16"
        #expect(CanonicalText(all).flags == flags)
        let none =
            "v5 filters=none format=jpeg quality=keep scale=1 metadata=keep codes=standard colours=keep"
        #expect(CanonicalText(none).flags == "--format jpeg")
    }
}

private final class ClaimedRecipes: Sendable {
    private let recipes = Locked<[String]>([])
    var all: [String] { recipes.withLock { $0 } }
    func add(_ recipe: String) { recipes.withLock { $0.append(recipe) } }
}
