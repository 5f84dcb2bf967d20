import Foundation
import TestSupport
import Testing
import TintypeCryptography

/// Photos and lists from a server, through the built tool.
struct DownloadRunTests {
    let folder: TemporaryFolder
    let server: FaultServer

    init() throws {
        folder = try TemporaryFolder()
        let photo = try TestPhoto.jpeg(width: 120, height: 90, seed: 1)
        let list = #"{"first": "/a.jpg", "../../escape": "/b.jpg"}"#
        server = try FaultServer { request, connection in
            switch request.target {
            case "/a.jpg", "/b.jpg", "/sub/a.jpg": return connection.respond(body: photo)
            case "/list.json":
                let host = request.headers["host"] ?? ""
                let body = list.replacingOccurrences(of: "\"/", with: "\"http://\(host)/")
                return connection.respond(body: Array(body.utf8))
            case "/cut.jpg":
                // Without a length, only decoding shows that the body is incomplete.
                connection.send(connection.head(200, ["Connection: close"]))
                connection.send(Array(photo.prefix(photo.count / 2)))
                return .close
            case "/busy.jpg": return connection.respond(503)
            default: return connection.respond(404)
            }
        }
    }

    private func apply(_ arguments: [String]) throws -> Tool.Result {
        defer { server.stop() }
        return try Tool.run(["apply", "-d", "cpu", "-f", "sepia", "-o", "out"] + arguments, in: folder)
    }

    @Test func addressesAreDownloadedAndFiltered() throws {
        let result = try apply([server.url("/a.jpg").absoluteString])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(folder.files() == ["out/a.jpg"])
    }

