import Foundation
import Tintype
import TintypeDevices
import TintypeSessions

/// Makes the operations of a gallery's photos.
struct GallerySteps: Sendable {
    private let settings: Gallery.Settings
    private let recipe: GalleryRecipe
    private let pipeline: PhotoPipeline
    /// For the delays.
    private let queue = OperationQueue()

    /// - Parameter pipeline: of the recipe's chain.
    init(_ settings: Gallery.Settings, _ recipe: GalleryRecipe, _ pipeline: PhotoPipeline) {
        self.settings = settings
        self.recipe = recipe
        self.pipeline = pipeline
    }

    var photoSteps: PhotoSteps {
        var steps = PhotoSteps(download: { delayed(download($0)) }, filter: { delayed(filter($0)) })
        steps.decrypt = { decrypt($0).map(delayed) }
        return steps
    }

    private func download(_ record: PhotoRecord) -> ImageOperation {
        guard let downloader = settings.downloader else {
            preconditionFailure("photos with addresses need a downloader")
        }
        return DownloadOperation(
            record.url, through: downloader, name: record.name, requiresPhoto: settings.key == nil,
            logger: settings.logger)
    }

    private func decrypt(_ record: PhotoRecord) -> ImageOperation? {
        settings.key.map { DecryptOperation(key: $0, name: record.name, logger: settings.logger) }
    }

    private func filter(_ record: PhotoRecord) -> ImageOperation {
        var pipeline = pipeline
        if let item = record.job { pipeline.recipe = Recipe(recipe.chain(of: item)) }
        return FilterOperation(
            through: pipeline, on: recipe.devices, name: record.name, image: record.image,
            logger: settings.logger)
    }

    /// Delays an operation, if the settings say so.
    private func delayed(_ operation: ImageOperation) -> ImageOperation {
        guard settings.isSlow else { return operation }
        let delay = DelayOperation(name: "delay")
        operation.addDependency(delay)
        queue.addOperation(delay)
        return operation
    }
}
