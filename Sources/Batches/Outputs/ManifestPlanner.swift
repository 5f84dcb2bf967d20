import Foundation
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeManifests
import TintypePhotos

/// Writes photos to a manifest as they are found, and names their outputs.
///
/// It keeps 24 bytes an output, plus the free space of a hash table, to see that no two outputs are the same.
public final class ManifestPlanner {
    /// Photos that are not in the manifest.
    public private(set) var failures: [InputFailure] = []
    /// Photos in the manifest.
    public var photoCount: Int { writer?.photoCount ?? 0 }
    /// Bytes of the photos that are files.
    public private(set) var byteCount = 0

    private var writer: ManifestWriter?
    private var writeError: ManifestError?
    private let planner: OutputPlanner
    private let root: String
    private let outputFolder: String
    private var paths = CanonicalPaths()
    /// A hash of the photo that an output belongs to.
    private var owners: [OutputKey: UInt64] = [:]

    /// - Parameters:
    ///   - planner: names the outputs, all of them below `header.outputFolder`.
    ///   - header: its paths are canonical.
    /// - Throws: `ManifestError`.
    public init(
        to path: String, _ header: ManifestHeader, _ planner: OutputPlanner, temporaries: TemporaryFiles
    ) throws(ManifestError) {
        root = header.root.appendingPathComponent("")
        outputFolder = header.outputFolder.appendingPathComponent("")
        self.planner = planner
        writer = try ManifestWriter(at: path, header, temporaries: temporaries)
    }

    /// Adds photos. What cannot be planned becomes a failure.
    public func add(_ photos: [InputPhoto]) {
        for photo in photos where writeError == nil {
            do {
                if let line = try line(of: photo) { try writer?.write(line) }
            } catch let error as ManifestError {
                writeError = error
            } catch {
                failures.append(InputFailure(path: photo.path, error: PhotoError(error, path: photo.path)))
            }
        }
    }

    /// Ends the manifest.
    ///
    /// - Throws: `ManifestError`, also for what could not be written before.
    public func finish() throws(ManifestError) {
        if let writeError { throw writeError }
        try writer.take()?.finish()
    }

    /// - Returns: nil for a photo that was given before.
    private func line(of photo: InputPhoto) throws(PhotoError) -> ManifestPhoto? {
        let input = try input(of: photo)
        let owner = ContentHash.number(of: input)
        var outputs: [String] = []
        for path in planner.paths(for: photo) {
            if let error = OutputPlanner.refusal(of: path, photo) { throw error }
            let canonical = S3Location.isLocation(path) ? path : paths.path(of: path)
            let output = canonical.removingPrefix(outputFolder)
            if let error = OutputPlanner.refusal(below: output, of: path) { throw error }
            outputs.append(output ?? "")
        }
        let keys = outputs.map(OutputKey.init)
        let known = keys.map { owners[$0] }
        if known.allSatisfy({ $0 == owner }) { return nil }
        if let clash = known.firstIndex(where: { $0 != nil }) {
            throw .outputClash(path: outputs[clash], with: "another photo", remedy: planner.clashRemedy)
        }
        if let clash = keys.indices.first(where: { keys[..<$0].contains(keys[$0]) }) {
            throw .outputClash(
                path: outputs[clash], with: "the same photo", remedy: "{output} in the outputs' templates")
        }
        for key in keys { owners[key] = owner }
        byteCount += photo.byteCount
        // Of an address, only a listed object's size is known.
        let isKnown = if case .file = photo.location { true } else { photo.byteCount > 0 }
        return ManifestPhoto(input: input, byteCount: isKnown ? photo.byteCount : nil, outputs: outputs)
    }

    private static var isOutput: PhotoError {
        .other("It lies in the output folder. \(Wording.otherOutput.text)")
    }

    /// The photo as a manifest names it.
    private func input(of photo: InputPhoto) throws(PhotoError) -> String {
        switch photo.location {
        case .file(let path):
            let canonical = paths.path(of: path)
            guard canonical.removingPrefix(outputFolder) == nil else { throw Self.isOutput }
            return canonical.removingPrefix(root) ?? canonical
        case .spooled: throw .other("Standard input has one run only: a manifest cannot name it.")
        case .address(let url):
            if let location = S3Location(url) {
                guard location.text.removingPrefix(outputFolder) == nil else { throw Self.isOutput }
                return location.text
            }
            guard photo.path == url.absoluteString else {
                throw .other(
                    "Its address has a password or a token, which a manifest must not hold. Give one without, and let the "
                        + "server trust the machines.")
            }
            return photo.path
        }
    }
}
