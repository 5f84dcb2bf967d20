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
        try jobs(for: CollectionOfOne(photos).makeIterator(), count: photos.count)
    }

    /// Takes the photos of a collector over: of a million, there is no memory for two arrays.
    package func jobs(takingFrom collector: inout InputCollector) throws(OutputError) -> [PhotoJob] {
        let count = collector.photoCount
        return try jobs(for: collector.takePieces(), count: count)
    }

    private func jobs(
        for pieces: some IteratorProtocol<[InputPhoto]>, count: Int
    ) throws(OutputError) -> [PhotoJob] {
        var jobs: [PhotoJob] = []
        jobs.reserveCapacity(count)
        var pieces = pieces
        while let piece = pieces.next() {
            for photo in piece { jobs.append(try job(for: photo)) }
        }
        if destination == .standardOutput {
            let distinct = Set(jobs.map(\.photo.identity)).count
            guard distinct <= 1 else { throw .severalPhotosToStandardOutput(count: distinct) }
            return Array(jobs.prefix(1))
        }
        try removeRepeated(&jobs)
        try refuseInputs(jobs)
        try refuseExisting(jobs)
        return jobs
    }

    private func job(for photo: InputPhoto) throws(OutputError) -> PhotoJob {
        if destination == .standardOutput { return PhotoJob(photo: photo, output: .standardOutput) }
        let path = path(for: photo)
        guard Self.staysInside(path, photo) else { throw .unsafeName(output: path, input: photo.path) }
        return PhotoJob(photo: photo, output: .file(path: path))
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

    /// Keeps each output once.
    private func removeRepeated(_ jobs: inout [PhotoJob]) throws(OutputError) {
        var canonical = CanonicalPaths()
        // Keys, not paths, which would be most of what a run of a million photos keeps in memory.
        var owners: [OutputKey: Int] = [:]
        owners.reserveCapacity(jobs.count)
        var repeated: Set<Int> = []
        var collisions: [(output: Int, first: Int)] = []
        for index in jobs.indices {
            let key = OutputKey(canonical.path(of: jobs[index].output.path))
            guard let owner = owners[key] else {
                owners[key] = index
                continue
            }
            // The same photo, named twice, for the same output: once is enough.
            repeated.insert(index)
            if jobs[owner].photo.identity != jobs[index].photo.identity { collisions.append((index, owner)) }
        }
        if let first = collisions.first {
            throw .collision(
                output: jobs[first.output].output.path,
                inputs: [jobs[first.first].photo.path, jobs[first.output].photo.path],
                moreCount: collisions.count - 1)
        }
        if !repeated.isEmpty { jobs = jobs.indices.filter { !repeated.contains($0) }.map { jobs[$0] } }
    }

    private func refuseInputs(_ jobs: [PhotoJob]) throws(OutputError) {
        let existing = jobs.indices.compactMap { index in
            FileIdentity(path: jobs[index].output.path).map { (index, InputPhoto.Identity.file($0)) }
        }
        if existing.isEmpty { return }
        let inputs = Set(jobs.lazy.map(\.photo.identity))
        let clashes = existing.filter { inputs.contains($0.1) }.map { jobs[$0.0] }
        guard let first = clashes.first else { return }
        throw .ontoInput(output: first.output.path, input: first.photo.path, moreCount: clashes.count - 1)
    }

    private func refuseExisting(_ jobs: [PhotoJob]) throws(OutputError) {
        var (examples, count): ([String], Int) = ([], 0)
        for job in jobs {
            var status = stat()
            // The link itself, not what it leads to: a link to nothing is in the way too.
            guard lstat(job.output.path, &status) == 0 else { continue }
            if status.isFolder { throw .isFolder(job.output.path) }
            if count < 3 { examples.append(job.output.path) }
            count += 1
        }
        guard overwrites || hasJournal || count == 0 else { throw .exists(examples, count: count) }
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
