import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

struct JournalSummaryTests {
    let setting: JournalSetting

    init() throws { setting = try JournalSetting() }

    private func receipt(_ state: Receipt.State, _ output: String, time: Double) -> Receipt {
        var receipt = Receipt(
            state, output: output, input: InputIdentity(location: "/in/\(output)"), recipe: "r", time: time)
        if state != .failed {
            receipt.file = FileFingerprint(
                byteCount: 1000, modified: 1, digest: ContentDigest(.blake3, "00"))
        }
        receipt.pixelCount = 12_000_000
        return receipt
    }

    @Test func everyOutputCountsOnceByItsLastReceipt() throws {
        let journal = try setting.open()
        var (first, second) = (receipt(.done, "a", time: 10), receipt(.done, "b", time: 30))
        (first.device, second.device, second.fallback) = ("gpu.0", "cpu", "the GPU was lost")
        for receipt in [
            receipt(.failed, "a", time: 5), receipt(.publishing, "a", time: 9), first, second,
            receipt(.done, "c", time: 40), receipt(.failed, "c", time: 50),
            receipt(.publishing, "d", time: 60),
        ] { try journal.append(receipt) }
        var visited: [String] = []
        let summary = try JournalSummary(outputFolder: setting.outputFolder) { visited.append($0.output) }
        #expect(visited == ["a", "b", "c", "d"])
        #expect((summary.doneCount, summary.failedCount, summary.interruptedCount) == (2, 1, 1))
        #expect((summary.pixelCount, summary.byteCount, summary.fallbackCount) == (24_000_000, 2000, 1))
        #expect(summary.photosByDevice == ["gpu.0": 1, "cpu": 1])
        #expect(summary.timeSpan == 10...60 && summary.damagedLineCount == 0)
    }

    @Test func absurdNumbersAreDamage() throws {
        let journal = try setting.open()
        for (index, count) in [Int.max, Int.max, -1, 1 << 44].enumerated() {
            var receipt = receipt(.done, "\(index)", time: 1)
            receipt.pixelCount = count
            try journal.append(receipt)
        }
        let summary = try JournalSummary(outputFolder: setting.outputFolder)
        #expect(summary.damagedLineCount == 3 && summary.pixelCount == 1 << 44)
    }

    @Test func readingChangesNothing() throws {
        try setting.folder.write([1], to: "empty/a.jpg")
        #expect(throws: JournalError.none(folder: setting.folder.path("empty"))) {
            try JournalSummary(outputFolder: setting.folder.path("empty"))
        }
        _ = try setting.open()
        let torn = Array("{\"state\":\"fai".utf8)
        try setting.folder.write(torn, to: "out/.tintype/journal.jsonl")
        let before = setting.folder.files()
        _ = try JournalSummary(outputFolder: setting.outputFolder)
        #expect(setting.folder.files() == before)
        #expect(try setting.folder.read("out/.tintype/journal.jsonl") == torn)
    }
}
