import Testing
import Tintype

@testable import TintypeCLI

struct TerminalTextTests {
    private let line = ProgressLine(
        doneCount: 123, totalCount: 10_000, failedCount: 2, megapixelsPerSecond: 45.25, secondsLeft: 83.4,
        device: "NVIDIA H200")

    @Test func aWideLineSaysEverything() {
        #expect(line.text(width: 80) == "123/10000 photos  45.2 MP/s  ETA 1:23  2 failed  NVIDIA H200")
    }

    @Test(arguments: 0...70)
    func aLineNeverExceedsItsWidth(width: Int) {
        #expect(line.text(width: width).count <= width)
    }

    @Test func whatMattersMostStaysLongest() {
        #expect(line.text(width: 30) == "123/10000 photos  2 failed")
        #expect(line.text(width: 20) == "123/10000 photos")
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
        #expect(line.text(width: 30, palette) == "123/10000 photos  \u{1B}[31m2 failed\u{1B}[0m")
    }

    @Test func columnsAlignAndEndWithoutBlanks() {
        #expect(
            Columns.text([["a", "bbb", "c"], ["aaaa", "b", "ccc"]]) == "a     bbb  c\naaaa  b    ccc\n")
    }

    @Test func theSummaryNamesWhatWasNotDone() {
        var tally = RunTally()
        tally.doneCount = 3
        tally.failedCount = 1
        tally.notDoneCount = 4
        tally.pixelCount = 36_000_000
        tally.photosByDevice = ["cpu": 3]
        let text = RunReport.summary(tally, seconds: 2, speed: 18, devices: ["cpu": "x86-64-v3"])
        let facts = "3 photos, 36.0 MP in 2.0 s (18.0 MP/s) on cpu (x86-64-v3)"
        #expect(text == facts + "; 1 failed, named above; 4 not done.")
    }

    @Test func exitCodesFollowTheFailures() {
        #expect(ExitStatus(failures: []) == .done)
        #expect(ExitStatus(failures: [.photo, .device]) == .photosFailed)
        #expect(ExitStatus(failures: [.device]) == .device)
        #expect(ExitStatus(failures: [.resourceLimit]) == .resourceLimit)
    }

    @Test func aGPUWithoutOpenCLGetsAHint() {
        #expect(GPUHint.text { _ in false } == nil)
        #expect(GPUHint.text { $0 == "/dev/nvidiactl" }?.contains("nvidia.icd is missing") == true)
        #expect(GPUHint.text { $0.contains("nvidia") }?.contains("nvidia-smi") == true)
        #expect(GPUHint.text { $0 == "/dev/dri/renderD128" }?.contains("intel-opencl-icd") == true)
        #expect(GPUHint.text { $0 == "/dev/kfd" }?.contains("AMD") == true)
    }
}
