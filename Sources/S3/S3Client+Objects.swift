import Foundation
import TintypeDownload
import TintypeFiles

/// An object in a listing.
package struct S3ListedObject: Equatable, Sendable {
    package let location: S3Location
    package let byteCount: Int
    /// With its quotes, as in the answer to a download; nil if the server does not say it.
    package let eTag: String?
    /// When it was written; nil if the server does not say so.
    package let modified: Date?
}

/// What a server says of an object.
package struct S3Object: Equatable, Sendable {
    package let byteCount: Int
    /// With its quotes.
    package let eTag: String
    /// `x-amz-meta-` headers, by the rest of their names in lower case.
    package let metadata: [String: String]
}

extension S3Client {
    /// Limit of all sizes in a listing together, so that no sum of them overflows.
    private static let listedByteLimit = 1 << 58
    /// The most objects of a listing, so that one without an end does not fill the memory.
    static let objectLimit = 10_000_000
    /// A server may pass over deleted objects in pages of their own.
    static let emptyPageLimit = 1000

    /// Visits all objects whose keys begin with the location's key, in the order of keys.
    ///
    /// - Parameters:
    ///   - objectLimit: the most objects.
    ///   - emptyPageLimit: the most pages without such an object that may follow each other.
    /// - Throws: `DownloadError`, and what `visit` throws.
    package func list(
        _ prefix: S3Location, objectLimit: Int = S3Client.objectLimit,
        emptyPageLimit: Int = S3Client.emptyPageLimit,
        _ visit: (S3ListedObject) throws -> Void
    ) throws {
        let bucket = try S3Location(bucket: prefix.bucket, key: "")
        var query = ["list-type": "2", "prefix": prefix.key, "encoding-type": "url"]
        var bytesLeft = Self.listedByteLimit
        var knownTokens: Set<UInt64> = []
        var emptyPageCount = 0, objectCount = 0
        while true {
            let answer = try perform("GET", bucket, query: query)
            let document = S3Document(answer.body)
            guard document.root == "ListBucketResult" else {
                throw DownloadError.badResponse(
                    url: prefix.text.printableName, reason: "it is no list of objects")
            }
            let isEncoded = document.first("EncodingType") == "url"
            emptyPageCount += 1
            for group in document.groups("Contents") {
                guard let written = group["Key"], let text = group["Size"] else { continue }
                guard let size = Int(text), (0...bytesLeft).contains(size) else {
                    throw DownloadError.badResponse(
                        url: prefix.text.printableName, reason: "it lists objects of impossible sizes")
                }
                bytesLeft -= size
                let key = isEncoded ? Self.decoded(written) : written
                // A server that ignores the prefix must not make us read other objects.
                guard key.utf8.starts(with: prefix.key.utf8) else { continue }
                emptyPageCount = 0
                objectCount += 1
                guard objectCount <= objectLimit else {
                    throw DownloadError.listTooLong(url: prefix.text.printableName, limit: objectLimit)
                }
                try visit(
                    S3ListedObject(
                        location: try S3Location(bucket: prefix.bucket, key: key), byteCount: size,
                        eTag: group["ETag"].flatMap(Self.quoted),
                        modified: group["LastModified"].flatMap(Self.date)))
            }
            guard document.first("IsTruncated") == "true" else { return }
            guard let token = document.first("NextContinuationToken"), !token.isEmpty,
                knownTokens.insert(ContentHash.number(of: token)).inserted, emptyPageCount <= emptyPageLimit
            else {
                throw DownloadError.badResponse(
                    url: prefix.text.printableName, reason: "its list of objects does not continue")
            }
            query["continuation-token"] = token
        }
    }

    /// An ETag with quotes, which some servers leave out in listings.
    private static func quoted(_ eTag: String) -> String? {
        let text = eTag.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return nil }
        return text.hasSuffix("\"") ? text : "\"\(text)\""
    }

    /// A time with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }

    /// Listings encode a blank as `+`, as in forms.
    private static func decoded(_ key: String) -> String {
        key.replacing("+", with: " ").removingPercentEncoding ?? key
    }

    /// Asks whether there is a bucket.
    ///
    /// - Throws: `DownloadError`. That the credentials may not ask is no error.
    package func checkBucket(of location: S3Location) throws(DownloadError) {
        // Not HEAD, whose answer has no reason.
        do throws(DownloadError) {
            _ = try perform(
                "GET", S3Location(bucket: location.bucket, key: ""),
                query: ["list-type": "2", "max-keys": "1", "prefix": location.key])
        } catch .s3(_, let failure) where failure.code == "AccessDenied" {
        }
    }

    /// Asks for an object; nil if there is none.
    ///
    /// - Throws: `DownloadError`.
    package func head(
        _ location: S3Location, isCancelled: @escaping () -> Bool = { false }
    ) throws(DownloadError) -> S3Object? {
        do throws(DownloadError) {
            return S3Object(try perform("HEAD", location, isCancelled: isCancelled))
        } catch .s3(_, let failure) where failure.status == 404 && failure.code != "NoSuchBucket" {
            return nil
        }
    }

    /// Reads an object, and computes the SHA-256 of its bytes, in hexadecimal; nil if there is none.
    ///
    /// - Throws: `DownloadError`.
    package func read(_ location: S3Location) throws(DownloadError) -> (object: S3Object, sha256: String)? {
        var hash = ContentHash(.sha256)
        do throws(DownloadError) {
            let answer = try perform(
                "GET", location,
                observe: { bytes in
                    // Nil: an attempt begins.
                    if let bytes { hash.observe(bytes) } else { hash = ContentHash(.sha256) }
                })
            return (S3Object(answer), hash.digest.hexadecimal)
        } catch .s3(_, let failure) where failure.status == 404 && failure.code != "NoSuchBucket" {
            return nil
        }
    }
}

extension S3Object {
    fileprivate init(_ answer: S3Client.Answer) {
        let prefix = "x-amz-meta-"
        let metadata = answer.headers.filter { $0.key.hasPrefix(prefix) }
            .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
        self.init(
            byteCount: answer.headers["content-length"].flatMap { Int($0) } ?? 0,
            eTag: answer.headers["etag"] ?? "",
            metadata: Dictionary(metadata, uniquingKeysWith: { first, _ in first }))
    }
}
