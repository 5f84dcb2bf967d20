import Foundation
import TestSupport
import Testing
import Tintype

/// Output and exit codes of the built tool, for commands that decode no photo.
struct CommandLineTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let commandLines: [([String], Int32)] = [
        (["--version"], 0), (["--help"], 0), (["apply", "--help"], 0), (["filters"], 0),
        (["help"], 0), (["help", "apply"], 0), (["help", "conformance"], 0), (["help", "nonsense"], 2),
        (["nonsense"], 2), (["--nonsense"], 2), (["apply", "--nonsense"], 2), (["apply", "a.jpg"], 2),
        (["apply", "-f", "sepja", "a.jpg"], 2), (["apply", "-f", "sepia", "--quality", "0", "a.jpg"], 2),
        (["apply", "-f", "sepia"], 3), (["apply", "-f", "sepia", "."], 3),
        (["apply", "-f", "sepia", "missing.jpg"], 1),
    ]

    @Test(arguments: commandLines)
    func exitCodes(arguments: [String], exitCode: Int32) throws {
        let result = try Tool.run(arguments, in: folder)
        #expect(result.exitCode == exitCode, "\(result.errorText)")
        // Results go to standard output, errors to standard error.
        #expect(result.output.isEmpty == (exitCode != 0))
        #expect(result.errorText.isEmpty == (exitCode == 0))
    }

    /// Some shells give `make install PREFIX=~/.local` the tilde as it is.
    @Test(arguments: ["~/.local", "local", ""])
    func nothingIsInstalledBelowAPrefixThatIsNotAbsolute(prefix: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process(), errors = Pipe()
        process.executableURL = root.appendingPathComponent("packaging/install")
        process.arguments = [Tool.path, prefix]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardError = errors
        try process.run()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2 && text.contains("absolute path"), "\(text)")
        #expect(folder.files().isEmpty)
    }

    @Test func filtersAreListedWithTheirSettings() throws {
        let text = try Tool.run(["filters"], in: folder).outputText
        for word in [
            "sepia", "noir", "tilt-shift", "intensity", "0 to 1", "default 0.8", "none or luminance",
        ] {
            #expect(text.contains(word))
        }
        let json = try JSONSerialization.jsonObject(
            with: Data(try Tool.run(["filters", "--json"], in: folder).output))
        let filters = try #require(json as? [[String: Any]])
        let sepia = try #require(filters.first { $0["name"] as? String == "sepia" })
        let settings = try #require(sepia["parameters"] as? [[String: Any]])
        let (intensity, keep) = (settings[0], settings[1])
        #expect(intensity["name"] as? String == "intensity" && intensity["default"] as? String == "0.8")
        #expect(intensity["kind"] as? String == "number" && keep["kind"] as? String == "choice")
        #expect(intensity["minimum"] as? Double == 0 && intensity["maximum"] as? Double == 1)
        #expect(keep["choices"] as? [String] == ["none", "luminance"] && keep["minimum"] == nil)
    }

    /// Another program may make a shared terminal or pipe non-blocking.
    @Test func slowReadersOfANonBlockingPipeGetAll() throws {
        let expected = try Tool.run(["filters", "--json"], in: folder).output
        let pipe = Pipe()
        let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
        // F_SETPIPE_SZ, which Swift does not import.
        let capacity = fcntl(writing.fileDescriptor, 1031, 4096)
        try #require(capacity > 0 && capacity < expected.count)
        _ = fcntl(writing.fileDescriptor, F_SETFL, O_NONBLOCK)
        let running = try Tool.start(["filters", "--json"], in: folder, output: writing)
        writing.closeFile()
        var waiting: Int32 = 0
        _ = eventually {
            _ = ioctl(reading.fileDescriptor, UInt(FIONREAD), &waiting)
            return waiting >= capacity || !running.process.isRunning
        }
        #expect([UInt8](try #require(try reading.readToEnd())) == expected)
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0)
    }

    @Test func aFilterIsShownWithAnExampleThatWorks() throws {
        let text = try Tool.run(["filters", "vignette"], in: folder).outputText
        #expect(text.hasPrefix("vignette: ") && !text.contains("sepia"))
        let example = try #require(text.split(separator: "\n").first { $0.contains("tintype apply -f ") })
        let words = example.split(separator: " ").dropFirst().map(String.init)
        try folder.write(FirstBytes.text, to: "photo.jpg")
        // The file is no photo, but all flags are right.
        #expect(try Tool.run(words, in: folder).exitCode == 1)
        let unknown = try Tool.run(["filters", "vignete"], in: folder)
        #expect(unknown.exitCode == 2 && unknown.errorText.contains("'vignette'"))
    }

    @Test func failuresNameThePhotoInTextAndInJSON() throws {
        try folder.write(FirstBytes.text, to: "notes.txt")
        let result = try Tool.run(["apply", "-f", "sepia", "--json", "notes.txt", "gone.jpg"], in: folder)
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("notes.txt: ") && result.errorText.contains("gone.jpg: "))
        let lines = try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["type"] as? String } == ["photo", "photo", "summary"])
        #expect(lines[0]["input"] as? String == "notes.txt" && lines[0]["status"] as? String == "failed")
        #expect(lines[0]["error"] is String)
        #expect(lines[2]["failed"] as? Int == 2 && lines[2]["exitCode"] as? Int == 1)
    }

    @Test func aDryRunSaysWhatWouldBeWrittenAndWritesNothing() throws {
        try folder.write(FirstBytes.jpeg, to: "set/x/a.JPG")
        try folder.write(FirstBytes.png, to: "set/b.png")
        let plain = try Tool.run(["apply", "-f", "sepia", "--dry-run", "-o", "out", "set"], in: folder)
        #expect(plain.exitCode == 0)
        #expect(plain.outputLines == ["set/b.png -> out/b.png", "set/x/a.JPG -> out/x/a.JPG"])
        let template = "{stem}_{chain}.{ext}"
        let named = try Tool.run(["apply", "-f", "sepia", "--dry-run", "-o", template, "set"], in: folder)
        #expect(named.outputLines == ["set/b.png -> b_sepia.png", "set/x/a.JPG -> a_sepia.JPG"])
        #expect(folder.files() == ["set/b.png", "set/x/a.JPG"])
    }

    @Test func outputsInTheWayAreRefused() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/b.jpg")
        try folder.write(FirstBytes.text, to: "out/b.jpg")
        let existing = try Tool.run(["apply", "-f", "sepia", "-o", "out", "set"], in: folder)
        #expect(existing.exitCode == 1)
        #expect(existing.errorText.contains("'out/b.jpg'") && existing.errorText.contains("--overwrite"))
        let onto = try Tool.run(["apply", "-f", "sepia", "-o", "set", "--overwrite", "set"], in: folder)
        #expect(onto.exitCode == 2 && onto.errorText.contains("Originals are never replaced"))
        #expect(folder.files() == ["out/b.jpg", "set/a.jpg", "set/b.jpg"])
    }

    @Test func quietRunsPrintErrorsOnly() throws {
        let result = try Tool.run(["apply", "-q", "-f", "sepia", "gone.jpg"], in: folder)
        #expect(result.errorText == "gone.jpg: The file cannot be read: No such file or directory.\n")
    }

    private static let complaints: [([String], String)] = [
        (
            ["-f", "noir", "in"],
            "Error: A subcommand comes first. To filter photos, write: tintype apply -f noir in\n"
        ),
        (
            ["-fnoir", "a b"],
            "Error: A subcommand comes first. To filter photos, write: tintype apply -fnoir 'a b'\n"
        ),
        (
            ["a.jpg"],
            "Error: There is no subcommand 'a.jpg'. To filter photos, write: tintype apply -f sepia a.jpg\n"
        ),
        (
            ["noir", "in"],
            "Error: There is no subcommand 'noir'. It is a filter. To filter photos, write: tintype apply -f noir in\n"
        ),
        (
            ["noir:contrast=2", "sepia", "in"],
            "Error: There is no subcommand 'noir:contrast=2'. It is a filter. To filter photos, write: tintype apply -f noir:contrast=2 -f sepia in\n"
        ),
        (
            ["apply", "noir", "in"],
            "Error: There is nothing to do. 'noir' is a filter. To filter photos, write: tintype apply -f noir in\n"
        ),
        (
            ["noirr", "in"],
            "Error: There is no subcommand 'noirr'. Did you mean 'noir'? It is a filter. To filter photos, write: tintype apply -f noir in\n"
        ),
        (
            ["web", "in"],
            "Error: There is no subcommand 'web'. It is a recipe: tintype apply --recipe web -o out in\n"
        ),
        (
            ["bw", "in"],
            "Error: There is no subcommand 'bw'. Did you mean 'grayscale' or 'noir'? See 'tintype filters'.\n"
        ),
        (
            ["help", "noir"],
            "Error: There is no subcommand 'noir'. It is a filter: tintype filters noir\n"
        ),
        (
            ["apply", "--quality", "a\u{1B}[31mb\nc", "-f", "sepia", "in"],
            "Error: The value 'a\\u{1b}[31mb\\nc' is invalid for '--quality <quality>'"
        ),
        (
            ["apply", "--jobs=" + String(repeating: "9", count: 5000), "-f", "sepia", "in"],
            "Error: The value '" + String(repeating: "9", count: 77)
                + "...' is invalid for '--jobs <number>'\n"
        ),
        (["devices", "a\nb", "x"], "Error: 2 unexpected arguments: 'a\\nb', 'x'\n"),
        (
            ["apply", "--strip=a\nb", "-f", "sepia", "in"],
            "Error: The option '--strip' does not take any value, but 'a\\nb' was specified.\n"
        ),
        (["aply", "a.jpg"], "Error: There is no subcommand 'aply'. Did you mean 'apply'?\n"),
        (
            ["help", "nonsense"],
            "Error: There is no subcommand 'nonsense'. There are: apply, gallery, filters, devices, recipes, journal, plan, verify, status, config, bench.\n"
        ),
        (["apply", "-f", "sepia", "--width", "a.jpg"], "Error: Unknown option '--width'.\n"),
        (
            ["apply", "-f", "sepia", "--overwite"],
            "Error: Unknown option '--overwite'. Did you mean '--overwrite'?\n"
        ),
        (
            ["http://user:secret@host/a.jpg"],
            "Error: There is no subcommand 'http://host/a.jpg'. To filter photos, write: "
                + "tintype apply -f sepia http://host/a.jpg\n"
        ),
        (["devices", "http://user:secret@host/a.jpg"], "Error: Unexpected argument 'http://host/a.jpg'\n"),
    ]

    @Test(arguments: complaints)
    func wrongUsageIsPutRight(arguments: [String], message: String) throws {
        let result = try Tool.run(arguments, in: folder)
        #expect(result.exitCode == 2 && result.errorText.hasPrefix(message), "\(result.errorText)")
    }

    @Test(arguments: [
        ["--output=http://user:secret@host/out"], ["-ohttp://user:secret@host/out"],
        ["-o", "ftp://user:secret@host/{", "--files-from=ftp://user:secret@host/list"],
        ["-o", "out", "http://user:secret@[bad/z.jpg"],
        ["--jobs=http://u:secret@h"],
        ["-o", "out", "--nonsense=http://user:secret@host/"],
    ])
    func noComplaintShowsAPassword(flags: [String]) throws {
        let result = try Tool.run(["apply", "-f", "sepia", "a.jpg"] + flags, in: folder)
        #expect(result.exitCode != 0 && !result.errorText.contains("secret"), "\(result.errorText)")
    }

    @Test func valuesMayFollowTheirLetterAtOnce() throws {
        try folder.write(FirstBytes.jpeg, to: "a.jpg")
        let result = try Tool.run(
            [
                "apply", "-j4", "-fsepia", "-fnoir:contrast=2,midpoint=0.4", "-f=sepia:intensity=1", "-dcpu",
                "-oout",
                "--dry-run", "a.jpg",
            ],
            in: folder)
        #expect(
            result.exitCode == 0 && result.outputText.contains("a.jpg -> out/a.jpg"), "\(result.errorText)")
        #expect(try Tool.run(["bench", "-j0"], in: folder).errorText.contains("got 0"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptsAreWritten(shell: String) throws {
        let result = try Tool.run(["--generate-completion-script", shell], in: folder)
        #expect(result.exitCode == 0 && result.errorText.isEmpty)
        for word in ["tintype", "apply", "files-from", "device-timeout"] {
            #expect(result.outputText.contains(word))
        }
    }

    /// As the shells' scripts ask.
    @Test(arguments: [
        (["apply", "--", "--filter", "3", "2", "tintype", "apply", "-f", "se"], "sepia"),
        (["apply", "--", "--recipe", "3", "1", "tintype", "apply", "--recipe", "w"], "web"),
        (["apply", "--", "--recipe", "3", "3", "tintype", "apply", "--recipe", "my/"], "my/own.json"),
        (["filters", "--", "positional@0", "2", "2", "tintype", "filters", "se"], "sepia"),
    ])
    func filtersAndRecipesAreCompleted(words: [String], completion: String) throws {
        try folder.write([], to: "my/own.json")
        let result = try Tool.run(
            ["---completion"] + words, in: folder,
            environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"])
        #expect(result.outputLines.contains(completion), "\(result.outputText) \(result.errorText)")
    }

    @Test func helpShowsFlagsInGroups() throws {
        let help = try Tool.run(["apply", "--help"], in: folder).outputLines
        for title in ["FILTERS AND FORMATS:", "OUTPUTS:", "DEVICES:", "LIMITS:", "MESSAGES:"] {
            #expect(help.contains(title))
        }
    }

    @Test(arguments: ["gallery", "conformance"])
    func helpTellsOneDefault(verb: String) throws {
        let help = try Tool.run(["help", verb], in: folder).outputText
        for text in ["(default: 0)", "(default: inf)", "\(Int.max)"] { #expect(!help.contains(text)) }
    }

    @Test func aGalleryWithoutPhotosEnds() throws {
        try folder.write(FirstBytes.text, to: "empty/notes.txt")
        for (name, exitCode) in [("nosuch", Int32(1)), ("empty", 3)] {
            let result = try Tool.runUnlessItHangs(
                ["gallery", "-f", "sepia", "-d", "cpu", name], in: folder)
            #expect(result?.exitCode == exitCode, "\(result?.errorText ?? "it goes on")")
            #expect(result?.errorText.contains("There are no photos in \(name)") == true)
        }
        let list = try Tool.runUnlessItHangs(
            ["gallery", "-f", "sepia", "-d", "cpu", "none.txt"], in: folder)
        let applied = try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", "--files-from", "none.txt"], in: folder)
        #expect(applied.exitCode != 0 && list?.exitCode == applied.exitCode)
    }

    private static let printing = [
        ["filters"], ["filters", "--json"], ["devices"], ["devices", "--json"], ["--version"], ["help"],
        ["journal", "out"], ["journal", "--json", "out"], ["journal", "--failed", "out"],
        ["apply", "-f", "sepia", "--dry-run", "-o", "new", "a.jpg"],
        ["apply", "-f", "sepia", "--dry-run", "--json", "-o", "new", "a.jpg"],
    ]

    private func writePhotoAndJournal() throws {
        try folder.write(FirstBytes.jpeg, to: "a.jpg")
        let journal = try Journal(outputFolder: folder.path("out"))
        var failure = Receipt(
            .failed, output: "b.jpg", input: InputIdentity(location: "/in/b.jpg"), recipe: "r")
        failure.error = "the file is empty."
        try journal.append(failure)
    }

    @Test(arguments: printing)
    func aResultThatCannotBeWrittenIsAnError(arguments: [String]) throws {
        try writePhotoAndJournal()
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let result = try Tool.run(arguments, in: folder, output: full)
        #expect(result.exitCode != 0)
        #expect(
            result.errorText.contains("Standard output cannot be written: No space left on device."),
            "\(result.errorText)")
    }

    @Test(arguments: printing)
    func aClosedPipeGivesNoMessage(arguments: [String]) throws {
        try writePhotoAndJournal()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try Tool.run(arguments, in: folder, output: pipe.fileHandleForWriting)
        #expect(result.exitCode != 0 && !result.errorText.contains("Standard output"), "\(result.errorText)")
    }
}
