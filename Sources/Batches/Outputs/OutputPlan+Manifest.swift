import TintypeFiles
import TintypeJournals
import TintypeManifests
import TintypePhotos

extension OutputPlan {
    /// Plans a shard of a manifest. A photo that is gone, or whose size has changed, is a failure.
    ///
    /// - Parameters:
    ///   - outputFolder: stands for the manifest's own; nil is that.
    ///   - root: stands for the manifest's own; nil is that.
    ///   - outputCount: the outputs that the recipe makes of each photo.
    /// - Throws: `ManifestError`.
    public init(
        _ manifest: Manifest, _ shard: Shard, outputFolder: String? = nil, root: String? = nil,
        outputCount: Int
    ) throws(ManifestError) {
        let folder = outputFolder ?? manifest.header.outputFolder
        let deal = try ShardDeal(manifest, among: shard.count)
        var plan = OutputPlan()
        try manifest.forEachPhoto(where: { deal.has(shard, photo: $0) }) {
            line, index throws(ManifestError) in
            guard line.outputs.count == outputCount else {
                throw .line(
                    path: manifest.path, index + 2, "The recipe makes \(outputCount) outputs of a photo.")
            }
            let location = manifest.location(of: line, root: root)
            do {
                let photo = try InputPhoto(planned: line, at: location)
                for (variant, output) in line.outputs.enumerated() {
                    let path = Journal.path(of: output, in: folder)
                    plan.jobs.append(
                        PhotoJob(photo: photo, output: OutputPlanner.output(at: path), variant: variant))
                }
            } catch {
                plan.failures.append(InputFailure(path: location, error: PhotoError(error, path: location)))
            }
        }
        self = plan
    }
}

extension InputPhoto {
    fileprivate init(planned line: ManifestPhoto, at location: String) throws {
        let output = line.outputs[0]
        // An address's format is that of its output, which was named after it.
        try self.init(at: location, folder: output.parentFolder, name: output.lastPathComponent)
        guard !line.isAddress, let planned = line.byteCount, planned != byteCount else { return }
        throw PhotoError.other(
            "The file has \(byteCount) bytes, and had \(planned) when it was planned. Plan again.")
    }
}
