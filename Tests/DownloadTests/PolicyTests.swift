import Testing

@testable import TintypeDownload

/// Rules that need no server.
@Suite struct PolicyTests {
    private let policy = RetryPolicy(
        retries: 9, baseDelay: .seconds(1), maximumDelay: .seconds(8), maximumRetryAfter: .seconds(60))

    /// 1, 2, 4, 8 seconds, and no more.
    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 8), (70, 8)])
    func waitsSpreadUpToADoublingBound(failure: Int, bound: Int) {
        for (draw, part) in [(0, 0), (0.5, bound * 500), (1, bound * 1000)] {
            let delay = policy.delay(afterFailure: failure, retryAfter: nil, draw: draw)
            #expect(delay == .milliseconds(part))
        }
    }

    /// The server's `Retry-After`, at most 60 seconds, plus at most one base delay of jitter.
    @Test(arguments: [(10, 10), (60, 60), (3600, 60), (-5, 0)])
    func retryAfterIsObeyedUpToALimit(asked: Int, granted: Int) {
        for failure in [1, 5] {
            let least = policy.delay(afterFailure: failure, retryAfter: .seconds(asked), draw: 0)
            let most = policy.delay(afterFailure: failure, retryAfter: .seconds(asked), draw: 1)
            #expect(least == .seconds(granted) && most == .seconds(granted + 1))
        }
    }

    @Test(
        arguments: [
            ("bytes 0-0/1", 0...0, 1), ("bytes 2000-4999/5000", 2000...4999, 5000),
            ("BYTES 5-9/*", 5...9, nil),
        ] as [(String, ClosedRange<Int>, Int?)])
    func contentRangesAreRead(text: String, range: ClosedRange<Int>, total: Int?) throws {
        var head = ResponseHead()
        head.read(line: "HTTP/1.1 206 Partial Content\r\n")
        head.read(line: "content-RANGE:  \(text) \r\n")
        let read = try #require(head.contentRange)
        #expect(read.range == range && read.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */5000", "bytes 5-4/9", "bytes 0-9/9", "bytes -5/9", "bytes 1-/9", "bytes a-b/c",
        "bytes 0-99999999999999999999/*", "lines 0-1/2", "bytes 0-1", "bytes 0-1/2/3",
    ])
    func senselessContentRangesAreNot(text: String) {
        var head = ResponseHead()
        head.read(line: "Content-Range: \(text)")
        #expect(head.contentRange == nil)
    }

    @Test func aHeadStartsOverWithEachStatusLine() {
        var head = ResponseHead()
        for line in ["HTTP/1.1 302 Found", "ETag: \"old\"", "Location: /new", "HTTP/2 200", "Date: now"] {
            head.read(line: line)
        }
        #expect(head.status == 200 && head.eTag == nil && head.location == nil && head.date == "now")
    }

    @Test func anEmptyHeaderIsEmpty() {
        var head = ResponseHead()
        for line in ["ETag:\r\n", "Date: \t \r\n", "Location", ":", ""] { head.read(line: line) }
        #expect(head.eTag == "" && head.date == "" && head.location == nil)
        #expect(StrongValidator(head) == nil)
    }

    @Test func everyErrorIsASentenceThatSaysWhatToDo() {
        let url = "http://host/p"
        let errors: [DownloadError] = [
            .badURL(url: url, reason: "r"), .unsupportedScheme(url: url, scheme: "ftp"),
            .unreadableFile(url: url, reason: "r"), .hostNotFound(url: url, reason: "r"),
            .connectionFailed(url: url, reason: "r"), .connectionLost(url: url, reason: "r"),
            .timedOut(url: url, phase: .connect), .timedOut(url: url, phase: .stall),
            .timedOut(url: url, phase: .whole), .cutShort(url: url, received: 1, expected: nil),
            .untrustedServer(url: url, reason: "r"), .httpStatus(url: url, status: 404),
            .refusedRedirect(url: url, location: "file:///"), .tooManyRedirects(url: url, limit: 5),
            .tooLarge(url: url, byteLimit: 1), .badResponse(url: url, reason: "r"),
            .storage(path: url, .noSpace), .cancelled(url: url), .shutDown(url: url),
        ]
        for error in errors {
            let text = "\(error)"
            #expect(text.contains(url) && text.hasSuffix("."), "\(text)")
            #expect(text.contains(";") || text.contains("so "), "no advice: \(text)")
        }
        #expect("\(DownloadError.tooLarge(url: url, byteLimit: 1))".contains("raise it if you want"))
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.filter(\.isTransient).count == 7)
    }
}
