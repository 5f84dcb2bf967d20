import Codecs
import Compute
import Files
import Filters
import Foundation
import Imaging
import Resources
import SystemPackage

/// The path of one photo: file, decoder, device, encoder, temporary file, name.
///
/// The output is whole or absent, and the original is only read. Safe to use from several threads at once.
public struct PhotoPipeline: Sendable {
    public package(set) var recipe: Recipe
    public internal(set) var limits: DecodeLimits
    /// Whether a file that has the output's name is replaced.
    public package(set) var overwrites: Bool
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
    /// Threads that help while they have no photo; nil where each photo has the one thread that it is processed on.
    package var workers: PhotoWorkers?
    /// Called once a photo's result is whole, before a disk has taken it.
    package var didRender: @Sendable () -> Void = {}

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
        /// The result. What went to standard output is gone, so it is then the image that was read.
        public let image: EncodedImage
        /// Pixels of the photo as it was read.
        public let pixelCount: Int
        /// Size of the result's file, in bytes.
        public let byteCount: Int
        /// What is worth telling of the photo.
        public let notes: [PhotoNote]
    }

    /// An output that is whole, just before it gets its name: what a journal wants to know.
    public struct Publication: Sendable {
        public let pixelCount: Int
        /// SHA-256 of the photo's file, in hexadecimal.
        public let inputSHA256: String
        public let file: FileFingerprint
        public let temporaryPath: String
    }

    /// Is told of an output before it gets its name, and may refuse it by throwing.
    public typealias WillPublish = (Publication) throws -> Void

    /// Filters one photo.
    ///
    /// - Parameters:
    ///   - output: where the result is written; nil keeps it as an image.
    ///   - willPublish: called once an output's file is whole. Bytes are hashed for it as they are read and
    ///     written; without it they are not.
    ///   - isCancelled: asked between strips and before an output gets its name.
    /// - Throws: `PhotoError`, `DeviceError`, `CodecError`, `Errno`, or `CancellationError`; then there is no
    ///   output.
    public func process(
        _ image: EncodedImage, to output: PhotoJob.Output? = nil, on device: any Device,
        willPublish: WillPublish? = nil, isCancelled: () -> Bool = { false }
    ) throws -> Output {
        do {
            return try render(image, to: output, on: device, willPublish, isCancelled)
        } catch let error as CodecError where salvagesDamaged && error.isDamage {
            guard case .file(let path) = output else { throw error }
            throw try salvage(image, path, error, on: device, isCancelled)
        }
    }

    private func render(
        _ image: EncodedImage, to output: PhotoJob.Output?, on device: any Device,
        _ willPublish: WillPublish?, _ isCancelled: () -> Bool
    ) throws -> Output {
        let inputHash = willPublish.map { _ in ContentHash() }
        return try image.read(limits: limits, observer: inputHash) { reader, input in
            if isCancelled() { throw CancellationError() }
            let format = recipe.outputFormat(for: reader.format)
            let pixelCount = reader.geometry.pixelCount
            guard case .file(let path) = output else {
                let (spool, notes) = try spool(reader, input, on: device, isCancelled)
                let result = output == nil ? try EncodedImage(spool, format: format) : image
                if output != nil { try Self.send(spool) }
                return Output(
                    image: result, pixelCount: pixelCount, byteCount: spool.byteCount, notes: notes)
            }
            let hashes = inputHash.map { (input: $0, output: ContentHash()) }
            let file = try makeFile(at: path, permissions: input?.permissions)
            let notes = try encode(
                reader, on: device, to: file.file.number, observer: hashes?.output, isCancelled)
            if isCancelled() { throw CancellationError() }
            if hashes != nil { try reader.readToEnd() }
            try input?.checkUnchanged()
            if keepsTimes, let input { file.setModified(input.modified) }
            if let willPublish, let hashes {
                try willPublish(
                    Publication(
                        pixelCount: pixelCount, inputSHA256: hashes.input.hexadecimal,
                        file: FileFingerprint(file.file, sha256: hashes.output.hexadecimal),
                        temporaryPath: file.temporaryPath))
            }
            let byteCount = try file.file.status().byteCount
            try publish(file)
            return Output(
                image: EncodedImage(path: path, format: format), pixelCount: pixelCount,
                byteCount: byteCount, notes: notes)
        }
    }

    /// Decodes, filters and encodes a photo.
    ///
    /// - Returns: what is worth telling of the photo.
    private func encode(
        _ reader: PhotoReader, on device: any Device, to descriptor: Int32, observer: (any ByteObserver)?,
        _ isCancelled: () -> Bool
    ) throws -> [PhotoNote] {
        let path = try RenderPath(reader, recipe, to: descriptor, observer: observer)
        let sink = CountingSink(
            path.writer, rowCount: path.plan.geometry.height, pixelCount: reader.geometry.pixelCount,
            counter: progress)
        // A copy's writer observes the reading, which so stays on one thread.
        let source = ReadAheadSource(path.source, workers: path.isCopy ? nil : workers)
        do {
            defer { source.abandon() }
            try withMemory(for: path, of: reader, on: device, isCancelled) {
                try device.render(path.plan, from: source, to: sink, isCancelled: isCancelled)
                try path.writer.finish()
            }
        } catch {
            sink.takeBack()
            throw error
        }
        sink.complete()
        didRender()
        let losesLateMetadata = reader.hasLateMetadata && !path.isCopy && !recipe.stripsMetadata
        return path.notes + reader.notes + (losesLateMetadata ? [.lateMetadataLeftOut] : [])
    }
}