    @Test func missingAndTruncatedPhotosAreNamedAndTheOthersDone() throws {
        let addresses = ["/a.jpg", "/gone.jpg", "/cut.jpg"].map { server.url($0).absoluteString }
        let result = try apply(addresses + ["--retry", "0"])
        #expect(result.exitCode == 1)
        #expect(
            result.errorText.contains("/gone.jpg") && result.errorText.contains("404"), "\(result.errorText)")
        #expect(result.errorText.contains("/cut.jpg"))
        for line in result.errorText.split(separator: "\n") where line.contains("http://") {
            #expect(line.ranges(of: "http://").count == 1, "a failure names its address once: \(line)")
        }
        #expect(folder.files() == ["out/a.jpg"])
    }

    @Test func aBodyThatBrokeOffIsContinuedByTheNextRun() throws {
        let photo = try TestPhoto.jpeg(width: 400, height: 300, seed: 2)
        let half = photo.count / 2
        let server = try FaultServer { request, connection in
            let tag = "ETag: \"one\""
            if request.number == 1 {
                connection.send(connection.head(200, [tag, "Content-Length: \(photo.count)"]))
                connection.send(Array(photo[..<half]))
                return .close
            }
            guard request.headers["range"] == "bytes=\(half)-" else { return connection.respond(404) }
            let range = "Content-Range: bytes \(half)-\(photo.count - 1)/\(photo.count)"
            return connection.respond(206, [tag, range], body: Array(photo[half...]))
        }
        defer { server.stop() }
        let run = [
            "apply", "-d", "cpu", "-f", "sepia", "-o", "out", "--retry", "0", "\(server.url("/a.jpg"))",
        ]
        let first = try Tool.run(run, in: folder)
        #expect(first.exitCode == 75, "\(first.errorText)")
        #expect(try partials().count == 2)
        let second = try Tool.run(run, in: folder)
        #expect(second.exitCode == 0, "\(second.errorText)")
        #expect(folder.files() == ["out/a.jpg"])
        #expect(!FileManager.default.fileExists(atPath: folder.path("out/.tintype/partial")))
    }

    @Test func aPhotoThatCannotBeHadFailsOnlyTheOutputsThatNeedIt() throws {
        let photo = try TestPhoto.jpeg(width: 120, height: 90, seed: 1)
        let server = try FaultServer { request, connection in
            request.number == 1 ? connection.respond(body: photo) : connection.respond(404)
        }
        defer { server.stop() }
        try folder.write(
            Array(
                #"{"outputs": {"small": {"filters": "resize:long=40"}, "old": {"filters": "sepia"}}}"#.utf8),
            to: "own.json")
        let run = [
            "apply", "-d", "cpu", "--recipe", "own.json", "-o", "out", "--json", "\(server.url("/a.jpg"))",
        ]
        let first = try Tool.run(run, in: folder)
        #expect(first.exitCode == 0, "\(first.errorText)")
        try FileManager.default.removeItem(atPath: folder.path("out/a-small.jpg"))
        let second = try Tool.run(run, in: folder)
        #expect(second.exitCode == 1, "\(second.errorText)")
        let photos = second.outputLines.filter { $0.contains("\"type\":\"photo\"") }
        #expect(photos.count == 2)
        #expect(photos.contains { $0.contains("a-small.jpg") && $0.contains("\"failed\"") })
        #expect(photos.contains { $0.contains("a-old.jpg") && $0.contains("\"upToDate\"") })
    }

    /// A server of PNGs, of which only some have addresses that say so, and of a JPEG that is named like a PNG.
    private func serverOfOtherFormats(
        _ script: @escaping @Sendable (FaultServer.Request) -> Int? = { _ in nil }
    ) throws
        -> FaultServer
    {
        let png = try TestPhoto.png(width: 40, height: 30, seed: 3)
        let jpeg = try TestPhoto.jpeg(width: 40, height: 30, seed: 4)
        return try FaultServer { request, connection in
            if let status = script(request) { return connection.respond(status) }
            return connection.respond(body: request.target.hasPrefix("/b.png") ? jpeg : png)
        }
    }

    private func isPNG(_ name: String) throws -> Bool {
        try folder.read(name).starts(with: FirstBytes.png.prefix(4))
    }

    @Test func anOutputHasTheFormatOfItsPhotoAndIsNamedSo() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        let run = [
            "apply", "-d", "cpu", "-f", "sepia", "-o", "out", "--json", "\(server.url("/image.php?id=3"))",
            "\(server.url("/a.jpg"))", "\(server.url("/b.png"))",
        ]
        let first = try Tool.run(run, in: folder)
        #expect(first.exitCode == 0, "\(first.errorText)")
        #expect(folder.files() == ["out/a.png", "out/b.jpg", "out/image.php.png"])
        #expect(try isPNG("out/a.png") && isPNG("out/image.php.png") && !isPNG("out/b.jpg"))
        for name in folder.files() { #expect(first.outputText.contains("\"output\":\"\(name)\"")) }
        // The server is not asked again.
        let count = server.requests.count
        for arguments in [run, run + ["--dry-run"]] {
            let again = try Tool.run(arguments, in: folder)
            #expect(again.exitCode == 0 && again.outputText.ranges(of: "\"status\":\"upToDate\"").count == 3)
            #expect(server.requests.count == count)
        }
        try FileManager.default.removeItem(atPath: folder.path("out/a.png"))
        #expect(try Tool.run(run, in: folder).exitCode == 0)
        #expect(folder.files() == ["out/a.png", "out/b.jpg", "out/image.php.png"])
    }

    @Test func whatIsAskedForWinsOverThePhotosFormat() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        let address = "\(server.url("/image.php"))"
        for (output, flags, name, png) in [
            ("one", ["--format", "jpeg"], "one/image.php.jpg", false), ("two.jpg", [], "two.jpg", false),
            ("three/{stem}.jpg", [], "three/image.php.jpg", false),
            ("{ext}/{name}", [], "png/image.php.png", true), ("plain/{stem}", [], "plain/image.php", true),
        ] as [(String, [String], String, Bool)] {
            let result = try Tool.run(
                ["apply", "-d", "cpu", "-f", "sepia", "-o", output, address] + flags, in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(try isPNG(name) == png, "\(output)")
        }
    }

    @Test func aPhotoThatWouldGetAnothersNameFails() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        try folder.write(try TestPhoto.png(width: 40, height: 30, seed: 5), to: "own.png")
        for flags in [[], ["--no-journal", "--overwrite"]] as [[String]] {
            let out = flags.isEmpty ? "out" : "out2"
            let run =
                ["apply", "-d", "cpu", "-f", "sepia", "-o", out, "\(server.url("/own.jpg"))", "own.png"]
                + flags
            for _ in 1...2 {
                let result = try Tool.run(run, in: folder)
                #expect(result.exitCode == 1, "\(result.errorText)")
                #expect(result.errorText.contains("would also be that of own.png"), "\(result.errorText)")
                #expect(folder.files().filter { $0.hasPrefix("\(out)/") } == ["\(out)/own.png"])
            }
        }
    }

    @Test func anOriginalIsNotReplacedByADownloadOfItsName() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        let original = try TestPhoto.png(width: 40, height: 30, seed: 5)
        try folder.write(original, to: "own.png")
        let result = try Tool.run(
            [
                "apply", "-d", "cpu", "-f", "sepia", "-o", "{stem}.{ext}", "--overwrite", "--format", "png",
                "own.png",
            ], in: folder)
        #expect(result.exitCode != 0)
        let mixed = try Tool.run(
            [
                "apply", "-d", "cpu", "-f", "sepia", "-o", "{dir}/{stem}.{ext}", "--overwrite",
                "\(server.url("/own.jpg"))", "own.png",
            ],
            in: folder)
        #expect(mixed.exitCode == 1, "\(mixed.errorText)")
        #expect(try folder.read("own.png") == original)
    }

    @Test func aFailureUnderThePlannedNameIsForgottenOnceThereIsTheOutput() throws {
        let server = try serverOfOtherFormats { $0.number == 1 ? 404 : nil }
        defer { server.stop() }
        let run = ["apply", "-d", "cpu", "-f", "sepia", "-o", "out", "\(server.url("/image.php"))"]
        #expect(try Tool.run(run, in: folder).exitCode == 1)
        #expect(try Tool.run(["journal", "out"], in: folder).exitCode == 1)
        let retry = try Tool.run(["apply", "-d", "cpu", "-o", "out", "--retry-failed"], in: folder)
        #expect(retry.exitCode == 0, "\(retry.errorText)")
        #expect(folder.files() == ["out/image.php.png"])
        #expect(try Tool.run(["journal", "out"], in: folder).exitCode == 0)
        #expect(try Tool.run(run + ["--json"], in: folder).outputText.contains("\"upToDate\":1"))
        #expect(server.requests.count == 2)
    }

    @Test func eachOfSeveralOutputsIsNamedForItsOwnFormat() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        let recipe =
            #"{"outputs": {"web": {"filters": "sepia", "format": "jpeg"}, "own": {"filters": "sepia"}}}"#
        try folder.write(Array(recipe.utf8), to: "own.json")
        let run = [
            "apply", "-d", "cpu", "--recipe", "own.json", "-o", "out", "--json", "\(server.url("/a.jpg"))",
        ]
        for status in ["done", "upToDate"] {
            let result = try Tool.run(run, in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(
                result.outputText.ranges(of: "\"status\":\"\(status)\"").count == 2, "\(result.outputText)")
            #expect(folder.files().filter { $0.hasPrefix("out/") } == ["out/a-own.png", "out/a-web.jpg"])
        }
        #expect(server.requests.count == 1)
    }

    /// A plan has frozen the names, so the photo is converted.
    @Test func aManifestKeepsItsNames() throws {
        let server = try serverOfOtherFormats()
        defer { server.stop() }
        let address = "\(server.url("/image.php"))"
        for arguments in [
            ["plan", "-f", "sepia", "-o", "out", "-m", "m.jsonl", address],
            ["apply", "-d", "cpu", "-m", "m.jsonl"],
            ["verify", "-m", "m.jsonl"],
        ] {
            let result = try Tool.run(arguments, in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
        }
        #expect(try !isPNG("out/image.php.jpg"))
    }

    private func partials() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.tintype/partial"))
    }

    @Test func theExitCodeTellsOfTemporaryFailuresOnly() throws {
        let result = try apply([server.url("/busy.jpg").absoluteString, "--retry", "0"])
        #expect(result.exitCode == 75, "\(result.errorText)")
    }

    @Test func aListMayComeFromAServerAndItsNamesStayInTheOutputFolder() throws {
        let result = try apply(["--files-from", server.url("/list.json").absoluteString])
        #expect(result.exitCode == 0, "\(result.errorText)")
        let outputs = folder.files()
        // `files` lists the test's folder alone; a name with a separator would have made a folder, or left
        // it.
        #expect(outputs.count == 2, "\(outputs)")
        #expect(
            outputs.allSatisfy { $0.split(separator: "/").count == 2 && $0.hasPrefix("out/") }, "\(outputs)")
        #expect(outputs.contains("out/first.jpg"))
    }

    @Test func photosOfOneNameFromTwoPlacesBothGetOutputs() throws {
        try folder.write(
            Array("\(server.url("/a.jpg"))\n# a comment\n\(server.url("/sub/a.jpg"))\n".utf8), to: "list.txt")
        let result = try apply(["--files-from", "list.txt"])
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") }.count == 2)
    }

    @Test func aFileThatIsNoPhotoIsNamed() throws {
        let list = "file:///etc/passwd\n"
        try folder.write(Array(list.utf8), to: "list.txt")
        let result = try apply(["--files-from", "list.txt"])
        // A local list may name local files; this one is no photo.
        #expect(result.exitCode == 1 && folder.files() == ["list.txt"], "\(result.errorText)")
    }

    @Test func aSignatureDoesNotTellPhotosApartAndAKeyDoes() throws {
        let first = try TestPhoto.jpeg(width: 120, height: 90, seed: 1)
        let second = try TestPhoto.jpeg(width: 90, height: 120, seed: 2)
        let server = try FaultServer { request, connection in
            connection.respond(body: request.target.contains("key=2") ? second : first)
        }
        defer { server.stop() }
        func apply(_ target: String) throws -> Tool.Result {
            let address = server.url(target).absoluteString
            return try Tool.run(["apply", "-d", "cpu", "-f", "sepia", "-o", "out", address], in: folder)
        }
        for date in 1...2 {
            let result = try apply("/a.jpg?v=1&X-Amz-Date=\(date)&X-Amz-Signature=s\(date)")
            #expect(result.exitCode == 0, "\(result.errorText)")
        }
        #expect(server.requests.count == 1)
        #expect(try apply("/get.jpg?key=1").exitCode == 0)
        let other = try apply("/get.jpg?key=2")
        #expect(other.exitCode == 1 && other.errorText.contains("made from"), "\(other.errorText)")
        #expect(try apply("/get.jpg?key=1").exitCode == 0)
        #expect(server.requests.count == 2)
    }

    @Test func encryptedPhotosNeedTheirKey() throws {
        let photo = try TestPhoto.jpeg(width: 120, height: 90, seed: 3)
        let key = [UInt8](1...32)
        let sealed = AES256GCM(key: key).seal(photo)
        let server = try FaultServer { _, connection in connection.respond(body: sealed) }
        defer { server.stop() }
        try folder.write(photo, to: "plain.jpg")
        try folder.write(key, to: "key")
        try folder.write(key.reversed(), to: "other-key")
        let address = server.url("/a.jpg").absoluteString
        func apply(_ arguments: String...) throws -> Tool.Result {
            try Tool.run(["apply", "-d", "cpu", "-f", "sepia", "--retry", "0"] + arguments, in: folder)
        }
        let wrong = try apply("-o", "out", "--key", "other-key", address)
        #expect(wrong.exitCode == 1 && wrong.errorText.contains("another key"), "\(wrong.errorText)")
        let missing = try apply("-o", "out", "--key", "missing", address)
        #expect(missing.exitCode == 2 && missing.errorText.contains("'missing'"), "\(missing.errorText)")
        #expect(try apply("-o", "without-key", address).exitCode == 1)

        // The journal knows what has failed.
        let retried = try apply("-o", "out", "--key", "key", "--retry-failed")
        #expect(retried.exitCode == 0, "\(retried.errorText)")
        let plain = try apply("-o", "out", "plain.jpg")
        #expect(try plain.exitCode == 0 && folder.read("out/a.jpg") == folder.read("out/plain.jpg"))
        // What is done is not downloaded again.
        let downloads = server.requests.count
        let again = try apply("-o", "out", "--key", "key", address)
        #expect(again.exitCode == 0 && server.requests.count == downloads, "\(again.errorText)")
    }
    /// A system's policy may leave OpenSSL without any algorithm; hashes of files and keys of photos are no matter of it.
    @Test func theSystemsOpenSSLSettingsDoNotMatter() throws {
        let photo = try TestPhoto.jpeg(width: 60, height: 40, seed: 4)
        let key = [UInt8](1...32)
        let server = try FaultServer { [sealed = AES256GCM(key: key).seal(photo)] _, connection in
            connection.respond(body: sealed)
        }
        defer { server.stop() }
        try folder.write(key, to: "key")
        let settings = """
            openssl_conf = settings
            [settings]
            providers = providers
            alg_section = algorithms
            [providers]
            null = null_provider
            [null_provider]
            activate = 1
            [algorithms]
            default_properties = fips=yes
            """
        let path = try folder.write(Array(settings.utf8), to: "openssl.cnf")
        let run = try Tool.run(
            [
                "apply", "-d", "cpu", "-f", "sepia", "--retry", "0", "-o", "out", "--key", "key",
                server.url("/a.jpg").absoluteString,
            ], in: folder, environment: ["OPENSSL_CONF": path])
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try !folder.read("out/a.jpg").isEmpty)
    }
}
