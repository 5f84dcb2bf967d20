import TintypeFilters
import TintypeJournals
import TintypeOperations
import TintypePhotos
import TintypeSessions

/// The operations of a record's photo, and what decides on its outputs.
extension Batch {
    func download(_ record: PhotoRecord) -> any ImageDataProvider {
        guard let downloader = settings.downloader else {
            return FailedOperation(
                .other("The photo has an address, and the batch no downloader. Give its settings one."),
                name: record.name, logger: settings.logger)
        }
        return DownloadOperation(
            record.url, through: downloader, name: record.name, requiresPhoto: settings.key == nil,
            devices: settings.devices, entries: entries(of: record), logger: settings.logger)
    }

    func decrypt(_ record: PhotoRecord) -> (any ImageDataProvider)? {
        let entries = entries(of: record)
        // The download has asked them. Not again here: they may ask a server, and this is the main queue.
        guard let key = settings.key, entries.isEmpty || entries.contains(where: { $0.verdict?.skip == nil })
        else { return nil }
        return DecryptOperation(key: key, name: record.name, entries: entries, logger: settings.logger)
    }

    func filter(_ record: PhotoRecord) -> any ImageDataProvider {
        let items = members(of: record)
        let parts = items.map { item in
            FilterOperation.Part(
                recipe: jobs[item].variant, output: jobs[item].output, naming: naming(of: item),
                entry: entry(of: item))
        }
        var pipeline = settings.pipeline
        // Without a journal, outputs that are made again are replaced unasked.
        if isRemaking { pipeline.overwrites = true }
        return FilterOperation(
            through: pipeline, of: recipes(of: items), parts, on: settings.devices, name: record.name,
            image: record.image, workers: workers,
            logger: settings.logger)
    }

    /// Those of all of a photo's outputs.
    private func recipes(of items: [Int]) -> [Recipe] {
        settings.recipes.enumerated().map { variant, named in
            let own = items.first { jobs[$0].variant == variant }.flatMap { jobs[$0].ownRecipe }
            return recipe(own ?? named.recipe, of: jobs[items[0]].photo)
        }
    }

    /// What names a download's output for the photo's own format; nil if the output's format or its name is settled.
    private func naming(of item: Int) -> OutputNaming? {
        let job = jobs[item]
        guard let formatNames, isNamedByFormat(job) else { return nil }
        return { try formatNames.output(of: job, having: $0) }
    }

    private func isNamedByFormat(_ job: PhotoJob) -> Bool {
        formatNames != nil && FormatNames.concerns(job, settings.recipes[job.variant].recipe)
    }

    /// Where names are kept, a download's output has the format of the address's extension.
    private func recipe(_ recipe: Recipe, of photo: InputPhoto) -> Recipe {
        guard formatNames == nil, case .address = photo.location else { return recipe }
        var recipe = recipe
        recipe.format = recipe.outputFormat(for: photo.format)
        return recipe
    }

    /// What decides on the photo's outputs; empty without a journal.
    private func entries(of record: PhotoRecord) -> [any OutputEntry] {
        members(of: record).compactMap(entry)
    }

    private func entry(of item: Int) -> (any OutputEntry)? {
        if let entry = entries[item] { return entry }
        let entry = makeEntry(of: jobs[item])
        entries[item] = entry
        return entry
    }

    private func makeEntry(of job: PhotoJob) -> (any OutputEntry)? {
        let alternatives = isNamedByFormat(job) ? formatNames?.alternatives(to: job) ?? [] : []
        switch job.output {
        case .file(let path):
            guard let journal = settings.journal else { return nil }
            return JournalEntry(
                journal, job.photo, output: path, alternatives: alternatives, recipe: recipeText,
                own: job.own,
                variant: settings.recipes[job.variant].name,
                overwrites: settings.pipeline.overwrites, skipsExisting: settings.skipsExisting,
                logger: settings.logger)
        case .object(let location):
            guard let store = settings.objectStore else {
                preconditionFailure("outputs that are objects need a store")
            }
            return ObjectEntry(
                store, job.photo, output: location, alternatives: alternatives, recipe: recipeText,
                overwrites: settings.pipeline.overwrites, skipsExisting: settings.skipsExisting,
                isSuspect: isRemaking)
        case .standardOutput: return nil
        }
    }
}
