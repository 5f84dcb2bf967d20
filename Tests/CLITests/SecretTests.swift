import Foundation
import TestSupport
import Testing

@testable import TintypeCLI

/// Passwords and tokens of addresses reach the server, and nobody else.
struct SecretTests {
    private static let secrets = ["hunter2", "signed-7", "Aladdin-9"]

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func secretAddress(_ server: FaultServer, _ target: String) -> String {
        server.url("\(target)?X-Amz-Signature=signed-7&api_key=Aladdin-9").absoluteString
            .replacingOccurrences(of: "http://", with: "http://me:hunter2@")
    }

    /// Fails where a secret is in text, or in a file of the test's folder.
    private func checkNothingShows(_ texts: String..., location: SourceLocation = #_sourceLocation) throws {
        for secret in Self.secrets {
            for text in texts { #expect(!text.contains(secret), sourceLocation: location) }
            for file in folder.files(withRecords: true) {
                #expect(!file.contains(secret), sourceLocation: location)
                let bytes = try folder.read(file)
                #expect(
                    bytes.firstRange(of: Array(secret.utf8)) == nil, "\(file)", sourceLocation: location)
            }
        }
    }

    @Test(arguments: [["-vv"], ["--json"], ["-q"]])
    func noMessageAndNoFileOfARunHasASecret(flags: [String]) throws {
        let photo = try TestPhoto.jpeg(width: 40, height: 30, seed: 1)
        let server = try FaultServer { request, connection in
            let isAllowed = request.headers["authorization"] != nil && request.target.contains("signed-7")
            switch request.target.prefix(2) {
            case "/a" where isAllowed: return connection.respond(body: photo)
            case "/c": return connection.respond(body: Array(photo.prefix(300)))
            case "/d":
                connection.send(connection.head(200, ["ETag: \"a\"", "Content-Length: \(photo.count)"]))
                connection.send(Array(photo.prefix(200)))
                return .close
            case "/r":
                return connection.respond(302, ["Location: ftp://me:hunter2@127.0.0.1/x?token=Aladdin-9"])
            default: return connection.respond(404)
            }
        }
        defer { server.stop() }
        let addresses = ["/a.jpg", "/cut.jpg", "/down.jpg", "/redirect.jpg", "/none.jpg"]
            .map { secretAddress(server, $0) }
        let run = ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", "--retry", "0"] + flags + addresses
        let result = try Tool.run(run, in: folder)
        #expect(result.exitCode == 1, "\(result.errorText)")
        // The server has got them; the four others failed, and are told of and kept.
        let files = folder.files(withRecords: true)
        #expect(files.contains("out/a.jpg") && files.contains("out/.tintype/journal.jsonl"), "\(files)")
        #expect(files.contains { $0.hasPrefix("out/.tintype/partial/") }, "\(files)")
        try checkNothingShows(result.outputText, result.errorText)

        for rest in [
            ["plan", "-f", "sepia", "-o", "new", "-m", "m.jsonl"] + addresses,
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", "--retry-failed"], ["journal", "out"],
        ] {
            let further = try Tool.run(rest, in: folder)
            try checkNothingShows(further.outputText, further.errorText)
        }
    }

    @Test func theListOfProcessesHasNoSecrets() throws {
        let (asked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try FaultServer { _, connection in
            asked.signal()
            mayAnswer.wait()
            return connection.respond(404)
        }
        defer { server.stop() }
        let running = try Tool.start(
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", secretAddress(server, "/a.jpg")], in: folder)
        asked.wait()
        let line = try Data(
            contentsOf: URL(fileURLWithPath: "/proc/\(running.process.processIdentifier)/cmdline"))
        mayAnswer.signal()
        running.process.waitUntilExit()
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains("http://127.0.0.1:\(server.port)/a.jpg?X-Amz-Signature="), "\(text)")
        try checkNothingShows(text)
    }

    @Test(arguments: [
        ("http://me:hunter2@host/a.jpg", "http://host/a.jpg"),
        ("--output=https://me:hunter2@host/out?token=Aladdin-9", "--output=https://host/out?token=REDACTED"),
        ("-ohttps://me:hunter2@[bad/", "-REDACTED@[bad/"),
        ("s3://bucket/a b.jpg", "s3://bucket/a b.jpg"), ("lut:file=look.cube", "lut:file=look.cube"),
        ("://", "://"),
    ])
    func argumentsKeepAllButSecrets(argument: String, shown: String) {
        #expect(RawArguments.redacting(argument) == shown)
    }
}
