import ArgumentParser
import Foundation
import SystemPackage
import Tintype

/// `tintype plan`: freezes what is to be done.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Freeze what is to be done, for runs on many machines.",
        discussion: """
            A manifest lists every photo with its size and the names of its outputs, and has the recipe. It never changes, \
            and each machine does its part of it: 'tintype apply --manifest M --shard 3/24'. 'tintype verify' proves that \
            every output is there. The settings file is not read, so that everyone plans the same.

            Photos that cannot be planned are named and left out; the exit code is 1 then.

            EXAMPLES
              tintype plan photos/ -o out -f sepia -m manifest.jsonl
              tintype plan --files-from photos.csv -o out --recipe web -m manifest.jsonl
            """)

    @Argument(
        help: ArgumentHelp(
            "Photos, folders of photos, and http, https and s3 addresses.", valueName: "photo"),
        completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Filters and formats")
    var recipe: RecipeFlags

    @OptionGroup(title: "Lists and downloads")
    var sources: SourceFlags

    @OptionGroup(title: "Files")
    var files: FileFlags

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "A folder, s3://bucket/folder, or a template with {dir} {stem} {chain} {recipe} {ext} {name} {id}, and {output} for --recipe.",
            valueName: "output"),
        completion: .file())
    var output: String

    @Option(
        name: [.customShort("m", allowingJoined: true), .long],
        help: ArgumentHelp("The manifest to be written. A file that exists is kept.", valueName: "file"),
        completion: .file())
    var manifest: String

    @Flag(help: "Print a JSON line for each photo that is left out, and one for the plan.")
    var json = false

    func validate() throws {
        try recipe.checkRecipeFile()
        if recipe.recipeFile == nil, recipe.filters.isEmpty, !recipe.isConversion(output: output) {
            throw recipe.emptyComplaint(inputs)
        }
        if (inputs + sources.filesFrom).isEmpty {
            throw ValidationError("No photos were given: name photos, folders or --files-from.")
        }
        if inputs.contains("-") {
            throw ValidationError("A photo from standard input has one run only: a manifest cannot name it.")
        }
        if recipe.recipeFile == "-", sources.filesFrom.contains("-") {
            throw ValidationError("Standard input can be read once; give '-' once.")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // Only the names are needed here: machines without a compiler may plan.
        try recipe.kernels.register(compiles: false)
        let settings = try ApplyCommand.Settings(recipe, output: output)
        let run = try PlanRun(self, settings)
        let temporaries = TemporaryFiles()
        let interruption = Interruption(temporaries: temporaries) { [json] code in
            if json { LastLine.write("Interrupted.", exitCode: code, type: "plan") }
        }
        let code = try withExtendedLifetime(interruption) {
            try reporting(json: json ? "plan" : nil) { try run.plan(temporaries) }
        }
        if code != 0 { throw ExitCode(code) }
    }
}

/// One run of `tintype plan`.
private struct PlanRun {
    private let command: PlanCommand
    private let settings: ApplyCommand.Settings
    private let header: ManifestHeader
    private let inputs: [Input]
    /// Lists that can be read twice.
    private let listFiles: [String]
    /// Lists that can be read once: addresses, standard input, and pipes such as bash's `<(cat *.txt)`.
    private let otherLists: [Input]

    init(_ command: PlanCommand, _ settings: ApplyCommand.Settings) throws {
        self.command = command
        self.settings = settings
        inputs = try Input.parse(command.inputs)
        var (listFiles, otherLists): ([String], [Input]) = ([], [])
        for list in try Input.parse(command.sources.filesFrom) {
            if case .path(let path) = list, (try? Stat(path).isRegularFile) == true {
                listFiles.append(path)
            } else {
                otherLists.append(list)
            }
        }
        (self.listFiles, self.otherLists) = (listFiles, otherLists)
        guard let folder = settings.destination.place else {
            throw ValidationError("A plan needs -o with a folder or a template.")
        }
        var paths = CanonicalPaths()
        let outputFolder =
            S3Location.isLocation(folder)
            ? folder : folder.resolvingLinks ?? paths.path(of: folder.absolutePath)
        let roots = (inputs + listFiles.map(Input.path)).compactMap { input -> String? in
            guard case .path(let path) = input else { return nil }
            let canonical = path.resolvingLinks ?? path.absolutePath
            return isFolder(path) ? canonical : canonical.parentFolder
        }
        if let identity = FileIdentity(path: folder),
            inputs.contains(where: { FileIdentity(of: $0) == identity })
        {
            throw ValidationError(
                "The outputs would be among the photos. Give -o another folder, such as one in it.")
        }
        header = ManifestHeader(
            root: roots.commonFolder ?? FileManager.default.currentDirectoryPath, outputFolder: outputFolder,
            recipe: settings.recipes.canonicalText, recipeFolder: settings.folderOfFiles)
    }

