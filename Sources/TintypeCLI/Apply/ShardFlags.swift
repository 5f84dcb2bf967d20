import ArgumentParser
import Foundation
import Tintype

/// Which photos of a frozen plan a run takes.
struct ShardFlags: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("manifest")],
        help: ArgumentHelp(
            "Take photos, recipe and outputs from this manifest, which 'tintype plan' has written.",
            valueName: "file"),
        completion: .file())
    var manifestPath: String?

    @Option(
        help: ArgumentHelp(
            "Take a part of the manifest's photos, such as 3/24; or auto: the part of this array task of Slurm, "
                + "Kubernetes, AWS Batch, PBS, LSF or SGE. (default: all)", valueName: "shard"))
    var shard: ShardChoice?

    @Option(
        help: ArgumentHelp(
            "The folder of the manifest's photos, where it is elsewhere on this machine.", valueName: "folder"
        ),
        completion: .directory)
    var root: String?

    @Option(
        name: .customLong("metrics"),
        help: ArgumentHelp(
            "Write the run's progress to this file every few seconds, in Prometheus's text format.",
            valueName: "file"),
        completion: .file())
    var metricsPath: String?
}

/// The value of `--shard`.
enum ShardChoice: Equatable, Sendable {
    case auto
    case shard(Shard)
}

extension ShardChoice: ExpressibleByArgument {
    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let shard = Shard(argument) {
            self = .shard(shard)
        } else {
            return nil
        }
    }
}

/// What `validate` has read. ArgumentParser wants all properties to be decodable.
struct TakenFiles: Decodable {
    var manifest: Manifest?
    var shard = Shard.whole
    var settings: ApplyCommand.Settings?

    init() {}

    init(from decoder: any Decoder) throws {}
}

extension ApplyCommand {
    var manifest: Manifest? { taken.manifest }

    /// Refuses flags whose values the manifest decides. Call it before the settings file is read.
    func checkManifestFlags() throws {
        guard shards.manifestPath != nil else {
            guard shards.shard == nil, shards.root == nil else {
                throw ValidationError("--shard and --root are for photos of a manifest: give --manifest.")
            }
            return
        }
        if !inputs.isEmpty || !sources.filesFrom.isEmpty || !recipe.filters.isEmpty
            || recipe.recipeFile != nil
            || asksForConversion || RecipeFlag.encoding.contains(where: { $0.isGiven(recipe) })
        {
            throw ValidationError(
                "--manifest decides photos and recipe: leave out photos, --files-from, -f, --recipe and conversions."
            )
        }
        for (isGiven, flag) in [
            (watch, "--watch"), (outputs.retryFailed, "--retry-failed"), (outputs.noJournal, "--no-journal"),
            (outputs.skipExisting, "--skip-existing"), (outputs.dryRun, "--dry-run"),
            (files.followsLinks, "--follow"),
        ] where isGiven {
            throw ValidationError("--manifest and \(flag) exclude each other.")
        }
    }

    /// Reads the manifest. Call it once the filters of `--kernel` are known.
    mutating func takeManifest(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        guard let path = shards.manifestPath else { return }
        do {
            taken.manifest = try Manifest(path)
            switch shards.shard {
            case .shard(let shard): taken.shard = shard
            case .auto: taken.shard = try Shard(scheduledBy: environment)
            case nil: taken.shard = .whole
            }
        } catch let error as ManifestError {
            throw ValidationError(error.description)
        } catch let error as ShardError {
            throw ValidationError(error.description)
        }
    }

    /// The settings of a manifest's recipe.
    func settings(of manifest: Manifest) throws -> Settings {
        let destination: OutputDestination
        do {
            // The slash says that it is a folder, whatever its name.
            destination = try OutputDestination(
                outputs.output ?? manifest.header.outputFolder.appendingPathComponent(""), isFolder: isFolder)
            try destination.checkFolder()
        } catch {
            throw ValidationError(error.description)
        }
        switch destination {
        case .folder, .objects(_, names: nil): break
        default:
            throw ValidationError("With --manifest, -o is a folder: the manifest has the names in it.")
        }
        // Only files with the hashes of the recipe are taken, wherever they are.
        let folders = [manifest.header.recipeFolder, manifest.path.parentFolder, ""].compactMap(\.self)
        let files = FilterFiles(in: folders)
        guard let settings = Settings(canonicalText: manifest.header.recipe, destination, reading: files)
        else {
            if let problem = Recipe.fileProblem(in: manifest.header.recipe, reading: files) {
                throw ValidationError(
                    "\(problem) The manifest's recipe needs it: put it into the folder of the manifest.")
            }
            throw ValidationError(
                ManifestError.otherRecipe(path: manifest.path, CanonicalText(manifest.header.recipe).flags)
                    .description)
        }
        return settings
    }
}
