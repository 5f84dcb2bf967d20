import Logging
import TintypeFilters
import TintypeJournals
import TintypeOperations
import TintypePhotos
import TintypeDevices

extension Batch {
    /// The settings of a run.
    public struct Settings: Sendable {
        /// What is done with every photo.
        public var pipeline: PhotoPipeline
        /// The recipes of the outputs that every photo gets, by `PhotoJob.variant`; at first the pipeline's, of a single one.
        public var recipes: [NamedRecipe]
        /// The devices that filter the photos.
        public var devices: DevicePool
        /// Needed if any photo has an address: it fails otherwise.
        public var downloader: PhotoDownloader?
        /// Decrypts what is downloaded; nil takes it as it is.
        public var key: DecryptionKey?
        /// The journal of the output folder; nil keeps none.
        public var journal: Journal?
        /// What has named the outputs, so that downloads get other names if they have other formats than their addresses say.
        /// Nil keeps the names: such photos are converted.
        public var planner: OutputPlanner?
        /// The paths of photos that have no job, such as failed ones: `planner` gives no output their names.
        public var otherInputs: [String] = []
        /// Writes the outputs that are objects; needed if any is one.
        public var objectStore: ObjectStore?
        /// Photos filtered at once; less than 1 counts as 1.
        public var concurrentPhotoCount: Int
        /// Whether a photo is skipped if its output exists and the journal forbids replacing it. Otherwise it
        /// fails.
        public var skipsExisting = false
        /// Logs operations at level debug, and problems that fail no photo as warnings.
        public var logger = Logger(label: "tintype")
        /// How long to wait for photos claimed by another run while that run finishes none. Chosen to exceed
        /// the time of a large photo or a slow download.
        var claimPatience = Duration.seconds(600)

        /// - Parameters:
        ///   - downloader: needed if any photo has an address.
        ///   - journal: the journal of the output folder; nil keeps none.
        ///   - concurrentPhotoCount: photos filtered at once; less than 1 counts as 1.
        public init(
            through pipeline: PhotoPipeline, on devices: DevicePool, downloader: PhotoDownloader? = nil,
            journal: Journal? = nil, concurrentPhotoCount: Int
        ) {
            self.pipeline = pipeline
            recipes = [NamedRecipe(nil, pipeline.recipe)]
            self.devices = devices
            self.downloader = downloader
            self.journal = journal
            self.concurrentPhotoCount = concurrentPhotoCount
        }
    }
}
