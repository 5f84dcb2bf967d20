import Foundation
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeLists
import TintypePhotos
import TintypeS3

extension InputCollector {
    /// Adds the photos of a bucket below a location, in the order of their keys. As in folders, hidden names are skipped.
    mutating func addObjects(_ location: S3Location) {
        let folder = location.asFolder
        var twins = RAWTwins()
        do {
            try S3Client(downloads).list(folder) { addObject($0, below: folder, &twins) }
        } catch {
            fail(location.text, PhotoError(error, path: location.text))
        }
        twins.finish(&self)
    }

    private mutating func addObject(
        _ object: S3ListedObject, below folder: S3Location, _ twins: inout RAWTwins
    ) {
        // Some programs store folders as empty objects.
        guard let below = folder.name(of: object.location), !below.isEmpty,
            below.utf8.last != UInt8(ascii: "/")
        else { return }
        // Empty parts are left out, as in paths. Two keys that differ in these only clash, unless outputs have an {id}.
        let parts = below.pathParts()
        if parts.contains(where: FolderEntry.isHidden) { return }
        let paths = (1...parts.count).map { parts.prefix($0).joined(separator: "/") }
        guard !paths.contains(where: globs.excludes(_:)), paths.contains(where: globs.includes(_:)) else {
            passedOver.excludedCount += 1
            return
        }
        let name = FileName(below.lastPathComponent)
        guard let format = name.format else { return passedOver.add(name) }
        let parent = parts.dropLast().joined(separator: "/")
        twins.add(
            InputPhoto(
                .address(object.location.url), folder: parent,
                name: OutputName.make(
                    for: ListEntry(name: nil, location: .url(object.location.url))),
                format: format, byteCount: object.byteCount, identity: .address(object.location.url),
                validator: object.eTag),
            named: parent.appendingPathComponent(name.stem), to: &self)
    }
}

/// Leaves RAW photos out that a bucket has beside a photo of the same name.
///
/// Keys are sorted, so those that begin with a name and a dot follow each other. They wait for the last of them.
private struct RAWTwins {
    private struct Found {
        let photo: InputPhoto
        /// The path, without the extension.
        let name: ExactText
    }

    private var waiting: [Found] = []
    private var beginning = ""

    /// - Parameter name: the path below the location, without the extension.
    mutating func add(_ photo: InputPhoto, named name: String, to collector: inout InputCollector) {
        if !"\(name).".utf8.starts(with: beginning.utf8) || waiting.isEmpty {
            finish(&collector)
            beginning = "\(name)."
        }
        waiting.append(Found(photo: photo, name: name.exact))
    }

    mutating func finish(_ collector: inout InputCollector) {
        let photos = Set(waiting.filter { $0.photo.format != .raw }.map(\.name))
        for found in waiting {
            if found.photo.format == .raw, photos.contains(found.name) {
                collector.passedOver.addRAWTwin()
            } else {
                collector.append(found.photo)
            }
        }
        waiting = []
    }
}
