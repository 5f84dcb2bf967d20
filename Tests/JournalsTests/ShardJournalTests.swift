import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

/// Runs of shards share no lock: they may be on machines that see each other's files only.
struct ShardJournalTests {
    let setting: JournalSetting

    init() throws { setting = try JournalSetting() }

    private func run(
        _ shard: String = "1/3", manifest: String = "abc", outputs: [String] = ["a.jpg", "b.jpg"]
    ) throws -> Journal {
        let shard = try #require(Shard(shard))
        let run = ShardRun(of: shard, manifest: manifest, temporaries: TemporaryFiles(shard: shard.label))
        return try Journal(outputFolder: setting.outputFolder, shard: run, outputs: outputs)
    }

    private func make(
        _ output: String, in journal: Journal, text: String = "result",
        hashedWith algorithm: ContentDigest.Algorithm = .blake3
    ) throws {
        try setting.make(
            output, of: try setting.input(output, "photo"), text: text, in: journal, hashedWith: algorithm)
    }

    private func journals() -> [String] {
        ShardFolder.all(in: setting.outputFolder).flatMap(\.journals).map(\.path)
    }

    @Test func theNextRunOfAShardGoesOn() throws {
        try make("a.jpg", in: run())
        let next = try run()
        #expect(try next.decide(setting.seen("a.jpg"), "a.jpg").isUpToDate)
        #expect(try next.decide(setting.input("b.jpg", "photo"), "b.jpg") == .redo(.new))
        #expect(journals().count == 2)
    }

    /// A shard of a cluster whose tasks are often interrupted has many runs.
    @Test func eachRunCopiesEveryReceiptOnce() throws {
        try make("a.jpg", in: run())
        for _ in 0..<5 { _ = try run() }
        try make("b.jpg", in: run())
        _ = try run()
        let lines = try journals().map {
            try #require(FileManager.default.contents(atPath: $0)).split(separator: UInt8(ascii: "\n"))
        }
        #expect(lines.count == 8 && lines.allSatisfy { $0.count <= 4 })
        #expect(lines.allSatisfy { Set($0).count == $0.count })
        #expect(try run().decide(setting.seen("b.jpg"), "b.jpg").isUpToDate)
    }

    @Test(arguments: [("2/4", "abc"), ("1/3", "def"), ("1/1", "def")])
    func otherPartsOfThePhotosGoOn(shard: String, manifest: String) throws {
        try make("a.jpg", in: run())
        let other = try run(shard, manifest: manifest)
        #expect(try other.decide(setting.seen("a.jpg"), "a.jpg").isUpToDate)
    }

    @Test func aShardTakesNothingOfTheOthers() throws {
        try make("a.jpg", in: run("2/3"))
        _ = try run("1/3")
        let own = try #require(journals().first { $0.contains("abc-1-of-3") })
        #expect(FileManager.default.contents(atPath: own)?.isEmpty == true)
    }

    @Test func aRunWithoutShardsIsContinued() throws {
        do { try make("a.jpg", in: setting.open()) }
        #expect(try run().decide(setting.seen("a.jpg"), "a.jpg").isUpToDate)
    }

    @Test(arguments: [JournalSetting.Step.publishing, .receipt])
    func outputsOfAKilledRunAreSettled(step: JournalSetting.Step) throws {
        let input = try setting.input("a.jpg", "photo")
        do { try setting.make("a.jpg", of: input, in: try run(), diesBefore: step) }
        let decision = try run().decide(setting.seen("a.jpg"), "a.jpg")
        #expect(step == .receipt ? decision.isUpToDate : decision == .redo(.new), "\(decision)")
    }

    @Test func twoRunsOfAShardAtOnceBothMayWork() throws {
        let (first, second) = (try run(), try run())
        let input = try setting.input("a.jpg", "photo")
        guard case .work(let claim, .new) = try first.admit(input, recipe: "r", output: "a.jpg"),
            case .work = try second.admit(input, recipe: "r", output: "a.jpg")
        else {
            Issue.record("one run keeps the other out")
            return
        }
        try make("a.jpg", in: first)
        withExtendedLifetime(claim) {}
        // The second one finds a file that it has no receipt of.
        guard case .work(_, .new) = try run("2/3").admit(input, recipe: "r", output: "a.jpg") else {
            Issue.record("an output of another run is refused before its bytes are known")
            return
        }
        #expect(throws: JournalError.hasShards(folder: setting.outputFolder)) { try setting.open() }
    }

