import ArgumentParser
import Tintype

/// Which flags go together.
extension ApplyCommand {
    func validate() throws {
        let settings = try settings()
        if let jobs = self.jobs, jobs < 1 {
            throw ValidationError("--jobs expects a number from 1 on, got \(jobs).")
        }
        if self.maxPixels < 1 {
            throw ValidationError("--max-pixels expects a number from 1 on, got \(self.maxPixels).")
        }
        if self.maxScans < 1 {
            throw ValidationError("--max-scans expects a number from 1 on, got \(self.maxScans).")
        }
        let least = ByteSize(byteCount: MemoryBudget.leastByteCount)
        for (flag, size) in [("--memory", self.memory), ("--max-photo-memory", self.maxPhotoMemory)] {
            guard let size, size.byteCount < least.byteCount else { continue }
            throw ValidationError("\(flag) expects at least \(least), got \(size): a photo needs that much.")
        }
        if self.retry < 0 { throw ValidationError("--retry expects a number from 0 on, got \(self.retry).") }
        if self.overwrite, self.skipExisting {
            throw ValidationError("--overwrite and --skip-existing exclude each other.")
        }
        if self.quiet, self.verbose > 0 { throw ValidationError("--quiet and --verbose exclude each other.") }
        if self.filters.isEmpty, !isConversion,
            settings.recipe == Recipe(FilterChain([]), optimizesCodes: self.optimize)
        {
            throw ValidationError(
                "There is nothing to do. Give a filter, such as -f sepia, or one of --format, --quality, "
                    + "--scale and --strip."
                    + (self.optimize ? " --optimize is for JPEGs that one of these encodes." : ""))
        }
        try validateStandardStreams(settings.destination)
    }

    private var isConversion: Bool {
        self.format != nil || self.quality != nil || self.scale != .full || self.strip
    }

    /// The recipe of the folder's outputs, for a `--retry-failed` that names none; nil otherwise.
    func keptRecipe(in destination: OutputDestination) throws -> Recipe? {
        guard retriesAll, self.filters.isEmpty, !isConversion, case .folder(let folder) = destination else {
            return nil
        }
        do throws(JournalError) {
            guard let made = try JournalPreview(outputFolder: folder).recipe() else { return nil }
            guard let recipe = Recipe(canonicalText: made) else {
                throw .otherRecipe(folder: folder, made: made, asked: made)
            }
            return recipe
        } catch {
            throw ValidationError(error.description)
        }
    }

    private func validateStandardStreams(_ destination: OutputDestination) throws {
        let inputs = try parsedInputs()
        let lists = try parsedLists()
        if (inputs + lists).filter({ $0 == .standardInput }).count > 1 {
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
        if self.lenient {
            throw ValidationError(
                "--lenient writes what is left of a damaged photo under a name of its own; "
                    + "give a folder, a template or a file instead of '-o -'.")
        }
        if self.json {
            throw ValidationError("--json and -o - both write to standard output; use one of them.")
        }
        if !self.dryRun, StandardStream.output.isTerminal {
            throw ValidationError("-o - would print a photo on your terminal; send it to a file or a pipe.")
        }
    }

    private func validateAddresses(
        _ destination: OutputDestination, haveLists: Bool, _ inputs: [Input]
    ) throws {
        let hasAddress = inputs.contains { if case .address = $0 { true } else { false } }
        if hasAddress, destination == .besidePhoto {
            throw ValidationError(
                "A photo with an address has no folder of its own. Add '-o' with a folder or a template.")
        }
        if haveLists, destination == .besidePhoto {
            throw ValidationError("--files-from needs '-o' with a folder or a template.")
        }
        guard self.retryFailed else { return }
        if self.noJournal { throw ValidationError("--retry-failed and --no-journal exclude each other.") }
        guard case .folder = destination else {
            throw ValidationError(
                "--retry-failed needs '-o' with the folder whose journal tells what failed.")
        }
    }
}
