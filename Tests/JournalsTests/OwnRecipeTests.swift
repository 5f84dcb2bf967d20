import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

/// Outputs of photos that have a recipe of their own.
struct OwnRecipeTests {
    private let setting: JournalSetting
    private let journal: Journal
    private let input: InputIdentity

    /// An output that was made with the photo's own recipe `o`.
    init() throws {
        setting = try JournalSetting()
        journal = try setting.open()
        input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: journal)
        try note(.done)
    }

    private func note(_ state: Receipt.State) throws {
        var receipt = try #require(try journal.receipts(for: "a.jpg").done)
        receipt.state = state
        receipt.ownRecipe = "o"
        try journal.append(receipt)
    }

    private func decide(_ input: InputIdentity, _ own: OwnRecipe) throws -> JournalDecision {
        let decision = try journal.decision(for: input, recipe: "r", own: own, output: "a.jpg")
        // A prediction knows no photo's own recipe.
        if own == .unknown {
            let preview = try JournalPreview(outputFolder: setting.outputFolder)
            #expect(try preview.decision(for: input, recipe: "r", output: "a.jpg") == decision)
        }
        return decision
    }

    @Test func aRunThatKnowsNoneKeepsThem() throws {
        #expect(try decide(input, .unknown).isUpToDate)
        guard case .skip = try journal.admit(input, recipe: "r", output: "a.jpg") else {
            Issue.record("it is up to date")
            return
        }
        guard case .work = try journal.admit(input, recipe: "r", output: "a.jpg", overwrites: true) else {
            Issue.record("--overwrite is to give it the recipe of all")
            return
        }
        let changed = try setting.input("a.jpg", "another photo")
        #expect(try decide(changed, .unknown) == .refused(.ownRecipe))
        try FileManager.default.removeItem(atPath: setting.folder.path("out/a.jpg"))
        #expect(try decide(input, .unknown) == .refused(.ownRecipe))
        guard case .work = try journal.admit(input, recipe: "r", output: "a.jpg", overwrites: true) else {
            Issue.record("--overwrite is to replace it")
            return
        }
    }

    @Test func aRunThatKnowsAnotherOrNoneMakesThemAnew() throws {
        #expect(try decide(input, .known("o")).isUpToDate)
        for own in ["p", nil] {
            let decision = try decide(input, .known(own))
            #expect(
                decision == .redo(.otherOwnRecipe) && JournalDecision.Reason.otherOwnRecipe.replacesOutput)
        }
        #expect(JournalDecision.Reason.otherOwnRecipe.replacesOutput)
        let changed = try setting.input("a.jpg", "another photo")
        #expect(try decide(changed, .known("o")) == .redo(.inputChanged))
    }

    @Test func aFileThatIsNotOursStaysWhateverItsRecipeIs() throws {
        try setting.folder.write(Array("result, retouched".utf8), to: "out/a.jpg")
        for own in [OwnRecipe.unknown, .known("p"), .known(nil)] {
            #expect(try decide(input, own) == .refused(.modified))
        }
    }

    @Test func aFailedPhotoIsNotMadeWithTheRecipeOfAll() throws {
        try FileManager.default.removeItem(atPath: setting.folder.path("out/a.jpg"))
        try note(.failed)
        #expect(try decide(input, .unknown) == .refused(.ownRecipe))
        #expect(try decide(input, .known("o")) == .redo(.failedBefore("")))
    }

    @Test func theReceiptSurvivesItsLine() throws {
        let receipt = try #require(try journal.receipts(for: "a.jpg").done)
        #expect(receipt.ownRecipe == "o")
        #expect(Receipt(line: receipt.line) == receipt)
        #expect(try setting.lines().last?["ownRecipe"] as? String == "o")
    }
}
