import Foundation
import TestSupport
import Testing
import TintypeCryptography
import TintypeFiles
import TintypeLocking

@testable import TintypeDownload
@testable import TintypeS3

/// Requests to an S3 server: signatures, retries, conditions, parts and lists.
@Suite struct S3ClientTests {
    /// Characters that the encodings of paths, queries and forms treat differently.
    private static let awkwardKeys = [
        "a b.jpg", "a+b.jpg", "a%20b.jpg", "é ü/日本.jpg", "q?a=b&c=d#e.jpg", "it's (1)~*!.jpg", "../up.jpg",
        "a//b.jpg", "semi;colon:at@.jpg", "[x]{y}|\\^`\".jpg", "\u{301}a.jpg",
    ]

    private func configuration(_ server: S3Server, retries: Int = 2) -> DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.proxy = .direct
        configuration.retry = RetryPolicy(retries: retries, baseDelay: .milliseconds(1))
        configuration.s3.environment = server.environment
        return configuration
    }

    private func source(_ bytes: [UInt8]) throws -> S3Client.Source {
        let file = try OpenFile.anonymous()
        try file.write(bytes)
        let hash = SHA256.hash(bytes).hexadecimal
        return S3Client.Source(SharedFile(file), byteCount: bytes.count, sha256: hash)
    }

    private func location(_ key: String) throws -> S3Location {
        try S3Location(bucket: S3Server.bucket, key: key)
    }

    private func put(
        _ bytes: [UInt8], to key: String, through client: S3Client, overwrites: Bool = false,
        singleByteLimit: Int = 1 << 20
    ) throws {
        try client.put(
            source(bytes), to: location(key), contentType: "image/jpeg",
            metadata: ["tintype-recipe": "v5 a%20b,c=1"], overwrites: overwrites,
            singleByteLimit: singleByteLimit)
    }

    /// Random bytes, in which any wrong offset shows.
    private func noise(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        return random.bytes(count: count)
    }

    private func code(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch DownloadError.s3(_, let failure) {
            return failure.code
        } catch {
            return "\(error)"
        }
    }

    @Test func aListWithoutAnEndIsCutOff() throws {
        let server = try S3Server { request in
            let objects = (0..<10).map {
                "<Contents><Key>in/\(request.number)-\($0).jpg</Key><Size>1</Size></Contents>"
            }
            let next =
                "<IsTruncated>true</IsTruncated><NextContinuationToken>\(request.number)</NextContinuationToken>"
            return .answer(
                200, [], Array("<ListBucketResult>\(next)\(objects.joined())</ListBucketResult>".utf8))
        }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        var count = 0
        #expect(throws: DownloadError.listTooLong(url: "s3://photos/in/", limit: 95)) {
            try client.list(location("in/"), objectLimit: 95) { _ in count += 1 }
        }
        #expect(count == 95)
    }

    @Test func anEndlessAnswerIsNamed() throws {
        let long = [UInt8](repeating: UInt8(ascii: " "), count: S3Exchange.receivedByteLimit + 1)
        let server = try S3Server { _ in .answer(200, [], long) }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        let error = #expect(throws: DownloadError.self) { try client.list(location("in/")) { _ in } }
        #expect(error?.explanation.contains("it has more than 16777216 bytes") == true, "\(error as Any)")
    }

    /// Entities of entities, which would take seconds and gigabytes.
    @Test(arguments: ["", "<?xml version=\"1.0\"?><!-- <x> --><?y <z> ?>\n"])
    func aDocumentTypeIsRefused(before: String) {
        let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>"
        #expect(S3Document(Array("\(before)\(entities)<x>&a;</x>".utf8)).root == nil)
        let plain = S3Document(Array("\(before)<x><!-- <!DOCTYPE --><Key>a</Key></x>".utf8))
        #expect(plain.root == "x" && plain.first("Key") == "a")
    }

    @Test(arguments: awkwardKeys)
    func aKeyIsWrittenFoundAndReadAsItIs(_ key: String) async throws {
        let server = try S3Server(), bytes = noise(3000)
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        try put(bytes, to: key, through: client)
        #expect(server.refusals == [])
        #expect(server.objects[key]?.bytes == bytes)
        #expect(server.objects[key]?.headers["content-type"] == "image/jpeg")
        let object = try client.head(location(key))
        #expect(object?.byteCount == 3000)
        #expect(object?.metadata == ["tintype-recipe": "v5 a%20b,c=1"])
        var listed: [S3Location] = []
        try client.list(location("")) { listed.append($0.location) }
        #expect(listed == [try location(key)])
        let read = try client.read(location(key))
        #expect(read?.sha256 == SHA256.hash(bytes).hexadecimal)
        let downloader = try Downloader(configuration(server))
        let download = try await downloader.download(DownloadRequest(url: location(key).url))
        #expect(try download.body.bytes() == bytes)
        #expect(download.response.finalURL == (try location(key).url))
        downloader.shutdown()
        #expect(server.refusals == [])
    }

    @Test func aListGoesOnOverPages() throws {
        let server = try S3Server(pageLength: 3)
        defer { server.stop() }
        let keys = (0..<11).map { "in/\($0) &+.jpg" }.sorted()
        for key in keys { server.put([1, 2], at: key) }
        server.put([1], at: "other/a.jpg")
        var listed: [String] = []
        try S3Client(configuration(server)).list(location("in/")) { object in
            listed.append(object.location.key)
            #expect(object.byteCount == 2)
            #expect(object.modified?.timeIntervalSince1970 == 1_767_323_045.678)
        }
        #expect(listed == keys)
        #expect(server.requests.count == 4)
        #expect(server.refusals == [])
    }

    @Test func aListThatDoesNotGoOnIsAnError() throws {
        let text = "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"
        let server = try S3Server { _ in .answer(200, [], Array(text.utf8)) }
        defer { server.stop() }
        #expect(throws: DownloadError.self) {
            try S3Client(configuration(server)).list(location("in/")) { _ in }
        }
        #expect(server.requests.count == 1)
    }

    /// A page of a list that goes on.
    private static func page(_ objects: String, next: String) -> S3Server.Fault {
        let text =
            "<ListBucketResult><IsTruncated>true</IsTruncated>"
            + "<NextContinuationToken>\(next)</NextContinuationToken>\(objects)</ListBucketResult>"
        return .answer(200, [], Array(text.utf8))
    }

    @Test func aListThatGoesInCirclesIsAnError() throws {
        let server = try S3Server { request in
            let next = request.query["continuation-token"] == "A" ? "B" : "A"
            let object = "<Contents><Key>in/\(next).jpg</Key><Size>1</Size></Contents>"
            return Self.page(object, next: next)
        }
        defer { server.stop() }
        #expect(throws: DownloadError.self) {
            try S3Client(configuration(server)).list(location("in/")) { _ in
                if server.requests.count > 10 { throw CancellationError() }
            }
        }
        #expect(server.requests.count == 3)
    }

    /// The third page has an object; the first and the fifth have one outside of what is listed.
    @Test func aListOfEmptyPagesOnlyIsAnError() throws {
        let server = try S3Server { request in
            let folder = request.number == 3 ? "in" : "other"
            let object = "<Contents><Key>\(folder)/a.jpg</Key><Size>1</Size></Contents>"
            return Self.page(request.number % 2 == 1 ? object : "", next: "\(request.number)")
        }
        defer { server.stop() }
        var listed: [String] = []
        #expect(throws: DownloadError.self) {
            try S3Client(configuration(server)).list(location("in/"), emptyPageLimit: 2) {
                listed.append($0.location.key)
            }
        }
        #expect(listed == ["in/a.jpg"])
        #expect(server.requests.count == 6)
    }

    @Test func aWebPageIsNoList() throws {
        let server = try S3Server { _ in .answer(200, [], Array("<html><body>Hello".utf8)) }
        defer { server.stop() }
        #expect(throws: DownloadError.self) {
            try S3Client(configuration(server)).list(location("in/")) { _ in }
        }
    }

    /// Sizes whose sums would overflow, and others that no object has.
    @Test(arguments: [
        ["9223372036854775807"], ["-1"], ["99999999999999999999"], ["x"],
        ["200000000000000000", "200000000000000000"],
    ])
    func impossibleSizesAreRefused(sizes: [String]) throws {
        let objects = sizes.map { "<Contents><Key>in/a.jpg</Key><Size>\($0)</Size></Contents>" }.joined()
        let text = "<ListBucketResult>\(objects)</ListBucketResult>"
        let server = try S3Server { _ in .answer(200, [], Array(text.utf8)) }
        defer { server.stop() }
        #expect(throws: DownloadError.self) {
            try S3Client(configuration(server)).list(location("in/")) { _ in }
        }
    }

    @Test func anObjectIsNeverReplacedUnasked() throws {
        let server = try S3Server()
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        server.put([9], at: "a.jpg")
        #expect(code { try put(noise(10), to: "a.jpg", through: client) } == "PreconditionFailed")
        #expect(server.objects["a.jpg"]?.bytes == [9])
        let parts = code { try put(noise(5000), to: "a.jpg", through: client, singleByteLimit: 1000) }
        #expect(parts == "PreconditionFailed")
        #expect(server.objects["a.jpg"]?.bytes == [9])
        #expect(server.unfinishedUploadCount == 0)
        try put([1, 2], to: "a.jpg", through: client, overwrites: true)
        #expect(server.objects["a.jpg"]?.bytes == [1, 2])
        #expect(server.refusals == [])
    }

    @Test func theServerSaysWhenToAskAgain() throws {
        let server = try S3Server { $0.number == 1 ? .answer(503, ["Retry-After: 1"], []) : nil }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        let time = try ContinuousClock().measure { try put(noise(10), to: "a.jpg", through: client) }
        #expect(time >= .seconds(1) && server.requests.count == 2)
        #expect(server.objects["a.jpg"]?.bytes == noise(10))
    }

    @Test func aServerWithoutConditionsIsAskedFirst() throws {
        let server = try S3Server { request in
            request.headers["if-none-match"] == nil ? nil : .error(501, "NotImplemented")
        }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        server.put([9], at: "there.jpg")
        for key in ["a.jpg", "b.jpg"] { try put(noise(10), to: key, through: client) }
        try put(noise(5000), to: "c.jpg", through: client, singleByteLimit: 1000)
        #expect(server.objects["c.jpg"]?.bytes == noise(5000))
        #expect(code { try put(noise(10), to: "there.jpg", through: client) } == "PreconditionFailed")
        #expect(server.objects["there.jpg"]?.bytes == [9])
        #expect(server.requests.count { $0.headers["if-none-match"] != nil } == 1)
    }

    @Test func aLargeObjectIsWrittenInParts() throws {
        let server = try S3Server(), bytes = noise(10_500)
        defer { server.stop() }
        try put(bytes, to: "a b.jpg", through: S3Client(configuration(server)), singleByteLimit: 1000)
        #expect(server.objects["a b.jpg"]?.bytes == bytes)
        #expect(server.objects["a b.jpg"]?.headers["x-amz-meta-tintype-recipe"] == "v5 a%20b,c=1")
        #expect(server.requests.count == 13)
        #expect(server.unfinishedUploadCount == 0)
        #expect(server.refusals == [])
    }

    @Test func anUploadThatFailsIsRemoved() throws {
        let server = try S3Server { request in
            request.query["partNumber"] == "3" ? .error(403, "AccessDenied") : nil
        }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        #expect(
            code { try put(noise(5000), to: "a.jpg", through: client, singleByteLimit: 1000) }
                == "AccessDenied")
        #expect(server.unfinishedUploadCount == 0)
        #expect(server.objects.isEmpty)
    }

    /// Counts the requests that join an object's parts, by key.
    private final class Joins: Sendable {
        private let counts = Locked<[String: Int]>([:])

        func count(of key: String) -> Int { counts.withLock { $0[key] ?? 0 } }

        /// A server that plays this at the first of each key.
        func server(playing fault: S3Server.Fault) throws -> S3Server {
            try S3Server { [self] request in
                guard request.method == "POST", request.query["uploadId"] != nil else { return nil }
                counts.withLock { $0[request.key, default: 0] += 1 }
                return count(of: request.key) == 1 ? fault : nil
            }
        }
    }

    /// Errors, and answers that do not say that there is an object.
    @Test(arguments: [
        "<Error><Code>InternalError</Code></Error>",
        " \r\n\t<?xml version=\"1.0\"?><Error><Code>InternalError</Code></Error>",
        "", "<html><body>Hello", "<ListBucketResult/>",
    ])
    func status200AloneIsNoSuccess(_ text: String) throws {
        let joins = Joins()
        let server = try joins.server(playing: .answer(200, [], Array(text.utf8)))
        defer { server.stop() }
        let bytes = noise(5000)
        try put(bytes, to: "a.jpg", through: S3Client(configuration(server)), singleByteLimit: 1000)
        #expect(server.objects["a.jpg"]?.bytes == bytes)
        #expect(joins.count(of: "a.jpg") == 2)
        let impatient = try S3Client(configuration(server, retries: 0))
        #expect(throws: DownloadError.self) {
            try put(bytes, to: "b.jpg", through: impatient, singleByteLimit: 1000)
        }
        #expect(server.objects["b.jpg"] == nil)
        #expect(server.unfinishedUploadCount == 0)
    }

    @Test func anObjectThatIsThereNeedsNoFurtherAnswer() throws {
        let joins = Joins()
        let server = try joins.server(playing: .answer(200, [], []))
        defer { server.stop() }
        server.change("a.jpg") {
            $0 = S3Server.Object([1], headers: ["x-amz-meta-tintype-recipe": "v5 a%20b,c=1"])
        }
        try put(
            noise(5000), to: "a.jpg", through: S3Client(configuration(server)), overwrites: true,
            singleByteLimit: 1000)
        #expect(joins.count(of: "a.jpg") == 1)
    }

    @Test func partsWhoseLastAnswerIsLostAreWritten() throws {
        let joins = Joins()
        let server = try joins.server(playing: .lostAnswer)
        defer { server.stop() }
        let bytes = noise(5000)
        let client = try S3Client(configuration(server))
        for overwrites in [true, false] {
            try put(
                bytes, to: "\(overwrites).jpg", through: client, overwrites: overwrites, singleByteLimit: 1000
            )
            #expect(server.objects["\(overwrites).jpg"]?.bytes == bytes)
            #expect(joins.count(of: "\(overwrites).jpg") == 2)
        }
        #expect(server.refusals == [])
    }

    @Test func aStormEndsAfterRetries() async throws {
        let server = try S3Server { $0.number <= 2 ? .error(503, "SlowDown") : nil }
        defer { server.stop() }
        let bytes = noise(2000)
        try put(bytes, to: "a.jpg", through: S3Client(configuration(server)))
        #expect(server.objects["a.jpg"]?.bytes == bytes)
        #expect(server.requests.count == 3)

        let stormy = try S3Server { _ in .error(503, "SlowDown") }
        defer { stormy.stop() }
        stormy.put(bytes, at: "a.jpg")
        let client = try S3Client(configuration(stormy))
        #expect(code { try put(bytes, to: "b.jpg", through: client) } == "SlowDown")
        #expect(stormy.requests.count == 3)
        let downloader = try Downloader(configuration(stormy))
        await #expect {
            try await downloader.download(DownloadRequest(url: location("a.jpg").url))
        } throws: { error in
            guard case DownloadError.s3(_, let failure) = error else { return false }
            return failure.code == "SlowDown" && failure.isTransient
        }
        downloader.shutdown()
        #expect(stormy.requests.count == 6)
    }

    @Test func aBrokenReadGoesOnWhereItWas() async throws {
        let server = try S3Server { $0.number == 1 ? .cut(1200) : nil }
        defer { server.stop() }
        let bytes = noise(5000)
        server.put(bytes, at: "a b.jpg")
        let downloader = try Downloader(configuration(server))
        let download = try await downloader.download(DownloadRequest(url: location("a b.jpg").url))
        #expect(try download.body.bytes() == bytes)
        downloader.shutdown()
        #expect(server.requests.count == 2)
        #expect(server.requests[1].headers["range"] == "bytes=1200-")
        #expect(server.refusals == [])
    }

    @Test func aWriteWhoseAnswerIsLostIsTriedAgain() throws {
        let server = try S3Server { $0.number == 1 ? .lostAnswer : nil }
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        #expect(code { try put([1, 2, 3], to: "a.jpg", through: client) } == "PreconditionFailed")
        #expect(server.objects["a.jpg"]?.bytes == [1, 2, 3])
    }

    @Test(arguments: [
        (400, "ExpiredToken", "session has ended"), (403, "InvalidAccessKeyId", "access key"),
        (403, "SignatureDoesNotMatch", "secret key"), (404, "NoSuchKey", "no such object"),
        (404, "NoSuchBucket", "endpoint"), (403, "RequestTimeTooSkewed", "clock"),
        (301, "PermanentRedirect", "AWS_REGION"),
    ])
    func anErrorSaysWhatToDo(_ status: Int, _ name: String, _ advice: String) async throws {
        let server = try S3Server { _ in .error(status, name) }
        defer { server.stop() }
        let downloader = try Downloader(configuration(server))
        await #expect {
            try await downloader.download(DownloadRequest(url: location("a.jpg").url))
        } throws: { error in
            let text = "\(error)"
            return text.contains(advice) && text.contains(name) && !text.contains(S3Server.secretKey)
                && !text.contains(S3Server.token)
        }
        downloader.shutdown()
        #expect(server.requests.count == 1)
    }

    @Test func wrongSecretsAreRefused() throws {
        let server = try S3Server()
        defer { server.stop() }
        var settings = configuration(server)
        settings.s3.environment?["AWS_SECRET_ACCESS_KEY"] = "another"
        let client = try S3Client(settings)
        #expect(code { try put([1], to: "a.jpg", through: client) } == "SignatureDoesNotMatch")
        #expect(server.objects.isEmpty)
    }

    @Test func aCancelledWriteEnds() throws {
        let server = try S3Server { _ in .error(503, "SlowDown") }
        defer { server.stop() }
        var settings = configuration(server, retries: 1000)
        settings.retry.baseDelay = .seconds(60)
        let client = try S3Client(settings)
        let end = ContinuousClock.now + .milliseconds(50)
        #expect(throws: DownloadError.cancelled(url: "s3://photos/a.jpg")) {
            try client.put(
                source([1]), to: location("a.jpg"), contentType: "image/jpeg", metadata: [:],
                overwrites: true, isCancelled: { .now > end })
        }
    }

    @Test func bucketsAreCheckedBeforeARun() throws {
        let server = try S3Server()
        defer { server.stop() }
        let client = try S3Client(configuration(server))
        try client.checkBucket(of: location("out/"))
        #expect(code { try client.checkBucket(of: S3Location("s3://other/out")) } == "NoSuchBucket")
        let strict = try S3Server { _ in .error(403, "AccessDenied") }
        defer { strict.stop() }
        try S3Client(configuration(strict)).checkBucket(of: location("out/"))
    }
}
