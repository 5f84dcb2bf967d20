import ArgumentParser
import Foundation
import Tintype
import TintypeGallery

/// `tintype gallery`: a page that shows photos while they are downloaded and filtered.
struct GalleryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Show photos on a page, and filter them as you look.",
        discussion: """
            Prints the address of a page on this machine. The photos in view are downloaded and filtered \
            first. Filters and their settings can be changed on the page. Only a browser that has opened the \
            printed address gets an answer. Nothing is written before "Save". Ctrl-C ends the gallery.

            EXAMPLES
              The photos of a folder:
                tintype gallery -f sepia photos/
              A list of addresses:
                tintype gallery -f noir --files-from https://host/photos.plist
              Photos on another machine, from this one through SSH:
                ssh -t -L 8080:127.0.0.1:8080 gpu1 tintype gallery --port 8080 photos/
              The same from that machine, which prints the command of the tunnel:
                tintype gallery --remote-host gpu1 photos/
            """)

    @Argument(
        help: ArgumentHelp(
            "Photos, folders of photos, lists (.csv, .json, .plist, .txt), and http and https addresses of these.",
            valueName: "photo"),
        completion: .file())
    var inputs: [String] = []

    @Option(
        name: [.customShort("f", allowingJoined: true), .customLong("filter")],
        help: ArgumentHelp(
            "A filter, such as sepia or tilt-shift:radius=8; may repeat, or join several by +. It can be changed "
                + "on the page.", valueName: "filter"),
        completion: .filters)
    var filters: [String] = []

    @Option(
        name: .customLong("recipe"),
        help: ArgumentHelp("Take the filters of this JSON file, such as the page saves.", valueName: "file"),
        completion: .file())
    var recipeFile: String?

    @OptionGroup
    var kernels: KernelFlags

    @Option(
        name: [.customShort("d", allowingJoined: true), .customLong("device")],
        help: ArgumentHelp(
            "auto (the GPUs, else the CPU), gpu, cpu, or an index or a name from 'tintype devices'.",
            valueName: "device"),
        completion: .devices)
    var device = "auto"

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The folder that the page proposes to save photos in, with a journal, as 'tintype apply' does. (default: "
                + "'filtered' below each folder of photos)", valueName: "folder"),
        completion: .directory)
    var output: String?

    @Flag(
        help: """
            Let the page propose to replace photos that were saved with other filters, instead of a folder beside them.
            """)
    var overwrite = false

    @Option(help: ArgumentHelp("The port on 127.0.0.1. (default: a free one)", valueName: "number"))
    var port: Int?

    @Flag(help: "Open the page in the browser.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "This machine's name for SSH: prints the command of a tunnel, for the machine that the browser is on.",
            valueName: "name"))
    var remoteHost: String?

    @Option(
        help: ArgumentHelp(
            "per-photo filters each photo once it is there; barrier downloads all first.", valueName: "order")
    )
    var order = GalleryOrder.perPhoto

    @Flag(help: "Let each operation wait up to two seconds, to show the order in which they run.")
    var slow = false

    @OptionGroup(title: "Lists and downloads")
    var sources: SourceFlags

    @OptionGroup(title: "Files")
    var files: FileFlags

    @Flag(name: .shortAndLong, help: "Print what each operation does.")
    var verbose = false

    func validate() throws {
        guard !inputs.isEmpty || !sources.filesFrom.isEmpty else {
            throw ValidationError(
                "No photos were given. Name photos, folders or lists: tintype gallery photos/")
        }
        if let output, output.contains("://") {
            throw ValidationError(
                "The gallery saves photos in a folder of this machine: '\(output)' is an address.")
        }
        if recipeFile != nil, !filters.isEmpty {
            throw ValidationError("--recipe decides the filters: leave out -f.")
        }
        if let output, OutputPath.isReserved(output) {
            throw ValidationError(OutputError.reservedName(output).description)
        }
        if open, remoteHost != nil {
            throw ValidationError("With --remote-host, the browser is on another machine: leave out --open.")
        }
        guard (0...65535).contains(port ?? 0) else { throw ValidationError("A port is from 0 to 65535.") }
    }

    func run() throws {
        try kernels.register()
        let (chain, folder) = try chain()
        try chain.tryKernels()
        let status = try GalleryRun(self, chain, readingFilesIn: folder).run()
        if status != 0 { throw ExitCode(status) }
    }

    /// The filters, and the folder in which relative paths of their files begin; an empty one is the current folder.
    private func chain() throws -> (FilterChain, folder: String) {
        guard let recipeFile else {
            do {
                return (try FilterChain(parsing: filters), "")
            } catch {
                throw ValidationError(error.description)
            }
        }
        let file: RecipeFile
        do {
            file = try RecipeFile(recipeFile)
        } catch {
            throw ValidationError(error.description)
        }
        guard case .single(let recipe) = file.outputs, recipe == Recipe(recipe.chain) else {
            throw ValidationError(
                "\(recipeFile.printableName) asks for more than filters, and the gallery shows one output of each photo as "
                    + "it is filtered. Give a recipe of filters only, such as { \"filters\": \"sepia\" }, or -f."
            )
        }
        return (recipe.chain, file.folder)
    }

    /// The arguments and flags that name lists. A file or an address that is named like a list is read as one.
    var lists: [String] { inputs.filter(Self.isList) + sources.filesFrom }

    /// The other arguments.
    var photos: [String] { inputs.filter { !Self.isList($0) } }

    private static func isList(_ text: String) -> Bool {
        let path = URL(string: text).flatMap { $0.scheme == nil ? nil : $0.path } ?? text
        let listNames = ["csv", "json", "plist", "txt"]
        return listNames.contains(FileName(path.lastPathComponent).fileExtension?.lowercased() ?? "")
    }

    /// The photos' sources.
    func photoSources() throws -> PhotoSources {
        PhotoSources(
            inputs: try Input.parse(photos), lists: try Input.parse(lists), flags: sources,
            globs: files.globs, followsLinks: files.followsLinks,
            outputFolder: output)
    }
}

/// The order in which a gallery's photos are downloaded and filtered.
enum GalleryOrder: String, ExpressibleByArgument, CaseIterable {
    case perPhoto = "per-photo"
    case barrier
}
