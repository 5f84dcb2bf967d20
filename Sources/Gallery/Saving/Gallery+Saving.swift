import Foundation
import Tintype

/// Saving photos, when the page asks for it.
extension Gallery {
    /// - Throws: `FilterError`, `GalleryError`.
    func saveFolders(for request: SaveRequest) async throws -> SaveFoldersMessage {
        let recipe = try request.recipe.recipe(reading: files)
        return try await threads.runIfActive { [self] in
            SaveFoldersMessage(
                folders: settings.saveFolders.map { SaveFolder(path: $0).message(for: recipe) },
                count: request.items(of: photoCount).count)
        }
    }

    /// - Throws: also `OutputError`, `DeviceError`, `ProcessLimitError`; nothing is saved then.
    func save(_ request: SaveRequest) async throws {
        let recipe = try request.recipe.recipe(reading: files)
        let own = self.recipe.withLock { $0.own }
        guard let number = request.folder, settings.saveFolders.indices.contains(number) else {
            throw GalleryError.noSuchFolder
        }
        let template = try (request.names ?? .photo).template()
        try await threads.runIfActive { [self] in
            var folder = SaveFolder(path: settings.saveFolders[number])
            if request.isBeside ?? false { folder = try folder.beside(recipe) }
            let all = allPhotos
            let photos = try request.items(of: all.count).map { item in
                let ownRecipe = try (own[item]?.chain).map {
                    try request.recipe.recipe($0.text, reading: files)
                }
                return SaveRun.Order.Photo(
                    photo: all[item], ownRecipe: ownRecipe == recipe ? nil : ownRecipe,
                    isKnown: own[item] != nil)
            }
            guard recipe != Recipe(FilterChain([])) || photos.contains(where: { $0.ownRecipe != nil }) else {
                throw GalleryError.nothingChanges
            }
            let order = SaveRun.Order(
                photos: photos, recipe: recipe, folder: folder.path,
                template: template, replaces: request.replaces ?? false)
            guard !order.photos.isEmpty else { throw GalleryError.noPhotos }
            try begin(order)
        }
    }

    private func begin(_ order: SaveRun.Order) throws {
        let run = SaveRun(order)
        try saving.withLock { saving in
            guard saving?.isAtWork != true else { throw GalleryError.isSaving }
            guard !work.withLock({ $0.hasEnded }) else { throw CancellationError() }
            saving = run
        }
        do {
            let (device, own) = recipe.withLock { ($0.device, $0.own) }
            let devices = try settings.makeDevices(device, own.adding(to: order.recipe.chain))
            var pipeline = pipeline(for: order.recipe)
            pipeline.overwrites = order.replaces
            pipeline.outputFolder = order.folder
            try run.start(order, through: pipeline, on: devices, settings)
        } catch {
            run.giveUp()
            saving.withLock { saving in if saving === run { saving = nil } }
            throw error
        }
    }

    func perform(_ action: SaveActionRequest.Action) {
        guard let run = saving.withLock({ $0 }) else { return }
        switch action {
        case .pause: run.pause(true)
        case .resume: run.pause(false)
        case .stop: run.stop()
        }
    }

    /// One photo as it would be saved.
    ///
    /// - Throws: `FilterError`, `GalleryError`, `PhotoError`.
    func file(of item: Int, _ request: FileRequest) async throws -> (name: String, data: PictureData) {
        let own = self.recipe.withLock { $0.own[item]?.chain }
        let recipe = try request.recipe.recipe(own?.text, reading: files)
        let template = try (request.names ?? .photo).template()
        guard item < session.records.count, let image = session.records[item].snapshot.original else {
            throw GalleryError.notThere
        }
        let pipeline = pipeline(for: recipe)
        let made = try await threads.runIfActive { try pipeline.process(image, on: SIMDDevice()).image }
        // A photo with filters of its own is named as the others.
        let named = NamedRecipe(nil, try request.recipe.recipe(reading: files))
        let planner = OutputPlanner(
            .folder("."), outputs: [RecipeOutput(named, template: template)],
            overwrites: false)
        let format = made.format ?? .usual
        let stem = FileName(planner.path(for: allPhotos[item]).lastPathComponent).stem
        return (
            "\(stem).\(format.fileExtension)",
            try await PictureData(reading: made, format: format, on: threads)
        )
    }
}
