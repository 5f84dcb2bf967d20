import Codecs
import Foundation

/// Gives every photo its output, and finds what would be lost by it, before any work starts.
package struct OutputPlanner {
    package let destination: OutputDestination
    package let recipe: Recipe
    package let overwrites: Bool
    /// Whether a journal decides, photo by photo, what becomes of outputs that exist.
    package let hasJournal: Bool

    package init(
        _ destination: OutputDestination, recipe: Recipe, overwrites: Bool, hasJournal: Bool = false
    ) {
        self.destination = destination
        self.recipe = recipe
        self.overwrites = overwrites
        self.hasJournal = hasJournal
    }

    /// The jobs, in the photos' order; a photo that was named twice gets one.
    ///
    /// - Throws: `OutputError` where two photos meet in one output, where an output is one of the photos, and
    ///   where a file is in the way.
    package func jobs(for photos: [InputPhoto]) throws(OutputError) -> [PhotoJob] {
        if destination == .standardOutput {
            let distinct = Set(photos.map(\.identity)).count
            guard distinct <= 1 else { throw .severalPhotosToStandardOutput(count: distinct) }
            return photos.prefix(1).map { PhotoJob(photo: $0, output: .standardOutput) }
        }
        var paths: [String] = []
        for photo in photos {
            let path = path(for: photo)
            guard Self.staysInside(path, photo) else { throw .unsafeName(output: path, input: photo.path) }
            paths.append(path)
        }
        let kept = try distinct(photos, paths)
        try refuseInputs(photos, paths, kept)
        try refuseExisting(kept.map { paths[$0] })
        return kept.map { PhotoJob(photo: photos[$0], output: .file(path: paths[$0])) }
    }

    /// Where `photo`'s result goes.
    package func path(for photo: InputPhoto) -> String {
        let fileName = FileName(photo.name)
        let fileExtension = fileName.fileExtension(for: recipe.outputFormat(for: photo.format))
        let label = recipe.label
        switch destination {
        case .besidePhoto:
            let suffix = label.isEmpty ? "" : "-\(label)"
            let name = "\(fileName.stem)\(suffix).\(fileExtension)"
            return photo.ownFolder == "." && !photo.path.hasPrefix("./")
                ? name : photo.ownFolder.appendingPathComponent(name)
        case .folder(let folder):
            return folder.appendingPathComponent(photo.folder)
                .appendingPathComponent("\(fileName.stem).\(fileExtension)")
        case .template(let template):
            return template.path([
                .dir: photo.folder, .stem: fileName.stem, .chain: label.isEmpty ? "converted" : label,
                .ext: fileExtension, .name: "\(fileName.stem).\(fileExtension)",
            ])
        case .file(let path): return path
        case .standardOutput: return "-"
        }
    }

    /// Whether what the photo contributes to `path` is plain names.
    private static func staysInside(_ path: String, _ photo: InputPhoto) -> Bool {
        let contributed = photo.folder.split(separator: "/") + [photo.name[...]]
        return !contributed.contains("..") && !contributed.contains(".") && !photo.name.contains("/")
            && !path.hasSuffix("/") && !path.isEmpty && !path.contains("\0")
    }

    /// Indices of the photos to keep: each output once.
    private func distinct(_ photos: [InputPhoto], _ paths: [String]) throws(OutputError) -> [Int] {
        var canonical = CanonicalPaths()
        var owners: [String: Int] = [:]
        var kept: [Int] = []
        var collisions: [(output: Int, first: Int)] = []
        for index in photos.indices {
            let key = canonical.path(of: paths[index])
            guard let owner = owners[key] else {
                owners[key] = index
                kept.append(index)
                continue
            }
            // The same photo, named twice, for the same output: once is enough.
            if photos[owner].identity != photos[index].identity { collisions.append((index, owner)) }
        }
        guard let first = collisions.first else { return kept }
        throw .collision(
            output: paths[first.output], inputs: [photos[first.first].path, photos[first.output].path],
            moreCount: collisions.count - 1)
    }

    private func refuseInputs(
        _ photos: [InputPhoto], _ paths: [String], _ kept: [Int]
    ) throws(OutputError) {
        let inputs = Set(photos.map(\.identity))
        let clashes = kept.filter { index in
            FileIdentity(path: paths[index]).map { inputs.contains(.file($0)) } ?? false
        }
        guard let first = clashes.first else { return }
        throw .ontoInput(output: paths[first], input: photos[first].path, moreCount: clashes.count - 1)
    }

    private func refuseExisting(_ paths: [String]) throws(OutputError) {
        var existing: [String] = []
        for path in paths {
            var status = stat()
            // The link itself, not what it leads to: a link to nothing is in the way too.
            guard lstat(path, &status) == 0 else { continue }
            if status.isFolder { throw .isFolder(path) }
            existing.append(path)
        }
        guard overwrites || hasJournal || existing.isEmpty else {
            throw .exists(Array(existing.prefix(3)), count: existing.count)
        }
    }
}

/// One spelling for every path, whether it exists or not.
struct CanonicalPaths {
    private var folders: [String: String] = [:]

    /// `path` with its folder's links resolved as far as the folder exists.
    mutating func path(of path: String) -> String {
        let name = path.lastPathComponent
        let folder = path.dropLast(name.count)
        return resolve(folder.isEmpty ? "." : String(folder).trimmingTrailingSlashes) + "/" + name
    }

    private mutating func resolve(_ folder: String) -> String {
        if let known = folders[folder] { return known }
        let resolved: String
        if let real = realpath(folder, nil) {
            resolved = String(cString: real)
            free(real)
        } else {
            resolved = folder == "/" || folder == "." ? folder : path(of: folder)
        }
        folders[folder] = resolved
        return resolved
    }
}
