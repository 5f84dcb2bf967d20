import ArgumentParser
import Tintype

/// Which flags go together.
extension ApplyCommand {
    mutating func validate() throws {
        if let complaint = rangeComplaint { throw ValidationError(complaint) }
        asksForConversion = recipe.isConversion(output: outputs.output)
        try recipe.checkRecipeFile()
        try checkManifestFlags()
        try checkPatterns()
        do throws(SettingsError) {
            try takeSettings()
        } catch {
            throw ValidationError(error.description)
        }
        do {
            try checkWithSettings()
        } catch let error as ValidationError {
            // The settings file may be the cause.
            guard let text = settingsTaken?.text else { throw error }
            throw ValidationError("\(error.message)\n\(text)")
        }
    }

    /// What depends on the settings file too.
    private mutating func checkWithSettings() throws {
        try recipe.kernels.register()
        try takeManifest()
        let settings = try settings()
        taken.settings = settings
        try settings.filters.tryKernels()
        if outputs.overwrite, outputs.skipExisting {
            throw ValidationError("--overwrite and --skip-existing exclude each other.")
        }
        if messages.quiet, messages.verbose > 0 {
            throw ValidationError("--quiet and --verbose exclude each other.")
        }
        if manifest == nil, recipe.recipeFile == nil, recipe.filters.isEmpty, !asksForConversion,
            !retriesAll || settings.recipes.map(\.name) == [nil] && settings.recipes[0].recipe.doesNothing
        {
            throw recipe.emptyComplaint(inputs)
        }
        try validateStandardStreams(settings.destination)
        if self.watch { try validateWatch(settings.destination) }
    }

    /// Refuses patterns where no folder is searched. Call it before the settings file is read: its patterns are for
    /// other runs too.
    private func checkPatterns() throws {
        guard !files.include.isEmpty || !files.exclude.isEmpty else { return }
        if shards.manifestPath != nil {
            throw ValidationError(
                "--include and --exclude choose among the files of folders, and a manifest has its photos: give them to "
                    + "'tintype plan'.")
        }
        if retriesAll {
            throw ValidationError(
                "Without photos, --retry-failed takes all that have failed: name the folders in which --include and "
                    + "--exclude are to choose.")
        }
    }

    private func validateWatch(_ destination: OutputDestination) throws {
        for case .path(let path) in try parsedInputs() where FileIdentity(path: path) == nil {
            throw ValidationError("There is no folder '\(path)' to watch, or it cannot be read.")
        }
        guard !inputs.isEmpty, inputs.allSatisfy({ $0 != "-" && isFolder($0) }), sources.filesFrom.isEmpty
        else {
            throw ValidationError(
                "--watch takes folders only: no files, addresses, lists or standard input. For example: "
                    + "tintype apply -f sepia -o out --watch photos/")
        }
        if outputs.dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
        if outputs.retryFailed { throw ValidationError("--watch and --retry-failed exclude each other.") }
        switch destination {
        case .standardOutput, .file:
            throw ValidationError("--watch makes many outputs: give -o a folder or a template.")
        case .besidePhoto: return
        case .folder, .template, .objects: break
        }
        let outputs = destination.folder.flatMap(FileIdentity.init(path:))
        if outputs != nil, inputs.contains(where: { FileIdentity(path: $0) == outputs }) {
            throw ValidationError(
                "With --watch, outputs in the watched folder itself would be taken for photos. Give -o another folder, "
                    + "such as one in it.")
        }
    }

    /// What is wrong with a number or a size; nil if all are in their ranges.
    var rangeComplaint: String? {
        let least = ByteSize(byteCount: MemoryBudget.leastByteCount)
        for (flag, size) in [("--memory", limits.memory), ("--max-photo-memory", limits.maxPhotoMemory)] {
            guard let size, size.byteCount < least.byteCount else { continue }
            return "\(flag) expects at least \(least), got \(size): a photo needs that much."
        }
        let counts = [
            ("--jobs", limits.jobs, 1), ("--max-pixels", limits.maxPixels, 1),
            ("--max-scans", limits.maxScans, 1),
            ("--retry", sources.network.retry, 0),
        ]
        for case (let flag, let count?, let least) in counts where count < least {
            return "\(flag) expects a number from \(least) on, got \(count)."
        }
        let mostPixels = 1 << 40
        if let maxPixels = limits.maxPixels, maxPixels > mostPixels {
            return "--max-pixels expects at most \(mostPixels), got \(maxPixels)."
        }
        return nil
    }

    private func validateStandardStreams(_ destination: OutputDestination) throws {
        let inputs = try parsedInputs()
        let lists = try parsedLists()
        let recipes: [Input] = recipe.recipeFile == "-" ? [.standardInput] : []
        if (inputs + lists + recipes).filter({ $0 == .standardInput }).count > 1 {
            throw ValidationError("Standard input can be read once; give '-' once.")
        }
        if inputs.contains(.standardInput), destination == .besidePhoto {
            throw ValidationError(
                "A photo from standard input has no folder of its own. "
                    + "Add '-o -' for standard output, or a folder."
            )
        }
        try validateAddresses(destination, haveLists: !lists.isEmpty, inputs)
        guard destination == .standardOutput else { return }
        if outputs.lenient {
            throw ValidationError(
                "--lenient writes what is left of a damaged photo under a name of its own; "
                    + "give a folder, a template or a file instead of '-o -'.")
        }
        if messages.json {
            throw ValidationError("--json and -o - both write to standard output; use one of them.")
        }
        if !outputs.dryRun, StandardStream.output.isTerminal {
            throw ValidationError("-o - would print a photo on your terminal; send it to a file or a pipe.")
        }
    }

    private func validateAddresses(
        _ destination: OutputDestination, haveLists: Bool, _ inputs: [Input]
    ) throws {
        if case .objects = destination {
            for (isGiven, flag, why) in [
                (
                    outputs.retryFailed, "--retry-failed",
                    "objects have no journal; run again, and what is there is skipped"
                ),
                (outputs.lenient, "--lenient", "a part of a photo is kept in folders only"),
                (outputs.keepTimes == true, "--keep-times", "objects have no such times"),
            ] where isGiven { throw ValidationError("\(flag) does not go with -o s3://: \(why).") }
        }
        if inputs.contains(where: \.isAddress), destination == .besidePhoto {
            throw ValidationError(
                "A photo with an address has no folder of its own. Add '-o' with a folder or a template.")
        }
        if haveLists, destination == .besidePhoto {
            throw ValidationError("--files-from needs '-o' with a folder or a template.")
        }
        guard outputs.retryFailed else { return }
        if outputs.noJournal { throw ValidationError("--retry-failed and --no-journal exclude each other.") }
        guard case .folder = destination else {
            throw ValidationError(
                "--retry-failed needs '-o' with the folder whose journal tells what failed.")
        }
    }
}
