import Testing
import Tintype
import TintypeBenchmarking

@testable import TintypeCLI

struct TerminalTextTests {
    private static let line = ProgressLine(
        share: 0.425, doneCount: 123, totalCount: 10_000, failedCount: 2, megapixelsPerSecond: 45.25,
        secondsElapsed: 62, secondsLeft: 83.4, device: "NVIDIA H200")
    private let line = line

    @Test func aWideLineSaysEverything() {
        let text = line.text(width: 120, .blocks)
        #expect(text.hasPrefix(" 42% ▕████████████▊                 ▏"))
        #expect(text.hasSuffix("▏  123/10000   45.2 MP/s  1:02  ETA 1:23  2 failed  NVIDIA H200"))
        #expect(
            line.plainText
                == "42%  123/10000 photos  45.2 MP/s  1:02 elapsed  ETA 1:23  2 failed  NVIDIA H200")
    }

    private static let lines: [ProgressLine] = {
        var one = line, many = line
        (one.doneCount, one.totalCount, one.failedCount, one.secondsLeft, one.device) = (0, 1, 0, nil, "cpu")
        (many.doneCount, many.totalCount, many.failedCount) = (99_999, 100_000, 99_999)
        (many.share, many.secondsElapsed, many.secondsLeft) = (1, 359_999, 359_999)
        many.megapixelsPerSecond = 123_456.7
        many.device = "pthread-AMD EPYC 9B45 128-Core Processor + NVIDIA H100 80GB HBM3 + x86-64-v4"
        return [line, one, many]
    }()

    @Test(arguments: lines)
    func aLineNeverExceedsItsWidth(line: ProgressLine) {
        for width in 0...220 {
            #expect(line.text(width: width, .blocks).count <= width)
            #expect(line.text(width: width, .ascii).count <= width)
        }
    }

    @Test(arguments: lines)
    func everyTerminalHasABarAndATimeLeft(line: ProgressLine) {
        for width in 39...199 {
            let text = line.text(width: width, .blocks)
            #expect(text.contains("% ▕") && text.contains("▏"), "\(width): \(text)")
            let fitsAll = width >= 60 || line.totalCount <= 10_000
            if fitsAll, line.secondsLeft != nil { #expect(text.contains("ETA"), "\(width): \(text)") }
        }
        #expect(line.text(width: 199, .blocks).hasSuffix(line.device))
    }

    @Test func narrowLinesKeepTheMostImportantParts() {
        #expect(line.text(width: 79, .ascii).hasSuffix("  123/10000   45.2 MP/s  1:02  ETA 1:23  2 failed"))
        #expect(line.text(width: 39, .ascii) == " 42% [###      ]  ETA 1:23  2 failed")
        #expect(line.text(width: 17, .ascii) == " 42% [###     ]")
        #expect(line.text(width: 4, .ascii) == " 42%")
    }

    @Test func aLongNameOfADeviceIsCut() {
        var line = line
        line.device = "pthread-AMD EPYC 9B45 128-Core Processor"
        #expect(line.text(width: 119, .blocks).hasSuffix("  2 failed  pthread-AMD EPYC 9B45 128-Core …"))
        #expect(line.text(width: 119, .ascii).hasSuffix("  2 failed  pthread-AMD EPYC 9B45 128-Cor..."))
    }

    @Test func barsGrowInEighths() {
        let bars = [0, 0.01, 0.125, 0.3, 1, 2, -1].map { ProgressBar.text(share: $0, width: 6, .blocks) }
        #expect(bars == ["▕    ▏", "▕    ▏", "▕▌   ▏", "▕█▏  ▏", "▕████▏", "▕████▏", "▕    ▏"])
        #expect(ProgressBar.text(share: 0.6, width: 7, .ascii) == "[###  ]")
        // Below completion, it never shows 100 %.
        #expect(ProgressBar.percentage(0.9999) == " 99%" && ProgressBar.percentage(1) == "100%")
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), ([:], false), (["LANG": "C"], false),
        (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
        (["LANG": "C.UTF-8", "LC_ALL": ""], true), (["LANG": "C.UTF-8", "TERM": "linux"], false),
        (["LANG": "de_DE.ISO-8859-1"], false),
    ])
    func blocksAreForLocalesThatHaveThem(environment: [String: String], hasBlocks: Bool) {
        #expect(ProgressBar.Glyphs(environment: environment) == (hasBlocks ? .blocks : .ascii))
    }

    @Test func theEstimateCountsPhotosAtWorkAndNotWhatWasSkipped() {
        var tally = RunTally()
        // 1 of 4 photos is done, 1 was up to date, and half of another is through.
        (tally.doneCount, tally.upToDateCount) = (1, 1)
        let byCount = WorkEstimate(tally, totalCount: 4, totalByteCount: nil, photosAtWork: 0.5)
        #expect(byCount.share == 0.625)
        // 10 s for 1.5 photos, and 1.5 are left.
        #expect(byCount.secondsLeft(share: byCount.share, after: 10) == 10)
        (tally.inputByteCount, tally.skippedByteCount) = (600, 500)
        let byBytes = WorkEstimate(tally, totalCount: 4, totalByteCount: 1000, photosAtWork: 0.5)
        #expect(byBytes.share == 0.7)
        #expect(byBytes.secondsLeft(share: 0.7, after: 10)?.rounded() == 15)
        let none = WorkEstimate(RunTally(), totalCount: 4, totalByteCount: nil, photosAtWork: 0)
        #expect(none.share == 0 && none.secondsLeft(share: 0, after: 5) == nil)
    }

    @Test func photosWhoseOutputsExistCountAsDone() {
        func job(_ number: UInt64, byteCount: Int) -> PhotoJob {
            let photo = InputPhoto(
                .file(path: "\(number).jpg"), folder: "", name: "\(number).jpg", format: .jpeg,
                byteCount: byteCount, identity: .file(FileIdentity(device: 0, inode: number)))
            return PhotoJob(photo: photo, output: .file(path: "out/\(number).jpg"))
        }
        func share(_ progress: RunProgress, _ tally: RunTally) -> Double {
            progress.line(tally, PixelCounter(), device: "cpu").share
        }
        let existing = [job(1, byteCount: 600)]
        let progress = RunProgress(photos: [job(2, byteCount: 200)], existing: existing, failureCount: 1)
        #expect(progress.totalCount == 3)
        var tally = RunTally()
        tally.add(PhotoResult(existing[0], status: .skipped(.outputExists)))
        #expect(share(progress, tally) == 0.75)
        // Photos that --watch finds.
        let later = [job(3, byteCount: 400)]
        progress.add([job(4, byteCount: 400)], existing: later, failureCount: 0, after: .zero)
        tally.add(PhotoResult(later[0], status: .skipped(.outputExists)))
        #expect(share(progress, tally) == 0.625)
        // Without a size, photos are counted.
        progress.add([], existing: [job(5, byteCount: 0)], failureCount: 0, after: .zero)
        #expect(share(progress, tally) == 2.0 / 6)
    }

    @Test func allRowsOfALineAreErasedWhereTheWindowHasBecomeNarrower() {
        for columnCount in [1, 79, 80] {
            #expect(Terminal.erasing(columnCount: columnCount, in: 80) == "\r\u{1B}[K")
        }
        // The cursor is saved, goes down a row at a time, and returns.
        #expect(Terminal.erasing(columnCount: 81, in: 80) == "\r\u{1B}7\u{1B}[K\u{1B}[B\u{1B}[K\u{1B}8")
        #expect(Terminal.erasing(columnCount: 81, in: 40).components(separatedBy: "\u{1B}[K").count == 4)
    }

    @Test(arguments: [
        (0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (3723, "1:02:03"), (-5, "0:00"), (.infinity, "99:59:59"),
    ])
    func timesAreReadable(seconds: Double, text: String) {
        #expect(ProgressLine.clock(seconds) == text)
    }

    @Test func namesCannotSteerTheTerminal() {
        #expect("a\u{1B}[2Jb\r.jpg".printable == "a\\u{1b}[2Jb\\u{d}.jpg")
        #expect("Übung 1.jpg".printable == "Übung 1.jpg")
    }

    @Test(arguments: [
        (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
        (true, ["NO_COLOR": ""], true),
        (true, ["TERM": "dumb"], false),
    ])
    func coloursAreForTerminalsWhoseUsersWantThem(
        isTerminal: Bool, environment: [String: String], isOn: Bool
    ) {
        #expect(Palette(for: .error, isTerminal: isTerminal, environment: environment).isOn == isOn)
    }

    @Test func coloursTakeNoColumns() {
        let palette = Palette(isOn: true)
        #expect(palette.paint("gone", .failure) == "\u{1B}[31mgone\u{1B}[0m")
        #expect(Palette.none.paint("gone", .failure) == "gone")
        #expect(
            line.text(width: 39, .ascii, palette)
                == " 42% [###      ]  ETA 1:23  \u{1B}[31m2 failed\u{1B}[0m")
    }

    @Test func columnsAlignAndEndWithoutBlanks() {
        #expect(
            TextTable.text([["a", "bbb", "c"], ["aaaa", "b", "ccc"]]) == "a     bbb  c\naaaa  b    ccc\n")
        // Colour codes have no width.
        let painted = Palette(isOn: true).paint("ok", .success)
        #expect(TextTable.text([["TEST", "N"], [painted, "n"]]) == "TEST  N\n\(painted)    n\n")
    }

    @Test func theLastColumnIsWrappedWithinTheTerminal() {
        let rows = [["a", "one two three four five six"], ["bb", "x\ny"]]
        #expect(
            TextTable.text(rows, width: 24) == "a   one two three four\n    five six\nbb  x\n    y\n")
    }

    @Test func theSummaryNamesWhatWasNotDone() {
        var tally = RunTally()
        tally.doneCount = 3
        tally.failedCount = 1
        tally.notDoneCount = 4
        tally.pixelCount = 36_000_000
        tally.photosByDevice = ["cpu": 3]
        let text = tally.summary(seconds: 2, devices: ["cpu": "x86-64-v3"])
        let facts = "3 photos, 36.0 MP in 2.0 s (18.0 MP/s) on cpu (x86-64-v3)"
        #expect(text == facts + "; 1 failed, named above; 4 not done.")
    }

    /// A run of 20 s on 4 processors.
    @Test(
        arguments: [
            ([PhotoPhase.read: 60, .host: 19], 20, "bound by reading (3 MB/s)", "reading"),
            ([.write: 30, .sync: 30, .host: 19], 20, "bound by writing (2 MB/s)", "writing"),
            ([.host: 80], 78, "bound by the processors (98% busy)", "processors"),
            (
                [.device: 60, .host: 20], 20, "waiting mostly for the device (75% of the workers' time)",
                "device"
            ),
            ([.read: 10, .host: 10, .device: 10], 10, nil, nil),
        ] as [([PhotoPhase: Double], Double, String?, String?)])
    func theSummaryTellsWhatBoundTheRun(
        seconds: [PhotoPhase: Double], processorSeconds: Double, clause: String?, name: String?
    ) throws {
        var report = FilterReport()
        for (phase, seconds) in seconds { report.times.add(Int(seconds * 1e9), to: phase) }
        (report.device, report.pixelCount, report.byteCount) = ("cpu", 40_000_000, 40_000_000)
        let photo = InputPhoto(
            .file(path: "a.jpg"), folder: "", name: "a.jpg", format: .jpeg, byteCount: 60_000_000,
            identity: .file(FileIdentity(device: 0, inode: 1)))
        var tally = RunTally()
        tally.add(PhotoResult(PhotoJob(photo: photo, output: .file(path: "b.jpg")), status: .done, report))
        // A further output, which was not read again.
        report.times = PhotoTimes()
        (report.pixelCount, report.byteCount) = (0, 0)
        tally.add(PhotoResult(PhotoJob(photo: photo, output: .file(path: "c.jpg")), status: .done, report))
        func evidence(_ runSeconds: Double) -> Bottleneck.Evidence? {
            tally.evidence(
                seconds: runSeconds, workerCount: 4, processorSeconds: processorSeconds, processorCount: 4)
        }
        let facts = "2 photos, 40.0 MP in 20.0 s (2.0 MP/s) on cpu (x86-64-v3)"
        let text = tally.summary(seconds: 20, devices: ["cpu": "x86-64-v3"], evidence(20))
        #expect(text == facts + (clause.map { ", \($0)." } ?? "."))
        let line = SummaryLine(tally, PassedOver(), evidence(20), seconds: 20, exitCode: 0)
        #expect(line.boundBy == name)
        #expect(line.phaseSeconds?.filter { $0.value > 0 }.count == seconds.count)
        // A short run says nothing.
        let short = SummaryLine(tally, PassedOver(), evidence(9), seconds: 9, exitCode: 0).jsonText()
        #expect(evidence(9) == nil && !short.contains("boundBy") && !short.contains("phaseSeconds"))
    }

    @Test func aRunWithNothingToDoSaysSo() {
        func summary(_ change: (inout RunTally) -> Void) -> String {
            var tally = RunTally()
            change(&tally)
            return tally.summary(seconds: 0.4, devices: [:])
        }
        #expect(summary { $0.upToDateCount = 4 } == "Nothing to do: all 4 up to date.")
        #expect(summary { $0.upToDateCount = 1 } == "Nothing to do: 1 up to date.")
        #expect(summary { $0.existingCount = 2 } == "Nothing to do: 2 skipped, whose outputs exist.")
        #expect(
            summary { ($0.upToDateCount, $0.failedCount) = (4, 1) }
                == "0 photos; 4 up to date; 1 failed, named above.")
    }

    @Test func wordsAreNotBrokenAtTheEdge() {
        #expect("a bc def".wrapped(to: 8) == "a bc def")
        #expect("a bc def gh".wrapped(to: 8) == "a bc def\ngh")
        #expect("one\ntwo three".wrapped(to: 6) == "one\ntwo\nthree")
        #expect("a 0123456789 b".wrapped(to: 5) == "a\n0123456789\nb")
        // A command can be copied.
        #expect(
            "Make them: tintype apply -m manifest.jsonl".wrapped(to: 12)
                == "Make them:\ntintype apply -m manifest.jsonl")
    }

    @Test func aPhotoThatFailsAndIsDoneLaterHasNotFailed() {
        let photo = InputPhoto(
            .file(path: "a.jpg"), folder: "", name: "a.jpg", format: .jpeg, byteCount: 1,
            identity: .file(FileIdentity(device: 0, inode: 1)))
        let job = PhotoJob(photo: photo, output: .file(path: "out/a.jpg"))
        var tally = RunTally(), suspects = SuspectTally()
        for _ in 0..<2 {
            suspects.add(PhotoResult(job, status: .failed(.inputChanged)), to: &tally)
            #expect(tally.failedCount == 1 && tally.failureKinds == [.photo])
        }
        suspects.add(PhotoResult(job, status: .done), to: &tally)
        #expect(tally.failedCount == 0 && tally.failureKinds.isEmpty && tally.doneCount == 1)
    }

    @Test func exitCodesFollowTheFailures() {
        #expect(ExitStatus(failures: []) == .done)
        #expect(ExitStatus(failures: [.photo, .device]) == .photosFailed)
        #expect(ExitStatus(failures: [.device]) == .device)
        #expect(ExitStatus(failures: [.resourceLimit]) == .resourceLimit)
        #expect(ExitStatus(failures: [.resourceLimit, .photo]) == .photosFailed)
        #expect(ExitStatus(failures: [.resourceLimit, .photo], endedEarly: true) == .resourceLimit)
        #expect(ExitStatus(failures: [.photo], endedEarly: true) == .photosFailed)
    }
}
