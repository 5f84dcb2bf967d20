import Foundation
import TestSupport
import Testing

/// Runs on a terminal, and the screen after them.
struct TerminalRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let photo = try TestPhoto.jpeg(width: 900, height: 600, seed: 1)
        for index in 0..<12 { try folder.write(photo, to: "set/\(index).jpg") }
        try folder.write(Array(photo.prefix(photo.count / 2)), to: "set/cut.jpg")
    }

    private func run(_ arguments: [String], columns: Int, environment: [String: String] = ["LANG": "C.UTF-8"])
        throws -> (exitCode: Int32, text: String)
    {
        try Tool.runOnTerminal(
            ["apply", "-dcpu", "-ftilt-shift:radius=20", "-oout"] + arguments + ["set"], in: folder,
            columns: columns, environment: environment.merging(["TERM": "xterm"]) { $1 })
    }

    @Test(arguments: [40, 80, 120, 200])
    func theBarLeavesNothingBehind(columns: Int) throws {
        let (exitCode, text) = try run([], columns: columns)
        #expect(exitCode == 1)
        #expect(text.contains("% ▕") && text.contains("▏"), "there was a bar: \(text)")
        let lines = Screen(columns: columns, showing: text).lines
        #expect(!lines.joined().contains("▕"), "\(lines)")
        let words = lines.joined(separator: " ")
        #expect(words.contains("set/cut.jpg: ") && words.contains("12 photos"), "\(lines)")
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func jsonLinesOnTheTerminalAreWhole() throws {
        let (_, text) = try run(["--json"], columns: 2000)
        #expect(text.contains("▕"))
        let lines = Screen(columns: 2000, showing: text).lines.filter { $0.contains("{") }
        #expect(lines.count == 14)
        for line in lines {
            #expect(throws: Never.self, "\(line)") { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }

    @Test func aLocaleWithoutUTF8GetsPlainCharacters() throws {
        let (_, text) = try run([], columns: 80, environment: ["LANG": "C"])
        #expect(text.contains("% [") && text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func aDumbTerminalGetsNoBar() throws {
        let (_, text) = try Tool.runOnTerminal(
            ["apply", "-dcpu", "-fsepia", "-oout", "set"], in: folder, columns: 80,
            environment: ["TERM": "dumb"])
        #expect(!text.contains("\u{1B}") && !text.contains("▕") && text.contains("12 photos"))
    }

    @Test func verboseAddsPhotosAndTwiceAddsOperations() throws {
        func lines(_ flag: String, _ output: String) throws -> [Substring] {
            try Tool.run(
                ["apply", "-dcpu", "-fsepia", flag, "-o", output, "--no-journal", "set"], in: folder
            ).errorText.split(separator: "\n")
        }
        // 12 photos, one failure, and the summary.
        let once = try lines("-v", "once")
        #expect(once.count == 14 && once.filter { $0.contains(" -> once/") }.count == 12, "\(once)")
        let twice = try lines("-vv", "twice")
        #expect(twice.count > once.count && twice.filter { $0.contains(" -> twice/") }.count == 12)
    }

    @Test func devicesFitEightyColumns() throws {
        for columns in [80, 120] {
            let text = try Tool.runOnTerminal(["devices"], in: folder, columns: columns, streams: [1]).text
            #expect(text.contains("SELF-TEST"))
            #expect(Screen(columns: 1000, showing: text).lines.allSatisfy { $0.count <= columns }, "\(text)")
        }
        let piped = try Tool.run(["devices"], in: folder).outputLines
        #expect(piped.count > 1 && piped.allSatisfy { $0.count <= 80 }, "\(piped)")
    }
}
