import ArgumentParser
import Codecs
import Filters
import Foundation
import Tintype

/// `tintype apply`: filters photos.
struct ApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Filter photos, or convert them.",
        discussion: """
            Filters are applied in the order in which they are given. Photos keep their format, their JPEG \
            quality and their metadata unless you say otherwise. Without a filter, --format, --scale, \
            --strip or --quality make it a conversion.

            EXAMPLES
              A folder, its tree kept below 'out':
                tintype apply -f sepia -o out photos/
              A chain with settings, beside the photo as holiday-noir+tilt-shift.jpg:
                tintype apply -f noir -f tilt-shift:radius=8,focus=0.6 holiday.jpg
              Names of your own:
                tintype apply -f sepia -o 'out/{dir}/{stem}-{chain}.{ext}' photos/
              Half-size copies without metadata:
                tintype apply --scale 0.5 --strip -o small photos/
              Addresses, and lists of them; what is done already is skipped:
                tintype apply -f sepia -o out https://host/a.jpg --files-from photos.csv
              In a pipe:
                tintype apply -f sepia -o - - < in.jpg > out.jpg
            """)

    @Argument(
        help: ArgumentHelp(
            "Photos, folders of photos, http and https addresses, or '-' for standard input.",
            valueName: "photo"))
    var inputs: [String] = []

    @Option(
        name: [.short, .customLong("filter")],
        help: ArgumentHelp(
            "A filter with its settings, such as sepia or tilt-shift:radius=8,band=0.1; may repeat. "
                + "See 'tintype filters'.", valueName: "filter"))
    var filters: [String] = []

    @Option(
        name: [.short, .customLong("device")],
        help: ArgumentHelp(
            "auto (the GPUs, else the CPU), gpu, cpu, or an index or a name from 'tintype devices'; "
                + "may repeat to share the photos.", valueName: "device"))
    var devices: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A folder; a template with {dir} {stem} {chain} {ext} {name}; or '-' for standard output. "
                + "(default: '{stem}-{chain}.{ext}' beside each photo)", valueName: "output"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "A list of photos: text, CSV, JSON or a property list; a file, an address, or '-' for standard "
                + "input; may repeat.", valueName: "list"))
    var filesFrom: [String] = []

    @Option(
        help: ArgumentHelp("Further attempts at a download that failed for now.", valueName: "number"))
    var retry = 3

    @Option(help: ArgumentHelp("Refuse downloads larger than this.", valueName: "size"))
    var maxDownload = ByteSize(byteCount: 1 << 30)

    @Option(
        help: ArgumentHelp(
            "Trust the certificate authorities in this PEM file for https.", valueName: "file"))
    var caFile: String?

    @Flag(help: "Take only the photos whose last attempt failed, by the journal of the -o folder.")
    var retryFailed = false

    @Flag(help: "Keep no journal in the -o folder: nothing but photos is written, and nothing is resumed.")
    var noJournal = false

    @Option(help: ArgumentHelp("jpeg or png. (default: each photo's own)", valueName: "format"))
    var format: PhotoFormat?

    @Option(
        help: ArgumentHelp(
            "JPEG quality, 1 to 100, or keep: as the photo was. (default: keep)", valueName: "quality"))
    var quality: Recipe.Quality?

    @Option(help: ArgumentHelp("1, or 0.5 to halve both sides before filtering.", valueName: "scale"))
    var scale: Scale = .full

    @Flag(help: "Leave out metadata such as EXIF and XMP; the colour profile stays.")
    var strip = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Photos that are filtered at once. (default: the number of CPU cores)", valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory, such as 2G, that photos at work may take together where they cannot be streamed: "
                + "progressive JPEGs and interlaced PNGs. (default: half of the machine's)", valueName: "size"
        ))
    var memory: ByteSize?

    @Option(help: ArgumentHelp("Refuse photos with more pixels than this.", valueName: "number"))
    var maxPixels = DecodeLimits().maxPixels

    @Flag(help: "Replace outputs that exist. Originals are never replaced.")
    var overwrite = false

    @Option(
        help: ArgumentHelp(
            "When a device is missing or fails: cpu (the CPU steps in) or fail. "
                + "(default: cpu with -d auto, else fail)", valueName: "policy"))
    var fallback: DeviceRoster.FallbackPolicy?

    @Option(
        help: ArgumentHelp(
            "Give up a device that takes longer than this for a part of a photo. (default: 30)",
            valueName: "seconds"))
    var deviceTimeout: Seconds?

    @Flag(help: "Only print what would be written.")
    var dryRun = false

    @Flag(help: "Print one JSON line for each photo, and one for the run, on standard output.")
    var json = false

    @Option(help: ArgumentHelp("auto, plain or none.", valueName: "style"))
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print a line for each photo, and what each operation does.")
    var verbose = false

    func parsedInputs() throws -> [Input] { try Self.parse(inputs) }

    /// What `--files-from` names; a path is a list's here.
    func parsedLists() throws -> [Input] { try Self.parse(filesFrom) }

    private static func parse(_ texts: [String]) throws -> [Input] {
        do {
            return try texts.map(Input.init)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// What to do and where to put it, as the flags say together.
    func settings() throws -> (recipe: Recipe, destination: OutputDestination) {
        do {
            let chain = try FilterChain(parsing: filters)
            let destination = try OutputDestination(output, isFolder: isFolder)
            let implied = try destination.impliedFormat()
            if let implied, let format, implied != format {
                throw OutputError.formatMismatch(extensionSays: implied.rawValue, formatSays: format.rawValue)
            }
            let recipe = Recipe(
                chain, format: format ?? implied, quality: quality ?? .keep, halvesSize: scale == .half,
                stripsMetadata: strip)
            return (recipe, destination)
        } catch let error as FilterError {
            throw ValidationError(error.description)
        } catch let error as OutputError {
            throw ValidationError(error.description)
        }
    }

    func run() throws {
        let (recipe, destination) = try settings()
        let status = try ApplyRun(self, recipe, destination).run()
        if status != 0 { throw ExitCode(status) }
    }
}

private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}
