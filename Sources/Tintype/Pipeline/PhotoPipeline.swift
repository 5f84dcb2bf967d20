import Codecs
import Compute
import Filters
import Foundation
import Imaging

/// The way of one photo: file, decoder, device, encoder, temporary file, name.
///
/// The output is whole or absent, and the original is only read. Safe to use from several threads at once.
public struct PhotoPipeline: Sendable {
    public internal(set) var recipe: Recipe
    public internal(set) var limits: DecodeLimits
    /// Whether a file that has the output's name is replaced.
    public internal(set) var overwrites: Bool
    /// Whether an output gets its photo's time of the last change.
    public let keepsTimes: Bool
    /// What photos at work share; nil where each takes what it needs.
    public let memory: MemoryBudget?
    /// Whether what can be decoded of a damaged photo is written beside the output that it does not get. The photo
    /// has failed all the same.
    public var salvagesDamaged = false
    /// Registers every temporary file while it exists.
    public let temporaries: TemporaryFiles
    /// Counts pixels while they are made.
    public let progress: PixelCounter
    /// Whose idle ones help; nil where each photo has the one thread that it is processed on.
    var workers: BatchWorkers?
    /// Called once a photo's result is whole, before a disk has taken it.
    var didRender: @Sendable () -> Void = {}

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

    /// What was read and written.
    public struct Output: Sendable {
        /// Pixels of the photo as it was read.
        public let pixelCount: Int
        /// Size of the file that was written.
        public let byteCount: Int
        /// What is worth telling of the photo.
        public let notes: [PhotoNote]
    }

    /// An output that is whole, just before it gets its name: what a journal wants to know.
    package struct Publication: Sendable {
        package let pixelCount: Int
        /// SHA-256 of the photo's file, in hexadecimal.
        package let inputSHA256: String
        package let file: FileFingerprint
        package let temporaryPath: String
    }

    /// Is told of an output before it gets its name, and may refuse it by throwing.
    package typealias WillPublish = (Publication) throws -> Void

    /// Filters one photo.
    ///
    /// - Parameters:
    ///   - willPublish: called once the output is whole, unless it goes to standard output. Bytes are hashed
    ///     for it as they are read and written; without it they are not.
    ///   - isCancelled: asked between strips and before the output gets its name.
    /// - Throws: `PhotoError`, `DeviceError`, `CodecError`, or `CancellationError`; then there is no output.
    public func process(_ job: PhotoJob, on device: any Device, isCancelled: () -> Bool) throws -> Output {
        try process(job, on: device, willPublish: nil, isCancelled: isCancelled)
    }

    package func process(
        _ job: PhotoJob, on device: any Device, willPublish: WillPublish?, isCancelled: () -> Bool
    ) throws -> Output {
        guard let image = EncodedImage(job.photo) else { throw PhotoError.noImage }
        return try process(
            image, to: job.output, on: device, willPublish: willPublish,
            isCancelled: isCancelled
        ).facts
    }

    /// What a photo's bytes come to on their way in and out.
    struct Hashes {
        let input = ContentHash()
        let output = ContentHash()
    }

    /// - Parameter input: the file that `reader` reads; nil where it is none of the user's.
    func process(
        _ reader: PhotoReader, _ input: WatchedFile?, to output: PhotoJob.Output, on device: any Device,
        _ announcement: (tell: WillPublish, hashes: Hashes)?, _ isCancelled: () -> Bool
    ) throws -> Output {
        let pixelCount = reader.geometry.pixelCount
        if isCancelled() { throw CancellationError() }
        switch output {
        case .file(let path):
            let output = try OutputFile(
                at: path, permissions: input?.permissions, temporaries: temporaries)
            let notes = try render(
                reader, on: device, to: output.descriptor.number, observer: announcement?.hashes.output,
                isCancelled)
            let byteCount = Int(try output.descriptor.status().st_size)
            if isCancelled() { throw CancellationError() }
            if announcement != nil { try reader.readToEnd() }
            try input?.checkUnchanged()
            if keepsTimes, let input { output.setModified(input.modified) }
            if let (tell, hashes) = announcement {
                let file = try FileFingerprint(
                    descriptor: output.descriptor.number, sha256: hashes.output.hexadecimal)
                try tell(
                    Publication(
                        pixelCount: pixelCount, inputSHA256: hashes.input.hexadecimal, file: file,
                        temporaryPath: output.temporaryPath))
            }
            try output.publish(overwrites: overwrites)
            return Output(pixelCount: pixelCount, byteCount: byteCount, notes: notes)
        case .standardOutput:
            // Whole or absent holds for pipes too: nothing goes out before everything is there.
            let spool = try Descriptor.anonymous()
            let notes = try render(reader, on: device, to: spool.number, observer: nil, isCancelled)
            let byteCount = Int(try spool.status().st_size)
            if isCancelled() { throw CancellationError() }
            try input?.checkUnchanged()
            try spool.rewind()
            try Self.send(spool)
            return Output(pixelCount: pixelCount, byteCount: byteCount, notes: notes)
        }
    }

    /// - Returns: what is worth telling of the photo.
    func render(
        _ reader: PhotoReader, on device: any Device, to descriptor: Int32, observer: (any ByteObserver)?,
        _ isCancelled: () -> Bool
    ) throws -> [PhotoNote] {
        let way = try RenderWay(reader, recipe, to: descriptor, observer: observer)
        let sink = CountingSink(
            way.writer, rowCount: way.plan.geometry.height, pixelCount: reader.geometry.pixelCount,
            counter: progress)
        // What copies looks on while the photo is read.
        let source = ReadAheadSource(way.source, workers: way.isCopy ? nil : workers)
        do {
            defer { source.abandon() }
            try withMemory(for: way, of: reader, on: device, isCancelled) {
                try device.render(way.plan, from: source, to: sink, isCancelled: isCancelled)
                try way.writer.finish()
            }
        } catch {
            sink.takeBack()
            throw error
        }
        sink.complete()
        didRender()
        let losesLateMetadata = reader.hasLateMetadata && !way.isCopy && !recipe.stripsMetadata
        return way.notes + reader.notes + (losesLateMetadata ? [.lateMetadataLeftOut] : [])
    }

    static func send(_ spool: borrowing Descriptor) throws(PhotoError) {
        do throws(SystemError) {
            try copyBytes(from: spool.number, to: STDOUT_FILENO)
        } catch {
            throw .writing("standard output", error)
        }
    }
}