    @Test func theFirstRecipeStays() throws {
        try run("1/3").claim(recipe: "sepia")
        try run("2/3").claim(recipe: "sepia")
        let refusal = JournalError.otherRecipe(folder: setting.outputFolder, made: "sepia", asked: "noir")
        for overwrites in [false, true] {
            #expect(throws: refusal) { try run("3/3").claim(recipe: "noir", overwrites: overwrites) }
        }
    }

    @Test func ofManyShardsThatStartTogetherAllHaveOneRecipe() throws {
        let folder = setting.outputFolder
        let claims = Counts()
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            let shard = Shard(index + 1, of: 16) ?? .whole
            let run = ShardRun(of: shard, manifest: "abc", temporaries: TemporaryFiles(shard: shard.label))
            let recipe = index % 2 == 0 ? "sepia" : "noir"
            guard let journal = try? Journal(outputFolder: folder, shard: run, outputs: []),
                (try? journal.claim(recipe: recipe)) != nil
            else { return }
            claims.add(recipe)
        }
        #expect(claims.all.count == 1 && claims.all.first?.value == 8, "\(claims.all)")
    }

    @Test func mergingTakesInAllAndLetsOtherRunsGoOn() throws {
        try make("a.jpg", in: run("1/3"))
        try make("b.jpg", in: run("2/3"))
        try make("c.jpg", in: run("1/3", outputs: ["a.jpg", "c.jpg"]))
        #expect(try JournalSummary(outputFolder: setting.outputFolder).doneCount == 3)
        #expect(try Journal.mergeShards(in: setting.outputFolder) == 3)
        #expect(journals().isEmpty)
        let journal = try setting.open()
        for name in ["a.jpg", "b.jpg", "c.jpg"] {
            #expect(try journal.decide(setting.seen(name), name).isUpToDate)
        }
        #expect(try Journal.mergeShards(in: setting.outputFolder) == 0)
    }

    @Test func noFileOfAShardIsOpenOnceItIsTakenIn() throws {
        try make("a.jpg", in: run("1/3"))
        try make("b.jpg", in: run("2/3"))
        #expect(try Journal.takeInShards(of: setting.outputFolder) == 2)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        let shards = ShardFolder.parent(in: setting.outputFolder)
        #expect(!open.isEmpty && !open.contains { $0.hasPrefix(shards) }, "\(open)")
    }

    @Test func aLateFailureOfAnEarlierRunHidesNoOutput() throws {
        let (first, second) = (try run(), try run())
        try make("a.jpg", in: second)
        var failure = Receipt(
            .failed, output: "a.jpg", input: try setting.seen("a.jpg"), recipe: "r")
        failure.error = "The temporary file is gone."
        try first.append(failure)
        let summary = try JournalSummary(outputFolder: setting.outputFolder)
        #expect((summary.doneCount, summary.failedCount) == (1, 0))
    }

    @Test func anOutputThatMayBeWrongIsMadeAgainByTheNextRun() throws {
        let input = try setting.input("a.jpg", "photo")
        let first = try run()
        try setting.make("a.jpg", of: input, in: first)
        #expect(try first.markSuspect("a.jpg"))
        let next = try run()
        guard case .work(let claim, .suspect) = try next.admit(input, recipe: "r", output: "a.jpg") else {
            Issue.record("the next run leaves it")
            return
        }
        try setting.make("a.jpg", of: input, text: "right", in: next)
        withExtendedLifetime(claim) {}
        let journal = try MergedJournal(outputFolder: setting.outputFolder)
        #expect(!journal.isDisputed(OutputKey("a.jpg")))
        #expect(try journal.receipts(for: OutputKey("a.jpg")).latest?.state == .done)
    }

    @Test func aSuspicionOutlivesARunThatBeganBefore() throws {
        let input = try setting.input("a.jpg", "photo")
        let first = try run()
        try setting.make("a.jpg", of: input, in: first)
        // It takes the receipt over.
        let second = try run()
        #expect(try first.markSuspect("a.jpg"))
        for _ in 0..<2 { #expect(try run().decide(input, "a.jpg") == .redo(.suspect)) }
        // One that is killed while it makes the output again does not hide it.
        try setting.make(
            "a.jpg", of: input, text: "right", in: first, diesBefore: .publishing, isSuspect: true)
        let merged = try MergedJournal(outputFolder: setting.outputFolder).receipts(for: OutputKey("a.jpg"))
        #expect(merged.latest?.isSuspect == true)
        try setting.make("a.jpg", of: input, text: "right", in: second)
        #expect(try run().decide(input, "a.jpg").isUpToDate)
    }

    @Test func aSuspicionThatWasCopiedBeforeItWasOverIsOver() throws {
        let input = try setting.input("a.jpg", "photo")
        let first = try run()
        try setting.make("a.jpg", of: input, in: first)
        #expect(try first.markSuspect("a.jpg"))
        _ = try run()
        // Its journal comes before that of the run that has copied the suspicion.
        try setting.make("a.jpg", of: input, text: "right", in: first)
        for _ in 0..<2 { #expect(try run().decide(input, "a.jpg").isUpToDate) }
    }

    @Test func aJournalThatIsRewrittenMeanwhileIsReadAsItWas() throws {
        let own = try setting.open()
        for _ in 0..<3 {
            for name in ["a.jpg", "b.jpg"] {
                try setting.make(name, of: setting.input(name, "photo"), in: own)
                unlink(own.path(of: name))
            }
        }
        let merged = try MergedJournal(outputFolder: setting.outputFolder)
        try own.compact()
        for name in ["a.jpg", "b.jpg"] {
            #expect(try merged.receipts(for: OutputKey(name)).latest?.output == name)
        }
    }

    @Test func runsThatMadeOtherBytesAreSeen() throws {
        let (first, second) = (try run(), try run())
        try make("a.jpg", in: first)
        try make("a.jpg", in: second, text: "other")
        try make("b.jpg", in: first)
        try make("b.jpg", in: second)
        let journal = try MergedJournal(outputFolder: setting.outputFolder)
        #expect(journal.isDisputed(OutputKey("a.jpg")) && !journal.isDisputed(OutputKey("b.jpg")))
    }

    @Test func runsOfTwoVersionsThatHashOtherwiseAreNotDisputed() throws {
        let (first, second) = (try run(), try run())
        try make("a.jpg", in: first, text: "result", hashedWith: .sha256)
        try make("a.jpg", in: second, text: "result")
        try make("b.jpg", in: first, text: "longer result", hashedWith: .sha256)
        try make("b.jpg", in: second, text: "result")
        let journal = try MergedJournal(outputFolder: setting.outputFolder)
        #expect(!journal.isDisputed(OutputKey("a.jpg")) && journal.isDisputed(OutputKey("b.jpg")))
    }

    @Test func onlyTheShardsOwnTemporaryFilesAreRemoved() throws {
        let earlier = TemporaryFiles(shard: "1-of-3"), own = TemporaryFiles(shard: "1-of-3")
        let folder = setting.folder.path("out")
        let names = [earlier.mark, own.mark, TemporaryFiles(shard: "1-of-30").mark, ""].map {
            ".tintype-\($0 ?? "")77-x.tmp"
        }
        for name in names { try setting.folder.write([1], to: "out/\(name)") }
        own.removeEarlier(in: folder)
        #expect(setting.folder.files() == names.dropFirst().map { "out/\($0)" }.sorted())
        // What has no lock and no shard is a dead run's.
        StrayFiles.remove(in: folder)
        #expect(setting.folder.files() == names[1...2].map { "out/\($0)" }.sorted())
    }

    @Test(arguments: ["", "1", "0/3", "4/3", "1/3/5", "a/b", "1/9999999", "-1/3", " 1/3"])
    func whatIsNoShardIsRefused(text: String) { #expect(Shard(text) == nil) }
}

/// Counts texts, from several threads.
private final class Counts: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    var all: [String: Int] { lock.withLock { counts } }
    func add(_ text: String) { lock.withLock { counts[text, default: 0] += 1 } }
}
