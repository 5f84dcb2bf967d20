import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography

/// Photos from a bucket, and outputs into one, through the tool.
struct S3RunTests {
    let folder: TemporaryFolder
    private static let keys = ["in/a.jpg", "in/b c/d+e.jpg", "in/b c/é.jpg"]

    init() throws { folder = try TemporaryFolder() }

    private func photo(_ index: Int) throws -> [UInt8] {
        try TestPhoto.jpeg(width: 40 + 8 * index, height: 32, seed: UInt64(index))
    }

    /// A bucket with three photos and a text.
    private func makeServer(pageLength: Int = 2, _ script: @escaping S3Server.Script = { _ in nil }) throws
        -> S3Server
    {
        let server = try S3Server(pageLength: pageLength, script)
        for (index, key) in Self.keys.enumerated() { server.put(try photo(index), at: key) }
        server.put(Array("text".utf8), at: "in/notes.txt")
        return server
    }

    @discardableResult
    private func tool(
        _ text: String, _ server: S3Server, exitCode: Int32 = 0,
        environment: [String: String] = [:], _ location: SourceLocation = #_sourceLocation
    ) throws -> Tool.Result {
        let own = server.environment.merging(environment) { $1 }
        let result = try Tool.run(
            text.split(separator: " ").map(String.init), in: folder, environment: own)
        #expect(result.exitCode == exitCode, "\(text): \(result.errorText)", sourceLocation: location)
        for secret in [S3Server.secretKey, S3Server.token] {
            #expect(!(result.outputText + result.errorText).contains(secret), sourceLocation: location)
        }
        #expect(server.refusals == [], sourceLocation: location)
        return result
    }

    private func writes(_ server: S3Server) -> Int { server.requests.count { $0.method == "PUT" } }

