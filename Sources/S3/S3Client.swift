import CTintypeCurl
import Foundation
import TintypeDownload
import TintypeFiles
import TintypeLocking

/// Requests to S3 servers, each of which blocks the calling thread: listing, asking, writing.
///
/// Objects are read by `Downloader`, many at once. Connections are kept for the next request of any thread.
package final class S3Client: Sendable {
    let configuration: DownloaderConfiguration
    private let idle = IdleHandles()
    private let lack = Locked(false)

    /// - Throws: `DownloadError.library`.
    package init(_ configuration: DownloaderConfiguration) throws(DownloadError) {
        try Libcurl.initialize()
        self.configuration = configuration
    }

    /// Whether the server has refused to write on a condition.
    var lacksConditions: Bool { lack.withLock { $0 } }

    func noteLackOfConditions() {
        let isNew = lack.withLock { lack in
            defer { lack = true }
            return !lack
        }
        guard isNew else { return }
        configuration.logger.warning(
            "This server cannot write on the condition that there is no object yet (If-None-Match). Tintype asks before it writes: keep other programs from the same names."
        )
    }

    /// A request's answer.
    struct Answer {
        let status: Int
        /// By lower-case names.
        let headers: [String: String]
        let body: [UInt8]
    }

    /// What a request sends.
    enum Body {
        case none
        case bytes([UInt8])
        /// A part of a file.
        case file(S3Upload)

        /// No bytes, and a length that says so.
        static let empty = Body.bytes([])

        var hash: String {
            switch self {
            case .none: EasyHandle.emptyHash
            case .bytes(let bytes): ContentHash.of(bytes)
            case .file(let upload): upload.hash
            }
        }
    }

    /// Gets a body's bytes in place of the answer; nil at the beginning of each attempt.
    typealias Observer = (UnsafeRawBufferPointer?) -> Void

    /// One request with its retries.
    ///
    /// - Parameters:
    ///   - method: GET, HEAD, PUT, POST or DELETE.
    ///   - headers: further headers.
    ///   - observe: gets the body of a status from 200 to 299.
    ///   - isCancelled: polled while bytes are sent and received.
    /// - Throws: `DownloadError`: `.s3` for any status but 200 to 299, `.cancelled`.
    func perform(
        _ method: String, _ location: S3Location, query: [String: String] = [:], headers: [String] = [],
        body: Body = .none, isCancelled: @escaping () -> Bool = { false }, observe: Observer? = nil
    ) throws(DownloadError) -> Answer {
        let url = location.text.printableName
        var failures = 0
        while true {
            let failure: DownloadError
            do throws(DownloadError) {
                return try attempt(method, location, query, headers, body, isCancelled, observe)
            } catch {
                failure = error
            }
            failures += 1
            guard failure.isTransient, failures <= configuration.retry.retries else { throw failure }
            try wait(after: failure, failures, url, isCancelled)
        }
    }

    /// Waits before the next attempt.
    func wait(
        after failure: DownloadError, _ failures: Int, _ url: String, _ isCancelled: () -> Bool
    ) throws(DownloadError) {
        var retryAfter: Duration?
        if case .s3(_, let failure) = failure { retryAfter = failure.retryAfter }
        let delay = configuration.retry.delay(
            afterFailure: failures, retryAfter: retryAfter, draw: .random(in: 0...1))
        configuration.logger.info("\(failure) Attempt \(failures + 1) follows in \(delay.milliseconds) ms.")
        try sleep(delay, url, isCancelled)
    }

    private func sleep(_ delay: Duration, _ url: String, _ isCancelled: () -> Bool) throws(DownloadError) {
        let end = ContinuousClock.now + delay
        while case let left = end - .now, left > .zero {
            if isCancelled() { throw .cancelled(url: url) }
            usleep(UInt32(min(left, .milliseconds(100)).milliseconds) * 1000)
        }
    }

    private func attempt(
        _ method: String, _ location: S3Location, _ query: [String: String], _ headers: [String],
        _ body: Body, _ isCancelled: @escaping () -> Bool, _ observe: Observer?
    ) throws(DownloadError) -> Answer {
        let url = location.text.printableName
        if isCancelled() { throw .cancelled(url: url) }
        let easy = try idle.take()
        try configure(easy, method, location, query, headers, body)
        observe?(nil)
        let exchange = S3Exchange(body, observe)
        exchange.isCancelled = isCancelled
        let code = try exchange.run(easy)
        if isCancelled() { throw .cancelled(url: url) }
        let head = exchange.head
        let answer = Answer(status: head.status ?? 0, headers: head.fields, body: exchange.received)
        if exchange.isTooLong {
            throw .badResponse(
                url: url, reason: "it has more than \(S3Exchange.receivedByteLimit) bytes, and is no photo")
        }
        guard code == CURLE_OK else {
            // A server may refuse a body before it has read it.
            if answer.status >= 400 { throw refusal(answer, url) }
            throw CurlFailure(code: code, easy: easy, head: head, url: url).error()
        }
        idle.giveBack(easy)
        guard (200..<300).contains(answer.status) else { throw refusal(answer, url) }
        return answer
    }

    private func refusal(_ answer: Answer, _ url: String) -> DownloadError {
        .s3(url: url, S3Failure(status: answer.status, headers: answer.headers, body: answer.body))
    }

    private func configure(
        _ easy: EasyHandle, _ method: String, _ location: S3Location, _ query: [String: String],
        _ headers: [String], _ body: Body
    ) throws(DownloadError) {
        let endpoint = try configuration.s3.resolved()
        let address = endpoint.url(location, query: query)
        try easy.configureRequest(configuration, url: address, timeout: configuration.timeout)
        switch method {
        case "HEAD": try easy.set(CURLOPT_NOBODY, 1)
        case "GET": break
        default: try easy.set(CURLOPT_CUSTOMREQUEST, method)
        }
        switch body {
        case .none: break
        case .bytes(let bytes):
            try easy.set(CURLOPT_POST, 1)
            try easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
        case .file(let upload):
            try easy.set(CURLOPT_UPLOAD, 1)
            try easy.set(CURLOPT_INFILESIZE_LARGE, offset: upload.byteCount)
        }
        try easy.sign(
            endpoint, for: location.text.printableName, payloadHash: body.hash, headers: headers)
    }
}

/// Handles that wait for the next request, with their connections.
// @unchecked: a handle is used by one thread at a time, and handed over under the lock.
private final class IdleHandles: @unchecked Sendable {
    private let lock = Locked(())
    private var handles: [EasyHandle] = []

    func take() throws(DownloadError) -> EasyHandle {
        if let handle = lock.withLock({ _ in handles.popLast() }) { return handle }
        return try EasyHandle()
    }

    func giveBack(_ handle: EasyHandle) {
        handle.reset()
        lock.withLock { _ in handles.append(handle) }
    }
}
