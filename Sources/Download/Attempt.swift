import CTintypeCurl

/// One request for one body: receives libcurl's data and decides the outcome. Used on the download thread
/// only.
final class Attempt {
    enum Outcome {
        /// The spool holds the complete body.
        case complete(ResponseHead)
        /// The content has changed since the spool's bytes were received: fetch all of it, without a range.
        case startOver
        /// `retryAfter` is the delay that the server asked for.
        case failed(DownloadError, retryAfter: Duration?)
    }

    /// Bodies of errors and redirects are read up to this size, so that the connection can be reused. Longer
    /// ones are cut off.
    private static let unwantedByteLimit = 1 << 20
    /// Of an S3 server's error.
    private static let errorByteLimit = 64 << 10
    /// Limit of all header lines together, including those of redirects.
    private static let headerByteLimit = 256 << 10

    let easy: EasyHandle
    private let address: WebAddress
    private let byteLimit: Int
    private let maximumRedirects: Int
    private let spool: Spool
    private let resume: Spool.ResumePoint?
    private let onBytes: () -> Void

    private var head = ResponseHead()
    private var headerByteCount = 0
    private var hasBody = false
    /// What an S3 server says of an error.
    private var errorBody: [UInt8] = []
    /// Why a callback stopped the transfer; libcurl only reports that one did.
    private var verdict: Outcome?

    /// - Parameter onBytes: called after each chunk of the body.
    init(
        _ address: WebAddress, byteLimit: Int, spool: Spool, configuration: DownloaderConfiguration,
        remaining: Duration, onBytes: @escaping () -> Void
    ) throws(DownloadError) {
        easy = try EasyHandle()
        self.address = address
        self.byteLimit = byteLimit
        maximumRedirects = configuration.maximumRedirects
        self.spool = spool
        self.onBytes = onBytes
        resume = spool.resumePoint
        try easy.configure(
            configuration, address: address, byteLimit: byteLimit, resume: resume, remaining: remaining)
        try setCallbacks()
    }

    var finalAddress: String? { easy.string(CURLINFO_EFFECTIVE_URL) }

    /// - Parameter code: libcurl's result of the transfer.
    func outcome(_ code: CURLcode, isPastDeadline: Bool) -> Outcome {
        if code == CURLE_OK, verdict == nil, !hasBody { _ = beginBody() }  // An empty body.
        if let verdict { return verdict }
        // The error status is more informative than how its body ended.
        if let status = head.status, isError(status), hasBody || code == CURLE_FILESIZE_EXCEEDED {
            return statusOutcome(status)
        }
        // libcurl reports a header line beyond its limit as out of memory.
        if code == CURLE_OUT_OF_MEMORY, !hasBody, easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0 {
            return .failed(badResponse("a line of its headers is too long"), retryAfter: nil)
        }
        return code == CURLE_OK ? wholeBody() : .failed(failure(code, isPastDeadline), retryAfter: nil)
    }

    /// Checks the length of the whole body. libcurl only checks the length of this response.
    private func wholeBody() -> Outcome {
        guard let total = spool.totalByteCount, total != spool.byteCount else { return .complete(head) }
        if spool.byteCount > total { return .startOver }
        return .failed(
            .cutShort(url: address.redacted, received: spool.byteCount, expected: total), retryAfter: nil)
    }

    private func failure(_ code: CURLcode, _ isPastDeadline: Bool) -> DownloadError {
        CurlFailure(
            code: code, easy: easy, head: head, url: address.redacted, byteLimit: byteLimit,
            maximumRedirects: maximumRedirects, received: spool.byteCount, expected: spool.totalByteCount
        ).error(isPastDeadline: isPastDeadline)
    }

    private func isError(_ status: Int) -> Bool { !(status == 200 || status == 203 || status == 206) }

    private func statusOutcome(_ status: Int) -> Outcome {
        if status == 416, resume != nil { return .startOver }
        let seconds = easy.offset(CURLINFO_RETRY_AFTER)
        let retryAfter: Duration? = seconds > 0 ? .seconds(seconds) : nil
        if address.s3Location != nil {
            let failure = S3Failure(status: status, headers: head.fields, body: errorBody)
            return .failed(.s3(url: address.redacted, failure), retryAfter: retryAfter)
        }
        return .failed(.httpStatus(url: address.redacted, status: status), retryAfter: retryAfter)
    }
}

// MARK: libcurl callbacks