    /// - Returns: the process's exit code.
    func plan(_ temporaries: TemporaryFiles) throws -> Int32 {
        let planner = OutputPlanner(
            settings.destination, outputs: settings.outputs, overwrites: false, hasJournal: true)
        let manifest = try ManifestPlanner(to: command.manifest, header, planner, temporaries: temporaries)
        var collector = InputCollector(
            outputFolder: header.outputFolder, globs: command.files.globs,
            followsLinks: command.files.followsLinks, downloads: command.sources.downloaderConfiguration,
            taker: manifest.add)
        try collect(&collector)
        let failures = collector.failures + manifest.failures
        try report(failures)
        guard manifest.photoCount > 0 else {
            let complaint = "There are no photos to plan, so no manifest was written."
            for line in [complaint] + collector.passedOver.reasons(command.files.globs) {
                StandardStream.error.writeMessage(line)
            }
            let status = failures.isEmpty ? ExitStatus.noInputs : .photosFailed
            if command.json { LastLine.write(complaint, exitCode: status.rawValue, type: "plan") }
            return status.rawValue
        }
        let (photoCount, byteCount) = (manifest.photoCount, manifest.byteCount)
        try manifest.finish()
        let line = PlanLine(
            manifest: command.manifest, photos: photoCount,
            outputs: photoCount * settings.outputs.count, bytes: byteCount, failed: failures.count,
            exitCode: (failures.isEmpty ? ExitStatus.done : .photosFailed).rawValue)
        if command.json {
            try StandardStream.writeResult(line.jsonText() + "\n")
        } else {
            if let summary = collector.passedOver.summary { StandardStream.error.writeMessage(summary) }
            try StandardStream.writeResult(line.text.printable + "\n")
        }
        return line.exitCode
    }

    private func collect(_ collector: inout InputCollector) throws {
        collector.collect(inputs)
        for path in listFiles { collector.learnNames(in: try PhotoList(path: path)) }
        let rest = PhotoSources(
            inputs: [], lists: otherLists, flags: command.sources, globs: command.files.globs,
            outputFolder: nil, lendsCredentials: false)
        if !rest.lists.isEmpty {
            let downloader = try command.sources.makeDownloader()
            defer { downloader.shutdown() }
            try rest.collectLists(into: &collector, through: downloader)
        }
        collector.nameEntries()
        for path in listFiles { collector.collectAgain(try PhotoList(path: path), named: path) }
        collector.flush()
    }

    private func report(_ failures: [InputFailure]) throws {
        for failure in failures {
            if command.json {
                try StandardStream.writeResult(PhotoLine(failure).jsonText() + "\n")
            } else {
                StandardStream.error.writeMessage("\(failure.path.printableName): \(failure.error)")
            }
        }
    }
}

/// The last line of `--json`.
private struct PlanLine: Encodable {
    let type = "plan"
    let manifest: String
    let photos: Int
    let outputs: Int
    let bytes: Int
    let failed: Int
    let exitCode: Int32

    var text: String {
        var text = "\(manifest.printableName): \(RunTally.Noun.photo.text(photos))"
        if outputs != photos { text += ", \(RunTally.Noun.output.text(outputs))" }
        text += String(format: ", %.1f MB.", Double(bytes) / 1e6)
        return failed == 0 ? text : text + " Left out: \(failed), named above."
    }
}

extension FileIdentity {
    fileprivate init?(of input: Input) {
        guard case .path(let path) = input else { return nil }
        self.init(path: path)
    }
}

extension Array where Element == String {
    /// The deepest folder that all of these absolute folders are in; nil if there are none.
    fileprivate var commonFolder: String? {
        guard var common = first?.pathParts() else { return nil }
        for folder in dropFirst() {
            common = zip(common, folder.pathParts()).prefix { $0.exact == $1.exact }.map(\.0)
        }
        return "/" + common.joined(separator: "/")
    }
}
