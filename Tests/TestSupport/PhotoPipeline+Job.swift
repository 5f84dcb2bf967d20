import TintypeCompute
import TintypePhotos

extension PhotoPipeline {
    /// Filters a photo of a run.
    package func process(
        _ job: PhotoJob, on device: any Device, willPublish: WillPublish? = nil,
        isCancelled: @escaping () -> Bool
    ) throws -> Output {
        guard let image = EncodedImage(job.photo) else { throw PhotoError.noImage }
        return try process(
            image, to: job.output, on: device, willPublish: willPublish, isCancelled: isCancelled)
    }
}