    private func outputs(_ server: S3Server, below prefix: String) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: server.objects.filter { $0.key.hasPrefix(prefix) }
                .map { (String($0.key.dropFirst(prefix.count)), $0.value.bytes) })
    }

    /// The outputs of a run over folders of this machine.
    private func local(_ filter: String) throws -> [String: [UInt8]] {
        for (index, key) in Self.keys.enumerated() { try folder.write(try photo(index), to: key) }
        let result = try Tool.run(["apply", "-f", filter, "-d", "cpu", "-o", "local", "in"], in: folder)
        #expect(result.exitCode == 0)
        return Dictionary(
            uniqueKeysWithValues: try Self.keys.map { key in
                let name = String(key.dropFirst("in/".count))
                return (name, try folder.read("local/\(name)"))
            })
    }

    @Test func aBucketsPhotosBecomeObjectsWithTheBytesOfFiles() throws {
        let server = try makeServer()
        defer { server.stop() }
        let run = "apply -f sepia -d cpu -o s3://photos/out s3://photos/in"
        try tool(run, server)
        let made = outputs(server, below: "out/")
        #expect(try made == local("sepia"))
        for (name, bytes) in made {
            let headers = server.objects["out/\(name)"]?.headers
            #expect(headers?["content-type"] == "image/jpeg")
            #expect(headers?["x-amz-meta-tintype-sha256"] == SHA256.hash(bytes).hexadecimal)
        }
        // Nothing is downloaded or written again.
        let count = server.requests.count
        let again = try tool("\(run) --json", server)
        #expect(again.outputText.contains("\"upToDate\":3"))
        let requests = server.requests.dropFirst(count)
        #expect(requests.allSatisfy { $0.method == "HEAD" || $0.key.isEmpty })
        let staged = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!staged.contains { $0.hasPrefix("tintype-parked") })
    }

    @Test(arguments: ["s3://photos/out", "out"], ["&quot;", ""])
    func aPhotoThatHasChangedInItsBucketIsMadeAgain(output: String, quote: String) throws {
        let server = try S3Server(quote: quote)
        defer { server.stop() }
        for index in 0...2 { server.put(try photo(index), at: "in/\(index).jpg") }
        let run = "apply -f sepia -d cpu --json -o \(output) s3://photos/in"
        try tool(run, server)
        server.put(try photo(7), at: "in/0.jpg")
        let planned = try tool("\(run) --dry-run", server)
        if output == "out" { #expect(planned.outputText.contains("inputChanged")) }
        let changed = try tool(run, server)
        #expect(changed.outputText.contains("\"done\":1") && changed.outputText.contains("\"upToDate\":2"))
        #expect(try tool(run, server).outputText.contains("\"upToDate\":3"))
        // A single object is not asked for before its download.
        server.put(try photo(8), at: "in/0.jpg")
        let single = try tool("\(run)/0.jpg", server)
        #expect(single.outputText.contains("\"upToDate\":1"))
        #expect(try tool("\(run) --overwrite", server).outputText.contains("\"done\":1"))
    }

    @Test func filesBecomeObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        let made = try local("noir")
        try tool("apply -f noir -d cpu -o s3://photos/out in", server)
        #expect(outputs(server, below: "out/") == made)
        // The photo has changed: its own output is replaced.
        try folder.write(try photo(7), to: "in/a.jpg")
        let again = try tool("apply -f noir -d cpu -o s3://photos/out in --json", server)
        #expect(again.outputText.contains("\"done\":1"))
        #expect(outputs(server, below: "out/")["a.jpg"] != made["a.jpg"])
    }

    @Test func objectsThatMayBeWrongAreMadeAgain() throws {
        let server = try makeServer()
        defer { server.stop() }
        let photos = try (0..<4).map { try TestPhoto.jpeg(width: 1000, height: 700, seed: $0) }
        for index in 0..<20 { try folder.write(photos[index % 4], to: "in/\(index).jpg") }
        try #require(FileManager.default.fileExists(atPath: DeviceFaultTests.layer))
        // Wrong after the self-tests and some photos. One photo in ten is checked.
        let result = try tool(
            "apply -f sepia -d 0 --fallback cpu --device-check 10 -j 1 --json -o s3://photos/out in", server,
            environment: [
                "OPENCL_LAYERS": DeviceFaultTests.layer, "OPENCL_FAULT": "clEnqueueNDRangeKernel:12+:wrong",
            ])
        #expect(result.outputText.contains(#""suspectOutputs":[]"#), "\(result.errorText)")
        try tool("apply --no-journal -f sepia -d cpu -o cpu in", server)
        let made = outputs(server, below: "out/")
        for index in 0..<20 {
            let isRight = try made["\(index).jpg"] == folder.read("cpu/\(index).jpg")
            #expect(isRight, "\(index): \(result.errorText)")
        }
    }

    @Test func anObjectHasTheFormatOfItsPhotoAndIsNamedSo() throws {
        let server = try makeServer()
        defer { server.stop() }
        server.put(try TestPhoto.png(width: 40, height: 30, seed: 3), at: "other/a.jpg")
        let run = "apply -f sepia -d cpu -o s3://photos/out s3://photos/other --json"
        try tool(run, server)
        #expect(outputs(server, below: "out/").keys.sorted() == ["a.png"])
        #expect(server.objects["out/a.png"]?.headers["content-type"] == "image/png")
        let count = server.requests.count
        #expect(try tool(run, server).outputText.contains("\"upToDate\":1"))
        #expect(server.requests[count...].allSatisfy { $0.method == "HEAD" || $0.query["list-type"] != nil })
    }

    @Test func keysMayHaveEmptyParts() throws {
        let server = try makeServer()
        defer { server.stop() }
        server.put(try photo(1), at: "odd//a.jpg")
        server.put(try photo(2), at: "odd/x///b.jpg")
        try tool("apply -f sepia -d cpu -o s3://photos/out s3://photos/odd/", server)
        #expect(outputs(server, below: "out/").keys.sorted() == ["a.jpg", "x/b.jpg"])
        // Keys that differ in these only are two photos.
        server.put(try photo(3), at: "odd/a.jpg")
        let result = try tool("apply -f sepia -d cpu -o local s3://photos/odd/", server, exitCode: 1)
        #expect(result.errorText.contains("would also be that of"))
        #expect(folder.files() == ["local/x/b.jpg"])
    }

    @Test func templatesAndSingleOutputsNameObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        let dry = try tool(
            "apply -f noir -d cpu -o s3://photos/x/{dir}-{stem}.{ext} s3://photos/in --dry-run", server)
        #expect(dry.outputText.contains("s3://photos/in/b c/é.jpg -> s3://photos/x/b c-é.jpg"))
        try folder.write(try photo(1), to: "a.jpg")
        try tool("apply -f noir -d cpu -o s3://photos/t/{stem}-{chain}.{ext} a.jpg", server)
        try tool("apply -d cpu -o s3://photos/one.png a.jpg", server)
        #expect(server.objects["t/a-noir.jpg"] != nil)
        #expect(server.objects["one.png"]?.headers["content-type"] == "image/png")
    }

    @Test func severalOutputsOfAPhotoBecomeObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        try folder.write(
            Array(#"{"outputs":{"big":{"filters":"sepia"},"small":{"filters":"resize:long=16"}}}"#.utf8),
            to: "r.json")
        let run = "apply --recipe r.json -d cpu -o s3://photos/out s3://photos/in"
        try tool(run, server)
        #expect(outputs(server, below: "out/").count == 6)
        #expect(writes(server) == 6)
        try tool(run, server)
        #expect(writes(server) == 6)
    }

    @Test func anObjectThatExistsIsKept() throws {
        let server = try makeServer()
        defer { server.stop() }
        server.put([1, 2, 3], at: "out/a.jpg")
        let run = "apply -f sepia -d cpu -o s3://photos/out s3://photos/in"
        let refused = try tool(run, server, exitCode: 1)
        #expect(refused.errorText.contains("was not written by Tintype"))
        #expect(server.objects["out/a.jpg"]?.bytes == [1, 2, 3])
        #expect(writes(server) == 2)
        let other = try tool("apply -f noir -d cpu -o s3://photos/out s3://photos/in", server, exitCode: 1)
        #expect(other.errorText.contains("made with -f sepia"))
        #expect(writes(server) == 2)
        try tool("\(run) --skip-existing", server)
        #expect(server.objects["out/a.jpg"]?.bytes == [1, 2, 3])
        try tool("\(run) --overwrite", server)
        #expect(server.objects["out/a.jpg"]?.bytes != [1, 2, 3])
        #expect(writes(server) == 3)
    }

    @Test func anObjectThatAppearsMeanwhileIsKept() throws {
        let server = try makeServer { request in
            // The server has got the object after it was asked for it.
            request.method == "HEAD" && request.key == "out/a.jpg" ? .error(404, "NoSuchKey") : nil
        }
        defer { server.stop() }
        server.put([1, 2, 3], at: "out/a.jpg")
        let result = try tool("apply -f sepia -d cpu -o s3://photos/out s3://photos/in", server, exitCode: 1)
        #expect(result.errorText.contains("appeared during the run"))
        #expect(server.objects["out/a.jpg"]?.bytes == [1, 2, 3])
    }

    @Test func aLostAnswerCountsAsWritten() throws {
        let server = try makeServer { request in
            request.method == "PUT" && request.key == "out/a.jpg" ? .lostAnswer : nil
        }
        defer { server.stop() }
        try tool("apply -f sepia -d cpu -o s3://photos/out s3://photos/in --retry 1", server, exitCode: 75)
        let seen = try makeServer { request in
            request.method == "PUT" && request.number % 2 == 0 ? .lostAnswer : nil
        }
        defer { seen.stop() }
        try tool("apply -f sepia -d cpu -j 1 -o s3://photos/out s3://photos/in/a.jpg --retry 5", seen)
        #expect(try outputs(seen, below: "out/")["a.jpg"] == local("sepia")["a.jpg"])
    }

    @Test func aStormAsksForAnotherRun() throws {
        let server = try makeServer { $0.method == "PUT" ? .error(503, "SlowDown") : nil }
        defer { server.stop() }
        let result = try tool(
            "apply -f sepia -d cpu -o s3://photos/out s3://photos/in --retry 0", server, exitCode: 75)
        #expect(result.errorText.contains("503 SlowDown"))
        #expect(result.errorText.contains("could not be uploaded"))
    }

    @Test func shardsOfAManifestAreVerifiedAsObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        try tool("plan -f sepia -o s3://photos/out -m m.jsonl s3://photos/in", server)
        let manifest = String(decoding: try folder.read("m.jsonl"), as: UTF8.self)
        #expect(manifest.contains("\"output\":\"s3://photos/out\""))
        #expect(!manifest.contains(S3Server.secretKey) && !manifest.contains(S3Server.accessKey))
        try tool("apply -m m.jsonl --shard 1/2 -d cpu", server)
        let partly = try tool("verify -m m.jsonl --missing-to rest.jsonl", server, exitCode: 1)
        #expect(partly.outputText.contains("missing"))
        try tool("apply -m rest.jsonl -d cpu", server)
        #expect(
            try tool("verify -m m.jsonl", server).outputText == "3 of 3 outputs are there, whole and once.\n")
        #expect(try tool("status -m m.jsonl", server).outputText.contains("3 of 3 outputs are done"))
        #expect(try outputs(server, below: "out/") == local("sepia"))

        server.change("out/a.jpg") { $0?.bytes[100] ^= 1 }
        server.change("out/b c/é.jpg") { $0?.headers = [:] }
        server.put([1], at: "out/other.jpg")
        let result = try tool("verify -m m.jsonl", server, exitCode: 1)
        #expect(result.outputText.contains("damaged: a.jpg (other bytes)"))
        #expect(result.outputText.contains("foreign: b c/é.jpg (it has no receipt)"))
        #expect(result.outputText.contains("foreign: other.jpg (it is not planned)"))
        server.change("out/a.jpg") { $0?.bytes.removeLast() }
        let sizes = try tool("verify -m m.jsonl --no-hash", server, exitCode: 1)
        #expect(sizes.outputText.contains("damaged: a.jpg"))
    }

    /// Keys of a name need not follow each other.
    @Test func rawObjectsBesideAPhotoOfTheirNameAreSkipped() throws {
        let server = try S3Server()
        defer { server.stop() }
        let raw = try TestPhoto.fixture("raw-nikon.nef")
        for name in ["a.NEF", "b.NEF", "c.NEF", "x/a.dng", "x/b.dng"] { server.put(raw, at: "in/\(name)") }
        for name in ["a.edit.jpg", "a.jpg", "c.JPG", "x/b.d/a.jpg", "x/b.jpg"] {
            server.put(try photo(1), at: "in/\(name)")
        }
        let result = try tool("apply -f sepia -d cpu -o out s3://photos/in", server)
        #expect(result.errorText.contains("Skipped 3 files: 3 RAW beside a photo."), "\(result.errorText)")
        let made = folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") }
        #expect(
            made == [
                "out/a.edit.jpg", "out/a.jpg", "out/b.jpg", "out/c.JPG", "out/x/a.jpg", "out/x/b.d/a.jpg",
                "out/x/b.jpg",
            ])
    }

    @Test func listsNameObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        try folder.write(Array("s3://photos/in/a.jpg\ns3://photos/in/b c/d+e.jpg\n".utf8), to: "list.txt")
        server.put(Array("name,url\nx,s3://photos/in/a.jpg\ny,b c/é.jpg\n".utf8), at: "in/list.csv")
        try tool("apply -f sepia -d cpu -o out --files-from list.txt", server)
        #expect(folder.files().filter { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") }.count == 2)
        try tool("apply -f sepia -d cpu -o out2 --files-from s3://photos/in/list.csv", server)
        #expect(folder.files().contains("out2/x.jpg"))
    }

    @Test func globsSelectObjects() throws {
        let server = try makeServer()
        defer { server.stop() }
        server.put([1], at: "in/.hidden/a.jpg")
        server.put([], at: "in/folder/")
        let run = "apply -f sepia -d cpu --dry-run -o out s3://photos/in"
        #expect(try tool("\(run) --exclude d*", server).errorText.contains("2 photos"))
        #expect(try tool("\(run) --include é*", server).errorText.contains("1 photo"))
        #expect(try tool(run, server).errorText.contains("3 photos"))
    }

    @Test func mistakesAreNamedBeforeWorkBegins() throws {
        let server = try makeServer()
        defer { server.stop() }
        try folder.write(try photo(1), to: "a.jpg")
        let base = "apply -f sepia -d cpu a.jpg -o"
        for (arguments, exitCode, text) in [
            ("s3://missing/out", 1, "NoSuchBucket"), ("s3://", 2, "bucket"),
            ("s3://photos/out --lenient", 2, "--lenient"), ("s3://photos/out --retry-failed", 2, "journal"),
            ("s3://photos/out --keep-times", 2, "--keep-times"),
            ("s3://photos/out --endpoint x", 2, "--endpoint"),
            ("s3://photos/out --endpoint http://u:p@h", 2, "--endpoint"),
            ("s3://photos/{nonsense}.jpg", 2, "nonsense"),
        ] as [(String, Int32, String)] {
            let result = try Tool.run(
                "\(base) \(arguments)".split(separator: " ").map(String.init), in: folder,
                environment: server.environment)
            #expect(result.exitCode == exitCode, "\(arguments)")
            #expect(result.errorText.contains(text), "\(arguments): \(result.errorText)")
        }
        #expect(writes(server) == 0)
        let page = try tool("gallery -f sepia a.jpg -o s3://photos/out", server, exitCode: 2)
        #expect(page.errorText.contains("is an address"))
        let onto = try tool(
            "apply -f sepia -d cpu --overwrite -o s3://photos/in s3://photos/in", server, exitCode: 2)
        #expect(onto.errorText.contains("Originals are never replaced"))
        let none = try Tool.run(
            "\(base) s3://photos/out".split(separator: " ").map(String.init), in: folder,
            environment: [
                "AWS_ENDPOINT_URL_S3": server.endpoint, "HOME": folder.path, "AWS_ACCESS_KEY_ID": "",
            ])
        #expect(none.errorText.contains("AWS_ACCESS_KEY_ID"))
        #expect(none.exitCode != 0)
    }
}
