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
        let announcement = willPublish.map { (tell: $0, hashes: Hashes()) }
        return try image.read(limits: limits, observer: announcement?.hashes.input) { reader, file in
            let format = recipe.outputFormat(for: reader.format)
            guard let output else { return try spool(reader, file, format, on: device, isCancelled) }
            let facts = try process(reader, file, to: output, on: device, announcement, isCancelled)
            guard case .file(let path) = output else { return (image, facts) }
            return (EncodedImage(path: path, format: format), facts)
        }
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
