import TintypeCodecs
import TintypeFiles
import TintypeFilters
import TintypeRendering
import TintypeResources

/// Decodes, filters and encodes one photo into a temporary file, then renames it to the output's name.
///
/// The output is complete or absent; the original is only read. Safe to use from several threads at once.
public struct PhotoPipeline: Sendable {
    /// The filters, size, format, quality and metadata of the results.
    public package(set) var recipe: Recipe
    /// Limits for photos that are read; a photo beyond them fails.
    public internal(set) var limits: DecodeLimits
    /// Whether an existing file with the output's name is replaced.
    public package(set) var overwrites: Bool
    /// Whether an output gets the modification and access times of its photo's file. A photo without a file,
    /// such as a download, has none.
    public let keepsTimes: Bool
    /// The budget that concurrent photos share; nil sets no limit.
    public let memory: MemoryBudget?
    /// Whether the decodable part of a damaged photo is written beside the output's name. The photo fails all
    /// the same.
    public var salvagesDamaged = false
    /// Whether a photo succeeds if a file of the output's name already has the same bytes: another run of its shard has
    /// published it.
    public var acceptsEqualOutputs = false
    /// Which devices decode and encode photos themselves.
    public var deviceCodec = DeviceCodec.auto
    /// How outputs get onto their disks. A journal of them has the same one.
    public var diskSync = DiskSync(.each)
    /// The folder that outputs must lie in, whatever symbolic links are planted during the run; nil for any place.
    package var outputFolder: String?
    /// Registers every temporary file while it exists.
    public let temporaries: TemporaryFiles
    /// Counts pixels as they are encoded.
    public let progress: PixelCounter

    /// - Parameter recipe: what is done with every photo. For the other parameters, see the properties.
    public init(
        _ recipe: Recipe, limits: DecodeLimits = DecodeLimits(), overwrites: Bool = false,
        keepsTimes: Bool = false, memory: MemoryBudget? = nil,
        temporaries: TemporaryFiles = TemporaryFiles(),
        progress: PixelCounter = PixelCounter()
    ) {
        self.recipe = recipe
        self.limits = limits
        self.overwrites = overwrites
        self.keepsTimes = keepsTimes
        self.memory = memory
        self.temporaries = temporaries
        self.progress = progress
    }

    /// The result of one photo.
    public struct Output: Sendable {
        /// The encoded result; for standard output, the input image instead.
        public let image: EncodedImage
        /// Pixels of the input photo.
        public let pixelCount: Int
        /// Size of the result's file, in bytes.
        public let byteCount: Int
        /// Notes for the user, such as lost metadata.
        public let notes: [PhotoNote]
        /// Who has decoded the photo and encoded the output; nil if the photo's compressed bytes were copied.
        public let coding: CodingReport?
    }

    /// A complete output that has not got its name yet, as a journal records it.
    public struct Publication: Sendable {
        /// Pixels of the input photo.
        public let pixelCount: Int
        /// Hash of the photo's file.
        public let inputDigest: ContentDigest
        /// Size, modification time and hash of the output's file.
        public let file: FileFingerprint
        /// Path of the output's file until it gets its name.
        public let temporaryPath: String
    }

    /// Called before an output gets its name; refuses it by throwing.
    public typealias WillPublish = (Publication) throws -> Void

    /// Filters one photo.
    ///
    /// - Parameters:
    ///   - output: where the result is written; nil returns it as an image.
    ///   - willPublish: called once an output's file is complete. Bytes are hashed only if it is given.
    ///   - isCancelled: polled between strips and before an output gets its name.
    /// - Throws: `PhotoError`, `DeviceError`, `CodecError`, `Errno` or `CancellationError`, or `FilterError` for a setting
    ///   that is out of its range. No output is left.
    public func process(
        _ image: EncodedImage, to output: PhotoJob.Output? = nil, on device: any Device,
        willPublish: WillPublish? = nil, isCancelled: @escaping () -> Bool = { false }
    ) throws -> Output {
        let output = PhotoOutput(PhotoOutput.Place(output), overwrites: overwrites).announcing(willPublish)
        let poll = Poll(isCancelled: isCancelled)
        return try PhotoRun(
            self, image, [output], of: [recipe], on: device, isCancelled: { poll.isCancelled() }
        ).results()[0].get()
    }

    // @unchecked: a single output is rendered on the caller's thread.
    private struct Poll: @unchecked Sendable {
        let isCancelled: () -> Bool
    }
}
