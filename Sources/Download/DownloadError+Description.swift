extension DownloadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badURL(let url, let reason):
            "'\(url)' is not a URL (\(reason)); correct it in your list."
        case .unsupportedScheme(let url, let scheme):
            "\(url): '\(scheme)' is not supported; use http, https or file."
        case .unreadableFile(let url, let reason):
            "\(url) cannot be read (\(reason)); check the path and its permissions."
        case .hostNotFound(let url, let reason):
            "\(url): its host was not found (\(reason)); check the name and this machine's DNS, then run "
                + "again."
        case .connectionFailed(let url, let reason):
            "\(url): no connection (\(reason)); check that the server is up, then run again."
        case .connectionLost(let url, let reason):
            "\(url): the connection broke (\(reason)); run again, or raise --retry."
        case .timedOut(let url, let phase):
            "\(url): \(Self.sentence(for: phase)); run again, or raise --retry."
        case .cutShort(let url, let received, let expected):
            "\(url): the server closed after \(received)\(expected.map { " of \($0)" } ?? "") bytes; run "
                + "again, or raise --retry."
        case .untrustedServer(let url, let reason):
            "\(url): the server's certificate is not trusted (\(reason)); check the host's name and this "
                + "machine's certificates and clock."
        case .httpStatus(let url, let status):
            "\(url): the server answered \(status); \(Self.advice(for: status))."
        case .refusedRedirect(let url, let location):
            "\(url) redirects to '\(location)', which is refused; only http and https are followed, so "
                + "ask for the photo where it really is."
        case .tooManyRedirects(let url, let limit):
            "\(url) redirects more than \(limit) times; open it in a browser to find the photo's own address."
        case .tooLarge(let url, let byteLimit):
            "\(url) is larger than the limit of \(byteLimit) bytes; raise the limit if it is wanted."
        case .badResponse(let url, let reason):
            "\(url): the server's answer makes no sense (\(reason)); check that the address is a web "
                + "server's."
        case .storage(let path, let reason):
            "\(path): the download could not be stored (\(reason)); free space there, or set TMPDIR to "
                + "another folder."
        case .library(let reason):
            "Downloads cannot run (\(reason)); close other programs, then run again."
        case .cancelled(let url):
            "\(url): the download was cancelled; run again to fetch it."
        case .shutDown(let url):
            "\(url): downloads were stopped before it was done; run again to fetch it."
        }
    }

    private static func sentence(for phase: Phase) -> String {
        switch phase {
        case .connect: "connecting took too long"
        case .stall: "the transfer stalled"
        case .whole: "the download, with its retries, took too long"
        }
    }

    private static func advice(for status: Int) -> String {
        switch status {
        case 401, 403: "check that you may read it"
        case 404, 410: "the photo is not there, so correct its address"
        case 407: "the proxy wants a login; set it in the proxy's URL"
        case 408, 429, 500...599: "run again later, or raise --retry"
        default: "open it in a browser to see what is there"
        }
    }
}