// MARK: Files

extension PhotoPipeline {
    private func makeFile(at path: String, permissions: FilePermissions?) throws(PhotoError) -> OutputFile {
        do throws(Errno) {
            return try OutputFile(at: path, permissions: permissions, temporaries: temporaries)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    private func publish(_ file: borrowing OutputFile) throws(PhotoError) {
        do throws(Errno) {
            try file.publish(overwrites: overwrites)
        } catch .fileExists where !overwrites {
            throw .outputExists(path: file.path)
        } catch {
            throw .cannotWrite(path: file.path, error)
        }
    }

    /// Renders into a file without a name: pipes too get nothing before everything is there.
    private func spool(
        _ reader: PhotoReader, _ input: WatchedFile?, on device: any Device, _ isCancelled: () -> Bool
    ) throws -> (SpoolFile, [PhotoNote]) {
        let file = try OpenFile.anonymous()
        let notes = try encode(reader, on: device, to: file.number, observer: nil, isCancelled)
        try input?.checkUnchanged()
        if isCancelled() { throw CancellationError() }
        return (try SpoolFile(file), notes)
    }

    private static func send(_ spool: SpoolFile) throws(PhotoError) {
        do throws(Errno) {
            try spool.file.rewind()
            try spool.file.readAll { bytes throws(Errno) in
                _ = try Errno.typed { try FileDescriptor.standardOutput.writeAll(bytes) }
            }
        } catch {
            throw .cannotWrite(path: "standard output", error)
        }
    }

    /// Writes what can be decoded of a damaged photo, under a name that says so: nobody shall take it for the output
    /// at `path`. A file that has this name stays.
    ///
    /// - Returns: what to fail with.
    private func salvage(
        _ image: EncodedImage, _ path: String, _ damage: CodecError, on device: any Device,
        _ isCancelled: () -> Bool
    ) throws -> any Error {
        var lenient = self
        lenient.limits.toleratesDamage = true
        lenient.overwrites = false
        let salvagedPath = FileName.damaged(path)
        do {
            _ = try lenient.render(image, to: .file(path: salvagedPath), on: device, nil, isCancelled)
        } catch is CodecError {
            return damage  // nothing can be decoded
        } catch PhotoError.outputExists {
            return PhotoError.damaged(damage, salvagedPath: salvagedPath, isNew: false)
        }
        return PhotoError.damaged(damage, salvagedPath: salvagedPath, isNew: true)
    }
}
