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
        do {
            try S3Client(downloads).list(folder) { addObject($0, below: folder) }
        } catch {
            fail(location.text, PhotoError(error, path: location.text))
        }
    }

    private mutating func addObject(_ object: S3ListedObject, below folder: S3Location) {
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
        append(
            InputPhoto(
                .address(object.location.url), folder: parts.dropLast().joined(separator: "/"),
                name: OutputName.make(
                    for: ListEntry(name: nil, location: .url(object.location.url))),
                format: format, byteCount: object.byteCount, identity: .address(object.location.url),
                validator: object.eTag))
    }
}
