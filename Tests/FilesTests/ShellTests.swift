import Foundation
import Testing

@testable import TintypeFiles

struct ShellTests {
    @Test(arguments: ["a.jpg", "", "two words", "it's", "$HOME `id` \\ \"x\"", "é=1,2%", "''", "a\nb"])
    func theShellReadsAQuotedWordAsItIs(word: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "printf %s \(word.shellQuoted)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: output, as: UTF8.self) == word)
    }

    @Test func plainWordsNeedNoQuotes() {
        #expect("tilt-shift:radius=0.7%,band=0.2+noir".shellQuoted == "tilt-shift:radius=0.7%,band=0.2+noir")
    }
}
