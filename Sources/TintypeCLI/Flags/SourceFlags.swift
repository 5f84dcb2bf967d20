import ArgumentParser
import Tintype

/// Where photos come from, besides the arguments.
struct SourceFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A list of photos: text, CSV, JSON (also lines) or a property list, as a file, an address, or '-' for standard "
                + "input; may repeat.", valueName: "list"),
        completion: .file())
    var filesFrom: [String] = []

    @OptionGroup
    var network: NetworkFlags

    @Option(
        help: ArgumentHelp(
            "Refuse downloads larger than this, such as 500M. (default: "
                + "\(ByteSize(byteCount: DownloaderConfiguration.usual.byteLimit)))", valueName: "size"))
    var maxDownload: ByteSize?

    @Option(
        help: ArgumentHelp(
            "Decrypt downloaded photos (AES-256-GCM) with the key in this file: 32 bytes or 64 hexadecimal digits.",
            valueName: "file"),
        completion: .file())
    var key: String?

    /// The flags besides lists, as they were given.
    var arguments: [String] {
        network.arguments + (maxDownload.map { ["--max-download", "\($0)"] } ?? [])
            + (key.map { ["--key", $0] } ?? [])
    }
}
