import Codecs
import Compute
import Files
import Filters
import Foundation
import Imaging
import Rendering
import Resources
import SystemPackage

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
    /// The folder that outputs must lie in, whatever symbolic links are planted during the run; nil for any place.
    package var outputFolder: String?
    /// Registers every temporary file while it exists.
    public let temporaries: TemporaryFiles
    /// Counts pixels as they are encoded.
    public let progress: PixelCounter
    /// Threads that help while they are idle; nil processes each photo on the caller's thread only.
    package var workers: PhotoWorkers?
    /// Whether outputs' files are temporary, so that they need not be durable, and replace what is there.
    package var isStaging = false
    /// Called once a photo is encoded, before its file is synchronised with the disk.
    package var didRender: @Sendable () -> Void = {}

    /// Called with the path and the plan of each complete output, nil for an image, before it gets its name; refuses it by
    /// throwing.
    package var approve: @Sendable (_ path: String?, _ plan: RenderPlan?) throws -> Void = { _, _ in }
    /// Called if an approved output has not got its name after all.
    package var withdraw: @Sendable (_ path: String) -> Void = { _ in }

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
    }

    /// A complete output that has not got its name yet, as a journal records it.
    public struct Publication: Sendable {
        /// Pixels of the input photo.
        public let pixelCount: Int
        /// SHA-256 of the photo's file, in hexadecimal.
        public let inputSHA256: String
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
        willPublish: WillPublish? = nil, isCancelled: () -> Bool = { false }
    ) throws -> Output {
        try recipe.chain.check()
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
                let (spool, notes) = try spool(
                    reader, image.byteCount(), input, on: device, isCancelled)
                try approve(nil, nil)
                let result = output == nil ? try EncodedImage(spool, format: format) : image
                if output != nil { try Self.send(spool) }
                return Output(
                    image: result, pixelCount: pixelCount, byteCount: spool.byteCount, notes: notes)
            }
            let hashes = inputHash.map { (input: $0, output: ContentHash()) }
            let file = try makeFile(at: path, permissions: input?.permissions)
            let (plan, notes) = try encode(
                reader, RenderDraft(reader, recipe), on: device, to: file.file.number,
                scratchFolder: path.parentFolder,
                observer: hashes?.output, isCancelled)
            if isCancelled() { throw CancellationError() }
            if hashes != nil { try reader.readToEnd() }
            try input?.checkUnchanged()
            if keepsTimes, let input { file.setTimes(accessed: input.accessed, modified: input.modified) }
            let byteCount = try publish(file, plan) {
                guard let willPublish, let hashes else { return }
                try willPublish(
                    Publication(
                        pixelCount: pixelCount, inputSHA256: hashes.input.hexadecimal,
                        file: FileFingerprint(file.file, sha256: hashes.output.hexadecimal),
                        temporaryPath: file.temporaryPath))
            }
            return Output(
                image: EncodedImage(path: path, format: format), pixelCount: pixelCount,
                byteCount: byteCount, notes: notes)
        }
    }

    /// Decodes, filters and encodes a photo.
    ///
    /// - Returns: what the device has rendered, and notes for the user.
    private func encode(
        _ reader: PhotoReader, _ draft: RenderDraft, on device: any Device, to descriptor: Int32,
        scratchFolder: String? = nil, observer: (any ByteObserver)?,
        _ isCancelled: () -> Bool
    ) throws -> (RenderPlan, [PhotoNote]) {
        let path = try RenderPath(
            reader, draft, to: descriptor, scratchFolder: scratchFolder, observer: observer)
        let sink = CountingSink(
            path.sink, rowCount: path.plan.outputGeometry.height, pixelCount: reader.geometry.pixelCount,
            counter: progress)
        if let workers { reader.use(workers) }
        // A copy's writer observes what the reader reads, so both must stay on one thread.
        let source = ReadAheadSource(path.source, workers: path.isCopy ? nil : workers)
        do {
            defer { source.abandon() }
            let needs = PhotoMemory(reader, path, on: device, readsAhead: workers != nil && !path.isCopy)
            try withMemory(needs, isCancelled) {
                try device.render(path.plan, from: source, to: sink, isCancelled: isCancelled)
                try path.sink.finish(isCancelled: isCancelled)
            }
        } catch {
            sink.takeBack()
            throw error
        }
        sink.complete()
        didRender()
        return (path.plan, path.notes(reader, recipe))
    }
}

// MARK: Files

extension PhotoPipeline {
    func makeFile(at path: String, permissions: FilePermissions?) throws(PhotoError) -> OutputFile {
        do throws(Errno) {
            return try OutputFile(
                at: path, inside: isStaging ? nil : outputFolder, permissions: permissions,
                temporaries: temporaries)
        } catch .tooManySymbolicLinkLevels where outputFolder != nil && !isStaging {
            throw .outputOutside(path: path)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    /// Gives a complete output its name, if it is approved.
    ///
    /// - Parameters:
    ///   - plan: what a device has rendered; nil if none has.
    ///   - announce: called before it gets its name; refuses it by throwing.
    /// - Returns: the file's size in bytes.
    func publish(
        _ file: borrowing OutputFile, _ plan: RenderPlan?, announcing announce: () throws -> Void
    ) throws -> Int {
        try approve(file.path, plan)
        do {
            try announce()
            let byteCount = try file.file.status().byteCount
            try publish(file)
            return byteCount
        } catch {
            withdraw(file.path)
            throw error
        }
    }

    private func publish(_ file: borrowing OutputFile) throws(PhotoError) {
        do throws(Errno) {
            try file.publish(overwrites: overwrites || isStaging, isDurable: !isStaging)
        } catch .fileExists where acceptsEqualOutputs {
            guard file.hasContentOfItsName else { throw .outputRefused(path: file.path, .otherBytes) }
        } catch .fileExists where !overwrites {
            throw .outputExists(path: file.path)
        } catch {
            throw .cannotWrite(path: file.path, error)
        }
    }

    /// Renders into an unnamed file, so that standard output gets complete results only.
    ///
    /// - Parameter inputByteCount: size of the photo's file.
    private func spool(
        _ reader: PhotoReader, _ inputByteCount: Int, _ input: WatchedFile?, on device: any Device,
        _ isCancelled: () -> Bool
    ) throws -> (SpoolFile, [PhotoNote]) {
        let draft = try RenderDraft(reader, recipe)
        let file = try OpenFile.temporary(for: inputByteCount + draft.mostPixelBytes)
        let notes: [PhotoNote]
        do {
            (_, notes) = try encode(reader, draft, on: device, to: file.number, observer: nil, isCancelled)
        } catch CodecError.writeFailed(let error) {
            throw PhotoError.temporaryFile(folder: NSTemporaryDirectory(), error)
        }
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

    /// Writes the decodable part of a damaged photo under a name that marks it as damaged. An existing file
    /// with that name stays.
    ///
    /// - Returns: the error to throw.
    func salvage(
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
