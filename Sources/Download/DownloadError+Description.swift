import Foundation
import TintypeFiles
import TintypeImaging

extension DownloadError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { subject.map { "\($0): \(explanation)" } ?? explanation }

    /// The sentence without its URL or path, for messages that begin with that.
    package var explanation: String {
        switch self {
        case .badURL(_, let reason):
            "This is not a URL (\(reason)); correct it."
        case .unsupportedScheme(_, let scheme):
            "'\(scheme.excerpt())' is not supported; use http, https, s3 or file."
        case .unreadableFile(_, let reason):
            "It cannot be read (\(reason)); check the path and its permissions."
        case .hostNotFound(_, let reason):
            "The host was not found (\(reason)); check its name and this machine's DNS, then run again."
        case .connectionFailed(_, let reason):
            "There is no connection (\(reason)); check that the server is up, then run again."
        case .connectionLost(_, let reason):
            "The connection broke (\(reason)); \(Wording.runAgainOrRetry.text)."
        case .timedOut(_, let phase):
            "\(Self.sentence(for: phase)); \(Wording.runAgainOrRetry.text)."
        case .cutShort(_, let received, let expected):
            "The server closed after \(received)\(expected.map { " of \($0)" } ?? "") bytes; "
                + "\(Wording.runAgainOrRetry.text)."
        case .untrustedServer(_, let reason):
            "The server's certificate is not trusted (\(reason)); check the host's name and this machine's "
                + "certificates and clock."
        case .httpStatus(_, let status):
            "The server answered \(status); \(Self.advice(for: status))."
        case .refusedRedirect(_, let location):
            "It redirects to '\(location.excerpt())', which is refused; only http and https are followed, so ask for the "
                + "photo where it really is."
        case .tooManyRedirects(_, let limit):
            "It redirects more than \(limit) times; open it in a browser to find the photo's own address."
        case .tooLarge(_, let byteLimit):
            "It is larger than the limit of \(byteLimit) bytes; \(Wording.raiseDownloadLimit.text)."
        case .listTooLong(_, let limit):
            "It lists more than \(limit) objects; name folders that have fewer."
        case .badResponse(_, let reason):
            "The server's answer is invalid (\(reason)); check that the address is a web server's."
        case .s3(_, let failure):
            failure.explanation
        case .noCredentials(_, let profile):
            "There are no credentials for s3:// addresses; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or put "
                + "the profile '\(profile)' into ~/.aws/credentials."
        case .badEndpoint(let setting):
            "\(setting) is not the address of a server; begin it with https:// or http://, and leave out users and "
                + "queries."
        case .storage(_, let error):
            "The download could not be stored (\(error)); free space there, or set TMPDIR to another folder."
        case .library(let reason):
            "Downloads cannot run (\(reason)); close other programs, then run again."
        case .cancelled:
            "The download was cancelled; run again to fetch it."
        case .shutDown:
            "Downloads were stopped before it was done; run again to fetch it."
        }
    }

    private var subject: String? {
        switch self {
        case .badURL(let url, _), .unsupportedScheme(let url, _), .unreadableFile(let url, _),
            .hostNotFound(let url, _), .connectionFailed(let url, _), .connectionLost(let url, _),
            .timedOut(let url, _), .cutShort(let url, _, _), .untrustedServer(let url, _),
            .httpStatus(let url, _), .refusedRedirect(let url, _), .tooManyRedirects(let url, _),
            .tooLarge(let url, _), .listTooLong(let url, _), .badResponse(let url, _), .cancelled(let url),
            .shutDown(let url),
            .s3(let url, _), .noCredentials(let url, _):
            url
        case .storage(let path, _): path
        case .library, .badEndpoint: nil
        }
    }

    private static func sentence(for phase: Phase) -> String {
        switch phase {
        case .connect: "Connecting took too long"
        case .stall: "The transfer stalled"
        case .whole: "The download, with its retries, took too long"
        }
    }

    private static func advice(for status: Int) -> String {
        switch status {
        case 401, 403: "check that you may read it"
        case 404, 410: "the photo is not there, so correct its address"
        case 407: "the proxy wants a login; set it in the proxy's URL"
        case _ where transientStatuses.contains(status): Wording.runAgainLaterOrRetry.text
        default: "open it in a browser to see what is there"
        }
    }
}
