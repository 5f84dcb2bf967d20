import Codecs
import Compute
import Filters
import Foundation
import Imaging

/// The way of one photo: file, decoder, device, encoder, temporary file, name.
///
/// The output is whole or absent, and the original is only read. Safe to use from several threads at once.
public struct PhotoPipeline: Sendable {
    public let recipe: Recipe
    public let limits: DecodeLimits
    /// Whether a file that has the output's name is replaced.
    public let overwrites: Bool
    /// Registers every temporary file while it exists.
    public let temporaries: TemporaryFiles
    /// Counts pixels while they are made.
    public let progress: PixelCounter

    public init(
        _ recipe: Recipe, limits: DecodeLimits = DecodeLimits(), overwrites: Bool = false,
        temporaries: TemporaryFiles = TemporaryFiles(), progress: PixelCounter = PixelCounter()
    ) {
        self.recipe = recipe
        self.limits = limits
        self.overwrites = overwrites
        self.temporaries = temporaries
        self.progress = progress
    }

    /// What was read and written.
    public struct Output: Sendable {
        /// Pixels of the photo as it was read.
        public let pixelCount: Int
        /// Size of the file that was written.
        public let byteCount: Int
    }

    /// Filters one photo.
    ///
    /// - Parameter isCancelled: asked between strips and before the output gets its name.
    /// - Throws: `PhotoError`, `DeviceError`, `CodecError`, or `CancellationError`; then there is no output.
    public func process(_ job: PhotoJob, on device: any Device, isCancelled: () -> Bool) throws -> Output {
        switch job.photo.location {
        case .file(let path):
            return try process(try Descriptor(reading: path), job, device, isCancelled)
        case .spooled(let input):
            try input.descriptor.rewind()
            return try process(input.descriptor, job, device, isCancelled)
        }
    }

    private func process(
        _ input: borrowing Descriptor, _ job: PhotoJob, _ device: any Device, _ isCancelled: () -> Bool
    ) throws -> Output {
        let reader = try PhotoReader(fileDescriptor: input.number, limits: limits)
        return try process(reader, to: job.output, on: device, isCancelled)
    }

    func process(
        _ reader: PhotoReader, to output: PhotoJob.Output, on device: any Device, _ isCancelled: () -> Bool
    ) throws -> Output {
        let pixelCount = reader.geometry.pixelCount
        if isCancelled() { throw CancellationError() }
        switch output {
        case .file(let path):
            let output = try OutputFile(at: path, temporaries: temporaries)
            try render(reader, on: device, to: output.descriptor.number, isCancelled)
            let byteCount = Int(try output.descriptor.status().st_size)
            if isCancelled() { throw CancellationError() }
            try output.publish(overwrites: overwrites)
            return Output(pixelCount: pixelCount, byteCount: byteCount)
        case .standardOutput:
            // Whole or absent holds for pipes too: nothing goes out before everything is there.
            let spool = try Descriptor.anonymous()
            try render(reader, on: device, to: spool.number, isCancelled)
            let byteCount = Int(try spool.status().st_size)
            if isCancelled() { throw CancellationError() }
            try spool.rewind()
            try Self.send(spool)
            return Output(pixelCount: pixelCount, byteCount: byteCount)
        }
    }

    func render(
        _ reader: PhotoReader, on device: any Device, to descriptor: Int32, _ isCancelled: () -> Bool
    ) throws {
        let way = try RenderWay(reader, recipe)
        let writer = try PhotoWriter(fileDescriptor: descriptor, settings: way.writerSettings)
        let sink = CountingSink(
            writer, rowCount: way.plan.geometry.height, pixelCount: reader.geometry.pixelCount,
            counter: progress)
        do {
            try device.render(way.plan, from: way.source, to: sink, isCancelled: isCancelled)
            try writer.finish()
        } catch {
            sink.takeBack()
            throw error
        }
        sink.complete()
    }

    static func send(_ spool: borrowing Descriptor) throws(PhotoError) {
        do throws(SystemError) {
            try copyBytes(from: spool.number, to: STDOUT_FILENO)
        } catch {
            throw .writing("standard output", error)
        }
    }
}
