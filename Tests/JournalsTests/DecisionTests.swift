import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

struct DecisionTests {
    let setting: JournalSetting

    init() throws { setting = try JournalSetting() }

    @Test func aNewPhotoIsDoneAndThenUpToDate() throws {
        let input = try setting.input("a.jpg", "photo")
        let journal = try setting.open()
        #expect(try journal.decide(input, "x/a.jpg") == .redo(.new))
        try setting.make("x/a.jpg", of: input, in: journal)
        #expect(try journal.decide(try setting.seen("a.jpg"), "x/a.jpg").isUpToDate)
        #expect(try setting.open().decide(try setting.seen("a.jpg"), "x/a.jpg").isUpToDate)
    }

    @Test func aChangedInputReplacesOnlyAnOutputThatIsOursAndUnchanged() throws {
        let journal = try setting.open()
        try setting.make("a.jpg", of: try setting.input("a.jpg", "photo"), in: journal)
        let changed = try setting.input("a.jpg", "another photo")
        let decision = try journal.decide(changed, "a.jpg")
        #expect(decision == .redo(.inputChanged) && JournalDecision.Reason.inputChanged.replacesOutput)
        try setting.folder.write(Array("result, retouched".utf8), to: "out/a.jpg")
        #expect(try journal.decide(changed, "a.jpg") == .refused(.modified))
    }

    /// Older versions have hashed with SHA-256.
    @Test(arguments: [ContentDigest.Algorithm.blake3, .sha256])
    func aTouchedOrMovedInputIsTheSame(algorithm: ContentDigest.Algorithm) throws {
        let setting = try JournalSetting(algorithm)
        let journal = try setting.open()
        try setting.make("a.jpg", of: try setting.input("a.jpg", "photo"), in: journal)
        let path = setting.folder.path("in/a.jpg")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        #expect(try journal.decide(try setting.seen("a.jpg"), "a.jpg").isUpToDate)
        try FileManager.default.moveItem(atPath: path, toPath: setting.folder.path("in/b.jpg"))
        #expect(try journal.decide(try setting.seen("b.jpg"), "a.jpg").isUpToDate)
        // The content has the same length, so only the bytes differ.
        _ = try setting.input("c.jpg", "PHOTO")
        let other = try journal.decide(try setting.seen("c.jpg"), "a.jpg")
        #expect(other == .refused(.otherInput(path)))
    }