extension Attempt {
    private func setCallbacks() throws(DownloadError) {
        // Unretained: the transfer retains this attempt while its handle is added to libcurl.
        let me = Unmanaged.passUnretained(self).toOpaque()
        for data in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
            try easy.check(ccurl_set_pointer(easy.raw, data, me))
        }
        try easy.check(ccurl_set_on_data(easy.raw, CURLOPT_WRITEFUNCTION, onBody))
        try easy.check(ccurl_set_on_data(easy.raw, CURLOPT_HEADERFUNCTION, onHeader))
        try easy.check(ccurl_set_on_progress(easy.raw, onTransferProgress))
        try easy.set(CURLOPT_NOPROGRESS, 0)
    }

    /// - Returns: whether the transfer goes on.
    fileprivate func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerByteCount += bytes.count
        guard headerByteCount <= Self.headerByteLimit else {
            return stop(badResponse("its headers do not end"))
        }
        // Trailers, which follow the body, must not change the head.
        if !hasBody { head.read(line: String(decoding: bytes, as: UTF8.self)) }
        return true
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if !hasBody, !beginBody() { return false }
        if let status = head.status, isError(status) {
            if address.s3Location != nil, errorBody.count < Self.errorByteLimit { errorBody += bytes }
            return true
        }
        guard spool.byteCount + bytes.count <= byteLimit else {
            return stop(.tooLarge(url: address.redacted, byteLimit: byteLimit))
        }
        do throws(DownloadError) {
            try spool.append(bytes)
        } catch {
            return stop(error)
        }
        onBytes()
        return true
    }

    /// - Parameter count: bytes received in the current response, which may be a redirect.
    fileprivate func takeProgress(_ count: Int) -> Bool {
        guard count > Self.unwantedByteLimit, let status = head.status, isError(status) else { return true }
        // libcurl reads and discards a redirect's body before it follows the redirect.
        if (300..<400).contains(status) { return stop(badResponse("its redirect has an endless body")) }
        verdict = statusOutcome(status)
        return false
    }

    /// Called when the head is complete: decides whether the body is stored.
    private func beginBody() -> Bool {
        hasBody = true
        switch head.status {
        case 200, 203:
            let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            return prepareSpool(totalByteCount: length >= 0 && head.contentEncoding == nil ? length : nil)
        case 206:
            return acceptRange()
        default:
            return true
        }
    }

    private func prepareSpool(totalByteCount: Int?) -> Bool {
        do throws(DownloadError) {
            // Ranges count packed bytes, and the spool has unpacked ones: such a body cannot be resumed.
            let validator = head.contentEncoding == nil ? StrongValidator(head) : nil
            try spool.startOver(validator: validator, totalByteCount: totalByteCount)
            return true
        } catch {
            return stop(error)
        }
    }

    private func acceptRange() -> Bool {
        guard let resume else {
            return stop(badResponse("it sent a part where the whole was asked for"))
        }
        guard head.contentEncoding == nil, let (range, total) = head.contentRange,
            range.lowerBound == resume.offset,
            total.map({ range.upperBound == $0 - 1 }) ?? true,
            spool.belongs(to: StrongValidator(head), totalByteCount: total)
        else {
            verdict = .startOver
            return false
        }
        guard total ?? 0 <= byteLimit else {
            return stop(.tooLarge(url: address.redacted, byteLimit: byteLimit))
        }
        return true
    }

    private func badResponse(_ reason: String) -> DownloadError {
        .badResponse(url: address.redacted, reason: reason)
    }

    private func stop(_ error: DownloadError) -> Bool {
        verdict = .failed(error, retryAfter: nil)
        return false
    }
}

private let onHeader: curl_write_callback = { bytes, size, count, me in
    guard let bytes, let me else { return failedWrite }
    let attempt = Unmanaged<Attempt>.fromOpaque(me).takeUnretainedValue()
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return attempt.takeHeader(buffer) ? buffer.count : failedWrite
}

private let onBody: curl_write_callback = { bytes, size, count, me in
    guard let bytes, let me else { return failedWrite }
    let attempt = Unmanaged<Attempt>.fromOpaque(me).takeUnretainedValue()
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return attempt.takeBody(buffer) ? buffer.count : failedWrite
}

private let onTransferProgress: curl_xferinfo_callback = { me, _, received, _, _ in
    guard let me else { return 1 }
    return Unmanaged<Attempt>.fromOpaque(me).takeUnretainedValue().takeProgress(Int(received)) ? 0 : 1
}

private let failedWrite = Int(CURL_WRITEFUNC_ERROR)
