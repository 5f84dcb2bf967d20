import Codecs
import Compute

extension PhotoPipeline {
    /// Filters an image that an operation holds.
    ///
    /// - Parameters:
    ///   - output: where the result is written; nil keeps it as an image.
    ///   - willPublish: called once an output's file is whole; may refuse it by throwing.
    ///   - isCancelled: asked between strips and before an output gets its name.
    /// - Returns: the result. What went to standard output is gone, so the image is then the one that was
    ///   read.
    /// - Throws: `PhotoError`, `DeviceError`, `CodecError`, or `CancellationError`; then there is no output.
    package func process(
        _ image: EncodedImage, to output: PhotoJob.Output? = nil, on device: any Device,
        willPublish: WillPublish? = nil, isCancelled: () -> Bool
    ) throws -> (image: EncodedImage, facts: Output) {
        do {
            return try processSound(image, to: output, on: device, willPublish, isCancelled)
        } catch let error as CodecError where salvagesDamaged && error.isDamage {
            guard case .file(let path) = output else { throw error }
            throw try salvage(image, path, error, on: device, isCancelled)
        }
    }

    private func processSound(
        _ image: EncodedImage, to output: PhotoJob.Output?, on device: any Device,
        _ willPublish: WillPublish?, _ isCancelled: () -> Bool
    ) throws -> (image: EncodedImage, facts: Output) {
        let announcement = willPublish.map { (tell: $0, hashes: Hashes()) }
        return try image.read(limits: limits, observer: announcement?.hashes.input) { reader, file in
            let format = recipe.outputFormat(for: reader.format)
            guard let output else { return try spool(reader, file, format, on: device, isCancelled) }
            let facts = try process(reader, file, to: output, on: device, announcement, isCancelled)
            guard case .file(let path) = output else { return (image, facts) }
            return (EncodedImage(path: path, format: format), facts)
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
            _ = try lenient.processSound(
                image, to: .file(path: salvagedPath), on: device, nil, isCancelled)
        } catch is CodecError {
            return damage  // nothing can be decoded
        } catch PhotoError.outputExists {
            return PhotoError.damaged("\(damage)", salvagedPath: salvagedPath, isNew: false)
        }
        return PhotoError.damaged("\(damage)", salvagedPath: salvagedPath, isNew: true)
    }

    private func spool(
        _ reader: PhotoReader, _ input: WatchedFile?, _ format: PhotoFormat, on device: any Device,
        _ isCancelled: () -> Bool
    ) throws -> (image: EncodedImage, facts: Output) {
        if isCancelled() { throw CancellationError() }
        let file = try SpoolFile.makeFile()
        let notes = try render(reader, on: device, to: file.number, observer: nil, isCancelled)
        try input?.checkUnchanged()
        if isCancelled() { throw CancellationError() }
        let spool = try SpoolFile(file)
        let facts = Output(
            pixelCount: reader.geometry.pixelCount, byteCount: spool.byteCount, notes: notes)
        return (try EncodedImage(spool, format: format), facts)
    }
}
