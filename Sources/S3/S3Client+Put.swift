import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles

extension S3Client {
    /// The file of an object to be written.
    package struct Source: Sendable {
        let file: SharedFile
        let byteCount: Int
        /// SHA-256 of the file, in hexadecimal.
        let sha256: String

        package init(_ file: SharedFile, byteCount: Int, sha256: String) {
            self.file = file
            self.byteCount = byteCount
            self.sha256 = sha256
        }
    }

    /// Larger objects are written in parts, so that a broken connection costs one part only.
    static let singleByteLimit = 64 << 20
    /// S3's limit.
    private static let partCountLimit = 10_000
    private static let leastPartByteCount = 16 << 20

    /// Writes an object, which is there as a whole or not at all. The server checks its bytes by SHA-256.
    ///
    /// Some servers cannot write on a condition. There, the object is asked for just before it is written.
    ///
    /// - Parameters:
    ///   - metadata: names in lower case, and ASCII values; 2 KB together.
    ///   - overwrites: whether an existing object is replaced.
    ///   - singleByteLimit: larger objects are written in parts.
    /// - Throws: `DownloadError`; `.s3` with status 412 if the object exists and is not to be replaced.
    package func put(
        _ source: Source, to location: S3Location, contentType: String, metadata: [String: String],
        overwrites: Bool, singleByteLimit: Int = S3Client.singleByteLimit,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(DownloadError) {
        let described =
            ["Content-Type: \(contentType)"]
            + metadata.sorted { $0.key < $1.key }.map { "x-amz-meta-\($0.key): \($0.value)" }
        func put(_ condition: [String]) throws(DownloadError) {
            if source.byteCount > singleByteLimit {
                do throws(DownloadError) {
                    try putParts(
                        source, location, described, metadata, condition, singleByteLimit, isCancelled)
                } catch .s3(let url, let failure) where failure.code == "NoSuchUpload" {
                    // The parts were joined, and the answer was lost.
                    guard try isWritten(location, metadata, isCancelled) else { throw .s3(url: url, failure) }
                }
            } else {
                try putWhole(source, location, described + condition, isCancelled)
            }
        }
        if overwrites { return try put([]) }
        if !lacksConditions {
            do throws(DownloadError) {
                return try put(["If-None-Match: *"])
            } catch .s3(_, let failure) where failure.status == 501 {
                noteLackOfConditions()
            }
        }
        guard try head(location, isCancelled: isCancelled) == nil else {
            let failure = S3Failure(status: 412, headers: [:], body: [])
            throw .s3(url: location.text.printableName, failure)
        }
        try put([])
    }

    private func putWhole(
        _ source: Source, _ location: S3Location, _ headers: [String], _ isCancelled: @escaping () -> Bool
    ) throws(DownloadError) {
        let upload = S3Upload(
            file: source.file, offset: 0, byteCount: source.byteCount, hash: source.sha256)
        _ = try perform(
            "PUT", location,
            headers: headers + ["x-amz-checksum-sha256: \(source.sha256.base64OfHexadecimal)"],
            body: .file(upload), isCancelled: isCancelled)
    }

    private func putParts(
        _ source: Source, _ location: S3Location, _ described: [String], _ metadata: [String: String],
        _ condition: [String], _ singleByteLimit: Int, _ isCancelled: @escaping () -> Bool
    ) throws(DownloadError) {
        let begun = try perform(
            "POST", location, query: ["uploads": ""],
            headers: described + ["x-amz-checksum-algorithm: SHA256"], body: .empty,
            isCancelled: isCancelled)
        guard let id = S3Document(begun.body).first("UploadId"), !id.isEmpty else {
            throw .badResponse(url: location.text.printableName, reason: "it began no upload")
        }
        do throws(DownloadError) {
            let partByteCount = max(
                min(Self.leastPartByteCount, singleByteLimit),
                (source.byteCount + Self.partCountLimit - 1) / Self.partCountLimit)
            var parts = ""
            var number = 0
            for offset in stride(from: 0, to: source.byteCount, by: partByteCount) {
                number += 1
                let upload = try Self.part(
                    of: source, offset, min(partByteCount, source.byteCount - offset), location)
                let checksum = upload.hash.base64OfHexadecimal
                let answer = try perform(
                    "PUT", location, query: ["partNumber": "\(number)", "uploadId": id],
                    headers: ["x-amz-checksum-sha256: \(checksum)"], body: .file(upload),
                    isCancelled: isCancelled)
                // Servers that know no checksums refuse the element in the list of parts.
                let known = answer.headers["x-amz-checksum-sha256"].map {
                    "<ChecksumSHA256>\($0)</ChecksumSHA256>"
                }
                parts +=
                    "<Part><PartNumber>\(number)</PartNumber><ETag>\(answer.headers["etag"] ?? "")</ETag>"
                    + "\(known ?? "")</Part>"
            }
            let list =
                "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(parts)"
                + "</CompleteMultipartUpload>"
            try complete(id, Array(list.utf8), location, metadata, condition, isCancelled)
        } catch {
            // Unfinished uploads cost their owner money until they are removed.
            _ = try? perform("DELETE", location, query: ["uploadId": id])
            throw error
        }
    }

    /// Whether the object is there with this metadata, which tells its content.
    private func isWritten(
        _ location: S3Location, _ metadata: [String: String], _ isCancelled: @escaping () -> Bool
    ) throws(DownloadError) -> Bool {
        try head(location, isCancelled: isCancelled)?.metadata == metadata
    }

    private func complete(
        _ id: String, _ list: [UInt8], _ location: S3Location, _ metadata: [String: String],
        _ condition: [String], _ isCancelled: @escaping () -> Bool
    ) throws(DownloadError) {
        let url = location.text.printableName
        var failures = 0
        while true {
            let answer = try perform(
                "POST", location, query: ["uploadId": id],
                headers: condition + ["Content-Type: application/xml"],
                body: .bytes(list), isCancelled: isCancelled)
            let failure: DownloadError
            // The status is sent before the parts are joined: 200 may be followed by an error, or by nothing.
            switch S3Document(answer.body).root {
            case "CompleteMultipartUploadResult": return
            case "Error":
                failure = .s3(url: url, S3Failure(status: 500, headers: answer.headers, body: answer.body))
            default:
                if try isWritten(location, metadata, isCancelled) { return }
                failure = .connectionLost(url: url, reason: "the server did not confirm the object")
            }
            failures += 1
            guard failure.isTransient, failures <= configuration.retry.retries else { throw failure }
            try wait(after: failure, failures, url, isCancelled)
        }
    }

    private static func part(
        of source: Source, _ offset: Int, _ byteCount: Int, _ location: S3Location
    ) throws(DownloadError) -> S3Upload {
        let hash = ContentHash(.sha256)
        var position = offset
        do throws(Errno) {
            while position < offset + byteCount {
                let bytes = try source.file.file.bytes(
                    at: position, count: min(1 << 20, offset + byteCount - position))
                guard !bytes.isEmpty else { throw .ioError }
                bytes.withUnsafeBytes(hash.observe)
                position += bytes.count
            }
        } catch {
            throw .storage(path: location.text.printableName, error)
        }
        return S3Upload(
            file: source.file, offset: offset, byteCount: byteCount, hash: hash.digest.hexadecimal)
    }
}

extension String {
    /// A hash in hexadecimal digits as base64, as S3's headers have it.
    fileprivate var base64OfHexadecimal: String {
        let digits = Array(utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
        return Data(bytes).base64EncodedString()
    }
}
