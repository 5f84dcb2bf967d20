import CTintypeCurl
import Glibc
import SystemPackage
import TintypeDownload
import TintypeFiles

/// A part of a file that is sent as a request's body.
package struct S3Upload {
    let file: SharedFile
    let offset: Int
    let byteCount: Int
    /// SHA-256 of the part, in hexadecimal.
    let hash: String
}

/// The bytes that a blocking request sends and receives.
final class S3Exchange {
    /// Of an answer; a list of 1,000 long keys is shorter.
    static let receivedByteLimit = 16 << 20

    private(set) var head = ResponseHead()
    private(set) var received: [UInt8] = []
    /// Whether the answer was cut off at the limit.
    private(set) var isTooLong = false
    /// Polled while bytes flow.
    var isCancelled: (() -> Bool)?

    private let body: S3Client.Body
    private let observe: S3Client.Observer?
    private var sentByteCount = 0

    init(_ body: S3Client.Body, _ observe: S3Client.Observer?) {
        self.body = body
        self.observe = observe
    }

    /// Runs the request, and blocks until it has ended.
    func run(_ easy: EasyHandle) throws(DownloadError) -> CURLcode {
        let me = Unmanaged.passUnretained(self).toOpaque()
        for data in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_XFERINFODATA,
        ] {
            try easy.check(ccurl_set_pointer(easy.raw, data, me))
        }
        try easy.check(ccurl_set_on_data(easy.raw, CURLOPT_WRITEFUNCTION, onReceived))
        try easy.check(ccurl_set_on_data(easy.raw, CURLOPT_HEADERFUNCTION, onHeader))
        try easy.check(ccurl_set_on_data(easy.raw, CURLOPT_READFUNCTION, onSend))
        try easy.check(ccurl_set_on_seek(easy.raw, onSeek))
        try easy.check(ccurl_set_on_progress(easy.raw, onProgress))
        try easy.set(CURLOPT_NOPROGRESS, 0)
        guard case .bytes(let bytes) = body else { return curl_easy_perform(easy.raw) }
        var code = CURLE_OK
        var failure: DownloadError?
        bytes.withUnsafeBytes { bytes in
            do throws(DownloadError) {
                try easy.check(ccurl_set_pointer(easy.raw, CURLOPT_POSTFIELDS, bytes.baseAddress))
                code = curl_easy_perform(easy.raw)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return code
    }

    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let observe, let status = head.status, (200..<300).contains(status) {
            observe(bytes)
            return true
        }
        isTooLong = received.count + bytes.count > Self.receivedByteLimit
        if isTooLong { return false }
        received += bytes
        return true
    }

    fileprivate func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        // Trailers, which follow the body, must not change the head.
        if received.isEmpty { head.read(line: String(decoding: bytes, as: UTF8.self)) }
    }

    /// - Returns: nil if the file cannot be read.
    fileprivate func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard case .file(let upload) = body else { return 0 }
        let count = min(buffer.count, upload.byteCount - sentByteCount)
        guard count > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        let number = pread(upload.file.file.number, part.baseAddress, count, upload.offset + sentByteCount)
        guard number > 0 else { return nil }
        sentByteCount += number
        return number
    }

    /// libcurl sends the body once more after a connection that the server has closed.
    fileprivate func seek(to offset: Int) { sentByteCount = offset }
}

private func exchange(_ me: UnsafeMutableRawPointer?) -> S3Exchange? {
    me.map { Unmanaged<S3Exchange>.fromOpaque($0).takeUnretainedValue() }
}

private let onReceived: curl_write_callback = { bytes, size, count, me in
    guard let bytes, let exchange = exchange(me) else { return Int(CURL_WRITEFUNC_ERROR) }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange.take(buffer) ? buffer.count : Int(CURL_WRITEFUNC_ERROR)
}

private let onHeader: curl_write_callback = { bytes, size, count, me in
    guard let bytes, let exchange = exchange(me) else { return Int(CURL_WRITEFUNC_ERROR) }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
    exchange.takeHeader(buffer)
    return buffer.count
}

private let onSend: curl_read_callback = { buffer, size, count, me in
    guard let buffer, let exchange = exchange(me) else { return Int(CURL_READFUNC_ABORT) }
    let space = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return exchange.send(into: space) ?? Int(CURL_READFUNC_ABORT)
}

private let onSeek: curl_seek_callback = { me, offset, origin in
    guard let exchange = exchange(me), origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    exchange.seek(to: Int(offset))
    return CURL_SEEKFUNC_OK
}

private let onProgress: curl_xferinfo_callback = { me, _, _, _, _ in
    exchange(me)?.isCancelled?() == true ? 1 : 0
}
