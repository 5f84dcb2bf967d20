import ArgumentParser
import Tintype

/// How servers are asked. Secrets have no flags, because other users see a process's arguments.
struct NetworkFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Retry a download or an upload this many times where its failure may be temporary. (default: "
                + "\(DownloaderConfiguration.usual.retry.retries))", valueName: "number"))
    var retry: Int?

    @Option(
        help: ArgumentHelp(
            "Trust the certificate authorities in this PEM file for https.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(
        help: ArgumentHelp(
            "The server of s3:// addresses. (default: AWS_ENDPOINT_URL_S3, else Amazon's)",
            valueName: "address"))
    var endpoint: EndpointAddress?

    @Option(
        help: ArgumentHelp(
            "How s3:// buckets are named: path (https://server/bucket/key), virtual (https://bucket.server/key), or auto: "
                + "virtual on Amazon's servers, and path on others. (default: auto)", valueName: "style"))
    var addressing: S3Configuration.Addressing?

    /// The flags as they were given.
    var arguments: [String] {
        let values = [
            ("--retry", retry.map { "\($0)" }), ("--ca-file", caFile), ("--endpoint", endpoint?.text),
            ("--addressing", addressing?.rawValue),
        ]
        return values.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }

    var configuration: DownloaderConfiguration {
        var configuration = DownloaderConfiguration()
        configuration.userAgent = "tintype/\(Version.number)"
        if let retry { configuration.retry.retries = retry }
        configuration.certificateFile = caFile
        configuration.s3.endpoint = endpoint?.text
        if let addressing { configuration.s3.addressing = addressing }
        return configuration
    }
}

/// A server's address, without a user or a query.
struct EndpointAddress: ExpressibleByArgument, Decodable {
    let text: String

    init?(argument: String) {
        guard S3Configuration.isEndpoint(argument) else { return nil }
        text = argument
    }
}

extension DownloaderConfiguration {
    /// For the texts of help, which each parsed command makes several times.
    static let usual = DownloaderConfiguration()
}

extension S3Configuration.Addressing: ExpressibleByArgument {}
