import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

struct JournalFileTests {
    let setting: JournalSetting

    init() throws { setting = try JournalSetting() }

    private static func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "é", "😀", "\"", "\\", "\n", "\u{0}", "\u{7F}", "/", "\u{2028}", "{", " "]
        return (0..<Int.random(in: 0...12, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    private static func receipt(_ random: inout SeededGenerator) -> Receipt {
        func maybe(_ text: String) -> String? { Bool.random(using: &random) ? text : nil }
        let state = [Receipt.State.publishing, .done, .failed].randomElement(using: &random) ?? .done
        let digest = ContentDigest(
            Bool.random(using: &random) ? .blake3 : .sha256, String(repeating: "0f", count: 32))
        var receipt = Receipt(
            state, output: text(&random),
            input: InputIdentity(
                location: text(&random),
                byteCount: Bool.random(using: &random) ? Int.random(in: 0...Int.max, using: &random) : nil,
                modified: Bool.random(using: &random) ? Int64.random(in: .min ... .max, using: &random) : nil,
                digest: Bool.random(using: &random) ? digest : nil),
            recipe: text(&random), time: Double.random(in: -1e12...1e12, using: &random))
        if state != .failed {
            receipt.file = FileFingerprint(
                byteCount: 7, modified: .max, digest: digest)
        }
        (receipt.device, receipt.error, receipt.fallback) = (
            maybe(text(&random)), maybe(text(&random)), maybe(text(&random))
        )
        (receipt.input.validator, receipt.temporary) = (maybe(text(&random)), maybe(text(&random)))
        (receipt.seconds, receipt.pixelCount, receipt.isRecovered) = (
            1e-9, 1 << 40, Bool.random(using: &random)
        )
        return receipt
    }

    @Test func receiptsReadBackAsTheyWereAndAsJSON() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let receipt = Self.receipt(&random)
            let line = receipt.line
            #expect(Receipt(line: line) == receipt)
            #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
            let json = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            #expect(json["output"] as? String == receipt.output && json["error"] as? String == receipt.error)
        }
    }

    @Test func aCutOffLineCostsNoOtherWhereverItIsCut() throws {
        let input = InputIdentity(location: "https://host/a")
        var first = try setting.open()
        try setting.make("a.jpg", of: input, in: first)
        let whole = try setting.folder.read("out/.tintype/journal.jsonl")
        let next = Receipt(.failed, output: "b.jpg", input: input, recipe: "r").line
        for cut in 1...next.count {
            try setting.folder.write(whole + next.prefix(cut), to: "out/.tintype/journal.jsonl")
            first = try setting.open()
            // Only the newline is missing, so the receipt is complete.
            #expect(try first.failedLast("b.jpg") == (cut >= next.count - 1), "\(cut)")
            try first.append(Receipt(.failed, output: "c.jpg", input: input, recipe: "r"))
            #expect(try setting.lines().count == (cut >= next.count - 1 ? 4 : 3))
            #expect(try first.decide(input, "a.jpg").isUpToDate && first.failedLast("c.jpg"))
        }
    }

    @Test func damageInTheMiddleCostsOnlyItsLines() throws {
        let journal = try setting.open()
        let input = InputIdentity(location: "https://host/a")
        for name in ["a", "b", "c"] { try setting.make(name, of: input, in: journal) }
        var bytes = try setting.folder.read("out/.tintype/journal.jsonl")
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for index in lines[3].indices { bytes[index] = 0 }
        try setting.folder.write(bytes, to: "out/.tintype/journal.jsonl")
        // The last line of 'b' is lost. The line before it suffices to recognise the output.
        let reopened = try setting.open()
        for name in ["a", "b", "c"] { #expect(try reopened.decide(input, name).isUpToDate) }
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<20 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            try setting.folder.write(damaged, to: "out/.tintype/journal.jsonl")
            let journal = try setting.open()
            for name in ["a", "b", "c"] {
                let decision = try journal.decide(input, name)
                #expect(decision != .redo(.new) && decision != .redo(.inputChanged), "\(decision)")
            }
        }
    }

    @Test func compactingKeepsWhatMattersAndOthersNotice() throws {
        let input = InputIdentity(location: "https://host/a")
        let other = try setting.open()
        let journal = try setting.open()
        try setting.make("a.jpg", of: input, in: journal)
        for _ in 0..<1200 { try journal.append(Receipt(.failed, output: "a.jpg", input: input, recipe: "r")) }
        try setting.make("b.jpg", of: input, in: other)
        let compacting = try setting.open()
        // The result and the last failure of one, the result of the other.
        #expect(try setting.lines().count == 3)
        for journal in [other, journal, compacting] {
            #expect(
                try journal.decide(input, "a.jpg").isUpToDate && journal.decide(input, "b.jpg").isUpToDate)
            #expect(try journal.failedLast("a.jpg"))
        }
        try setting.make("c.jpg", of: input, in: other)
        #expect(try compacting.decide(input, "c.jpg").isUpToDate)
        #expect(try setting.lines().count == 5)
    }

    @Test func aClaimIsHeldByOneAndReturned() throws {
        let (one, two) = (try setting.open(), try setting.open())
        var claim = try one.claim("a.jpg")
        #expect(claim != nil)
        // Claimed by another process, whose locks differ, and by another thread of this process.
        #expect(try two.claim("a.jpg") == nil && one.claim("a.jpg") == nil)
        #expect(try two.claim("b.jpg") != nil)
        claim = nil
        #expect(try two.claim("a.jpg") != nil)
        #expect(try one.claim("a.jpg") != nil)
    }

    @Test func aLineThatAnotherProcessCouldNotFinishIsPutRightBeforeTheNext() throws {
        let input = InputIdentity(location: "https://host/a")
        let journal = try setting.open()
        try setting.make("a.jpg", of: input, in: journal)
        let path = setting.folder.path("out/.tintype/journal.jsonl")
        for cut in [1, 20, 100] {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(
                contentsOf: Receipt(.failed, output: "b.jpg", input: input, recipe: "r").line.prefix(cut))
            try handle.close()
            #expect(try journal.decide(input, "a.jpg").isUpToDate && !journal.failedLast("b.jpg"))
            try journal.append(Receipt(.failed, output: "c.jpg", input: input, recipe: "r"))
            #expect(try setting.lines().compactMap { $0["output"] as? String }.last == "c.jpg")
        }
        #expect(try setting.lines().count == 5)
    }

    @Test func nothingIsLostWhereOneCompactsWhatOthersAppendTo() async throws {
        let (folder, rounds) = (setting.outputFolder, 1000)
        let compactor = try setting.open()
        // Each appender has a journal of its own, as a process would.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    let journal = try Journal(outputFolder: folder)
                    for round in 0..<rounds {
                        var receipt = Receipt(
                            .failed, output: "\(number)", input: InputIdentity(location: "x"), recipe: "r")
                        receipt.error = "\(round)"
                        try journal.append(receipt)
                        let latest = try journal.receipts(for: "\(number)").latest
                        #expect(latest == receipt)
                    }
                }
            }
            group.addTask {
                let last = "\(rounds - 1)"
                while try compactor.receipts(in: .failed).compactMap(\.error) != [last, last] {
                    try compactor.compact()
                    // Without a pause, this task would take the lock again before the others get it.
                    usleep(50)
                }
            }
            try await group.waitForAll()
        }
        try compactor.compact()
        #expect(try setting.lines().count == 2)
    }

    @Test func aDiskThatTakesHalfALineIsLeftWithWholeOnes() throws {
        // In a process of its own: the limit, of 20 blocks of 512 bytes, is a process's. An output is
        // smaller, the receipts of 40 outputs are larger.
        let status = try Worker.run(
            "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$1\" 40 1", setting.outputFolder)
        #expect(status == 1)
        let bytes = try setting.folder.read("out/.tintype/journal.jsonl")
        #expect(bytes.count > 20 * 512 - 1024 && bytes.last == UInt8(ascii: "\n"))
        for line in try setting.lines() { #expect(line["output"] != nil) }
    }
}
