import Foundation
import TintypeImaging

/// An S3 server's refusal: the status, and the code and the message of its XML.
///
/// Source: Amazon S3 API Reference, "Error responses".
public struct S3Failure: Error, Hashable, Sendable {
    public let status: Int
    /// Such as `NoSuchKey` or `SlowDown`; made from the status if the server sends none.
    public let code: String
    /// The server's own words; may be empty.
    public let message: String
    /// The wait that the server asks for.
    package let retryAfter: Duration?
    /// The region that the bucket is in, if the server names it.
    public let region: String?

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        let document = S3Document(body)
        self.status = status
        code = document.first("Code") ?? Self.codes[status] ?? ""
        message = document.first("Message") ?? ""
        retryAfter = headers["retry-after"].flatMap { Int($0) }.map { .seconds($0) }
        region = headers["x-amz-bucket-region"] ?? document.first("Region")
    }

    /// Answers to HEAD have no body.
    private static let codes = [
        400: "BadRequest", 403: "Forbidden", 404: "NoSuchKey", 412: "PreconditionFailed",
        409: "ConditionalRequestConflict", 501: "NotImplemented", 503: "SlowDown",
    ]

    /// Codes after which a request may succeed later.
    private static let transientCodes: Set<String> = [
        "InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable", "SlowDown", "Throttling",
        "ConditionalRequestConflict",
    ]

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        Self.transientCodes.contains(code) || DownloadError.transientStatuses.contains(status)
    }

    /// A sentence with what to do.
    var explanation: String {
        let answer = "The server answered \(status)" + (code.isEmpty ? "" : " \(code)")
        let said = message.isEmpty ? answer : "\(answer): \(message)"
        return "\(said.trimmingCharacters(in: ["."])). \(advice)"
    }

    private var advice: String {
        switch code {
        case "NoSuchKey": "There is no such object; correct its address."
        case "NoSuchBucket": "Correct the bucket's name, or \(Wording.endpoint.text)."
        case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken":
            "The session has ended; get new credentials, then run again."
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity":
            "Check the access key and the secret key."
        case "RequestTimeTooSkewed": "Set this machine's clock."
        case "AccessDenied", "Forbidden", "AllAccessDisabled", "AccountProblem":
            "Check that these credentials may do it (s3:GetObject, s3:ListBucket, s3:PutObject)."
        case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
            region.map { "The bucket is in the region \($0); set AWS_REGION to it." }
                ?? "The bucket may be in another region; set AWS_REGION."
        case "PreconditionFailed": "An object of that name exists."
        case "BadRequest": "Check the region, the endpoint and the credentials."
        default: isTransient ? Wording.runAgainLater.text : "Check the address and \(Wording.endpoint.text)."
        }
    }
}