    @Test func otherSettingsDoNotReplaceResults() throws {
        let journal = try setting.open()
        let input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: journal)
        #expect(try journal.decide(input, "a.jpg", recipe: "s") == .refused(.otherRecipe("r")))
        guard case .work = try journal.admit(input, recipe: "s", output: "a.jpg", overwrites: true) else {
            Issue.record("--overwrite is to replace it")
            return
        }
    }

    @Test func filesOfOthersAreNotTouched() throws {
        let journal = try setting.open()
        let input = try setting.input("a.jpg", "photo")
        try setting.folder.write(FirstBytes.text, to: "out/a.jpg")
        #expect(try journal.decide(input, "a.jpg") == .refused(.notOurs))
        // A link of the output's name to a file that has our bytes is not our file.
        try setting.make("b.jpg", of: input, in: journal)
        let (output, elsewhere) = (setting.folder.path("out/b.jpg"), setting.folder.path("elsewhere.jpg"))
        try FileManager.default.moveItem(atPath: output, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: elsewhere)
        #expect(try journal.decide(input, "b.jpg") == .refused(.modified))
    }

    @Test(arguments: [ContentDigest.Algorithm.blake3, .sha256])
    func aCopiedOutputFolderIsStillUpToDate(algorithm: ContentDigest.Algorithm) throws {
        let setting = try JournalSetting(algorithm)
        let input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: try setting.open())
        let path = setting.folder.path("out/a.jpg")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        #expect(try setting.open().decide(input, "a.jpg").isUpToDate)
    }

    @Test func missingAndFailedPhotosAreDoneAgain() throws {
        let journal = try setting.open()
        let input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: journal)
        unlink(setting.folder.path("out/a.jpg"))
        #expect(try journal.decide(input, "a.jpg") == .redo(.outputMissing))
        var failure = Receipt(.failed, output: "b.jpg", input: input, recipe: "r")
        failure.error = "it is \"damaged\"\n\u{7}"
        try journal.append(failure)
        #expect(try journal.decide(input, "b.jpg") == .redo(.failedBefore("it is \"damaged\"\n\u{7}")))
        #expect(
            try journal.failedLast("b.jpg") && !journal.failedLast("a.jpg") && !journal.failedLast("c.jpg"))
        #expect(try journal.receipts(in: .failed).map(\.output) == ["b.jpg"])
    }

    /// On a file system without hard links, a name is reserved by an empty file before the output takes it.
    @Test(arguments: [true, false])
    func anEmptyFileThatAKilledRunHasLeftIsNobodys(isNew: Bool) throws {
        let journal = try setting.open()
        let input = try setting.input("a.jpg", "photo")
        let path = try setting.folder.write([], to: "out/a.jpg")
        if !isNew {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
        }
        try setting.make("a.jpg", of: input, in: journal, diesBefore: .publishing)
        let admission = try journal.admit(input, recipe: "r", output: "a.jpg")
        if isNew {
            guard case .work(_, .new) = admission else {
                Issue.record("\(admission)")
                return
            }
        } else {
            // It was there before.
            guard case .skip(.refused(.notOurs)) = admission else {
                Issue.record("\(admission)")
                return
            }
        }
        #expect(FileManager.default.fileExists(atPath: path) == !isNew)
    }

    @Test func aFailureDoesNotMakeTheFormerResultAStrangers() throws {
        let journal = try setting.open()
        try setting.make("a.jpg", of: try setting.input("a.jpg", "photo"), in: journal)
        let broken = try setting.input("a.jpg", "broken")
        try journal.append(Receipt(.failed, output: "a.jpg", input: broken, recipe: "r"))
        _ = try setting.input("a.jpg", "mended!")
        #expect(try setting.open().decide(try setting.seen("a.jpg"), "a.jpg") == .redo(.inputChanged))
    }

    @Test func anOutputThatMayBeWrongIsMadeAgain() throws {
        let input = try setting.input("a.jpg", "photo")
        func preview() throws -> JournalDecision {
            try JournalPreview(outputFolder: setting.outputFolder)
                .decision(for: input, recipe: "r", output: "a.jpg")
        }
        do {
            let journal = try setting.open()
            try setting.make("a.jpg", of: input, in: journal)
            let claim = try journal.claim("a.jpg")
            #expect(try claim != nil && !journal.markSuspect("a.jpg"))
            withExtendedLifetime(claim) {}
        }
        let journal = try setting.open()
        #expect(try journal.decide(input, "a.jpg").isUpToDate)
        for _ in 0..<2 { #expect(try journal.markSuspect("a.jpg") && journal.markSuspect("never-made.jpg")) }
        #expect(try journal.decide(input, "a.jpg") == .redo(.suspect))
        #expect(JournalDecision.Reason.suspect.replacesOutput)
        #expect(try journal.receipts(in: .failed).map(\.output) == ["a.jpg"])
        #expect(try preview() == .redo(.suspect))
        // A run that dies while it makes the output again leaves it as it was.
        try setting.make(
            "a.jpg", of: input, text: "right", in: journal, diesBefore: .publishing, isSuspect: true)
        #expect(try journal.settle("a.jpg") == false)
        #expect(try journal.decide(input, "a.jpg") == .redo(.suspect))
        #expect(try preview() == .redo(.suspect))
        try setting.make(
            "a.jpg", of: input, text: "right", in: journal, diesBefore: .receipt, isSuspect: true)
        #expect(try preview().isUpToDate)
        #expect(try journal.settle("a.jpg"))
        #expect(try journal.decide(input, "a.jpg").isUpToDate)
        // What someone has changed since is theirs.
        #expect(try journal.markSuspect("a.jpg"))
        try setting.folder.write(Array("retouched".utf8), to: "out/a.jpg")
        #expect(try journal.decide(input, "a.jpg") == .refused(.modified))
    }

    @Test func addressesAreToldApartByTheirValidators() throws {
        let journal = try setting.open()
        func input(_ validator: String?) -> InputIdentity {
            InputIdentity(location: "https://host/a.jpg", validator: validator)
        }
        try setting.make("a.jpg", of: input("\"1\""), in: journal)
        #expect(try journal.decide(input("\"1\""), "a.jpg").isUpToDate)
        #expect(try journal.decide(input(nil), "a.jpg").isUpToDate)
        #expect(try journal.decide(input("\"2\""), "a.jpg") == .redo(.inputChanged))
    }

    @Test func namesLieBelowTheFolder() throws {
        let journal = try setting.open()
        #expect(try journal.outputName(of: setting.outputFolder + "/x/a.jpg") == "x/a.jpg")
        for path in [
            "/elsewhere/a.jpg", setting.outputFolder, setting.outputFolder + "/../a.jpg",
            setting.outputFolder + "x/a",
        ] {
            #expect(throws: JournalError.outside(output: path, folder: setting.outputFolder)) {
                try journal.outputName(of: path)
            }
        }
    }

    @Test func overwritingDoesNotRedoWhatThisRecipeHasMade() throws {
        let journal = try setting.open()
        let input = try setting.input("a.jpg", "photo")
        try setting.make("a.jpg", of: input, in: journal)
        guard case .skip(.upToDate) = try journal.admit(input, recipe: "r", output: "a.jpg", overwrites: true)
        else {
            Issue.record("there is nothing to do")
            return
        }
    }

    @Test func aPreviewDecidesAsARunWouldAndWritesNothing() throws {
        func preview(_ input: InputIdentity, _ output: String, recipe: String = "r") throws -> JournalDecision
        {
            try JournalPreview(outputFolder: setting.outputFolder).decision(
                for: input, recipe: recipe, output: output)
        }
        let input = try setting.input("a.jpg", "photo")
        #expect(try preview(input, "a.jpg") == .redo(.new))
        #expect(!FileManager.default.fileExists(atPath: setting.outputFolder))
        let journal = try setting.open()
        try setting.make("a.jpg", of: input, in: journal)
        #expect(try preview(input, "a.jpg").isUpToDate)
        #expect(try preview(input, "a.jpg", recipe: "s") == .refused(.otherRecipe("r")))
        // A run would find that the killed one had published it.
        try setting.make("b.jpg", of: input, in: journal, diesBefore: .receipt)
        try setting.make("c.jpg", of: input, in: journal, diesBefore: .publishing)
        let before = try setting.folder.read("out/.tintype/journal.jsonl")
        #expect(try preview(input, "b.jpg").isUpToDate)
        #expect(try preview(input, "c.jpg") == .redo(.new))
        #expect(try setting.folder.read("out/.tintype/journal.jsonl") == before)
    }

    /// Makes two photos, moves their folder, and changes the first photo.
    private func moved(_ names: [String] = ["x/a.jpg", "x/b.jpg"]) throws -> InputIdentity {
        let journal = try setting.open()
        for name in names { try setting.make(name, of: try setting.input(name, name), in: journal) }
        try FileManager.default.moveItem(
            atPath: setting.folder.path("in"), toPath: setting.folder.path("elsewhere"))
        try setting.folder.write(Array("changed".utf8), to: "elsewhere/\(names[0])")
        return try #require(InputIdentity(file: setting.folder.path("elsewhere/\(names[0])")))
    }

    @Test func aChangedPhotoInAMovedFolderIsMadeAgain() throws {
        let changed = try moved()
        #expect(try setting.open().decide(changed, "x/a.jpg") == .redo(.inputChanged))
        let preview = try JournalPreview(outputFolder: setting.outputFolder)
        #expect(try preview.decision(for: changed, recipe: "r", output: "x/a.jpg") == .redo(.inputChanged))
    }

    @Test func anotherPhotoOfTheSameNameIsNotTheMovedOne() throws {
        // No other photo shows that the folder is the same.
        let only = try moved(["x/a.jpg"])
        let old = setting.folder.path("in/x/a.jpg")
        #expect(try setting.open().decide(only, "x/a.jpg") == .refused(.otherInput(old)))
    }

    @Test func aPhotoThatIsStillThereWasNotMoved() throws {
        let copy = try moved()
        let old = try setting.folder.write(Array("x/a.jpg".utf8), to: "in/x/a.jpg")
        #expect(try setting.open().decide(copy, "x/a.jpg") == .refused(.otherInput(old)))
    }
}
