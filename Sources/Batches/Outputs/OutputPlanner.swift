import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeJournals
import TintypePhotos

/// The jobs of a run, planned before any work starts.
public struct OutputPlan {
    /// The jobs in the order of the photos.
    public var jobs: [PhotoJob] = []
    /// Photos whose outputs are not possible.
    public var failures: [InputFailure] = []
    /// Photos skipped because their outputs exist.
    public var existing: [PhotoJob] = []

    public init() {}

    /// Whether there are no photos at all.
    public var isEmpty: Bool { jobs.isEmpty && failures.isEmpty && existing.isEmpty }
}

/// Assigns an output to every photo, and refuses outputs that would destroy files, before any work starts.
public struct OutputPlanner: Sendable {
    /// Where outputs go.
    public let destination: OutputDestination
    /// The outputs that every photo gets, at least one. Their recipes determine their extensions and, in some destinations,
    /// their names.
    public let outputs: [RecipeOutput]
    /// Whether existing files are replaced. Photos of the run never are.
    public let overwrites: Bool
    /// Whether a photo whose output exists is skipped.
    public let skipsExisting: Bool
    /// Whether a journal decides photo by photo about existing outputs.
    public let hasJournal: Bool
    /// Names of the outputs' recipes in templates.
    private let tags: [String]

    /// - Precondition: there is an output.
    public init(
        _ destination: OutputDestination, outputs: [RecipeOutput], overwrites: Bool,
        skipsExisting: Bool = false, hasJournal: Bool = false
    ) {
        precondition(!outputs.isEmpty, "a photo has an output")
        self.outputs = outputs
        self.destination = destination
        self.overwrites = overwrites
        self.skipsExisting = skipsExisting
        self.hasJournal = hasJournal
        tags = outputs.map(\.recipe.recipe.tag)
    }

    /// Plans a single output of every photo.
    public init(
        _ destination: OutputDestination, recipe: Recipe, overwrites: Bool, skipsExisting: Bool = false,
        hasJournal: Bool = false
    ) {
        self.init(
            destination, outputs: [RecipeOutput(recipe)], overwrites: overwrites,
            skipsExisting: skipsExisting, hasJournal: hasJournal)
    }

    /// Plans a run. A photo given twice gets one job. A photo fails alone if another photo has the same
    /// output, or if its output is one of the photos or a folder.
    ///
    /// - Throws: `OutputError` if the whole run must not start: outputs exist, or every output is one of the
    ///   photos.
    public func plan(for photos: [InputPhoto]) throws(OutputError) -> OutputPlan {
        try plan(for: CollectionOfOne(photos).makeIterator(), count: photos.count)
    }

    /// Plans a run and removes the photos from the collector: two arrays of a million photos take too much
    /// memory.
    public func plan(takingFrom collector: inout InputCollector) throws(OutputError) -> OutputPlan {
        let count = collector.photoCount
        return try plan(for: collector.takePieces(), count: count)
    }

    private func plan(
        for pieces: some IteratorProtocol<[InputPhoto]>, count: Int
    ) throws(OutputError) -> OutputPlan {
        var plan = OutputPlan()
        plan.jobs.reserveCapacity(count)
        var pieces = pieces
        while let piece = pieces.next() {
            for photo in piece { addJob(for: photo, to: &plan) }
        }
        if destination == .standardOutput {
            let distinct = Set(plan.jobs.map(\.photo.identity)).count
            guard distinct <= 1 else { throw .severalPhotosToStandardOutput(count: distinct) }
            plan.jobs.removeLast(max(0, plan.jobs.count - 1))
            return plan
        }
        removeRepeated(&plan)
        try refuseInputs(&plan)
        try refuseExisting(&plan)
        return plan
    }

    private func addJob(for photo: InputPhoto, to plan: inout OutputPlan) {
        if destination == .standardOutput {
            return plan.jobs.append(PhotoJob(photo: photo, output: .standardOutput))
        }
        for (variant, path) in paths(for: photo).enumerated() {
            if let error = Self.refusal(of: path, photo) {
                plan.failures.append(InputFailure(path: photo.path, error: error))
            } else {
                plan.jobs.append(PhotoJob(photo: photo, output: Self.output(at: path), variant: variant))
            }
        }
    }

    /// The output of a path, or of the text of an S3 location.
    static func output(at path: String) -> PhotoJob.Output {
        if S3Location.isLocation(path), let location = try? S3Location(path) { return .object(location) }
        return .file(path: path)
    }

    /// An output for `photo`, whose format may have become known since it was planned.
    func output(for photo: InputPhoto, variant: Int) -> PhotoJob.Output {
        // A planner that retries has one output: each photo has the name of the one to be retried.
        let paths = paths(for: photo)
        return Self.output(at: paths[paths.count == 1 ? 0 : variant])
    }

    /// The paths of all outputs for `photo`; of objects, the texts of their locations.
    package func paths(for photo: InputPhoto) -> [String] {
        zip(outputs, tags).map { path(for: photo, $0, tag: $1) }
    }

    private func path(for photo: InputPhoto, _ output: RecipeOutput, tag: String) -> String {
        let recipe = output.recipe.recipe, label = recipe.label, fileName = FileName(photo.name)
        let fileExtension = fileName.fileExtension(for: recipe.outputFormat(for: photo.format))
        let template = output.template ?? destination.template
        let below =
            template?.path([
                .dir: photo.folder, .stem: fileName.stem, .chain: label.isEmpty ? Recipe.emptyLabel : label,
                .recipe: tag, .ext: fileExtension, .name: "\(fileName.stem).\(fileExtension)",
                .id: template?.uses(.id) == true ? photo.locationID : "", .output: output.recipe.name ?? "",
            ]) ?? photo.folder.appendingPathComponent("\(fileName.stem).\(fileExtension)")
        switch destination {
        case .folder(let folder): return folder.appendingPathComponent(below)
        case .objects(let base, _): return base.appending(below).text
        case .besidePhoto where template == nil:
            let suffix = label.isEmpty ? "" : "-\(label)"
            let name = "\(fileName.stem)\(suffix).\(fileExtension)"
            return photo.ownFolder == "." && !photo.path.hasPrefix("./")
                ? name : photo.ownFolder.appendingPathComponent(name)
        case .file(let path) where template == nil: return path
        case .standardOutput where template == nil: return "-"
        case .template, .besidePhoto, .file, .standardOutput: return below
        }
    }

    /// The path of the photo's output, or of the first of several.
    public func path(for photo: InputPhoto) -> String { paths(for: photo)[0] }

    /// Why a path cannot be a photo's output; nil if it can. The photo's folder and name must not lead out of the output folder.
    static func refusal(of path: String, _ photo: InputPhoto) -> PhotoError? {
        let contributed = photo.folder.pathParts() + [photo.name]
        let reason: String
        if let dots = contributed.first(where: { $0 == ".." || $0 == "." }) {
            reason = "'\(dots)' in it"
        } else if path.utf8.contains(0) {
            reason = "a zero byte in it"
        } else if path.isEmpty || path.utf8.last == UInt8(ascii: "/") {
            reason = "no name at its end"
        } else if photo.name.utf8.contains(UInt8(ascii: "/")) {
            reason = "a slash in the photo's name"
        } else {
            return OutputPath.isReserved(path) ? .outputReserved(path: path) : nil
        }
        return .outputUnusable(path: path, reason: reason)
    }

    /// Why a path cannot be an output's.
    ///
    /// - Parameters:
    ///   - below: the path relative to the output folder, without links; nil if it lies elsewhere.
    ///   - path: for the message.
    static func refusal(below: String?, of path: String) -> PhotoError? {
        guard let below else { return .outputOutside(path: path) }
        return switch OutputPath.problem(of: below) {
        case nil: nil
        case .outside: .outputOutside(path: path)
        case .reserved: .outputReserved(path: path)
        }
    }

    /// Removes repeated jobs, and fails photos that share an output, or whose output a symbolic link leads out of the
    /// output folder or to a reserved name.
    private func removeRepeated(_ plan: inout OutputPlan) {
        let jobs = plan.jobs
        var canonical = CanonicalPaths()
        // With the slash that ends it.
        let folder = destination.folder.map {
            String(canonical.path(of: $0.appendingPathComponent("-")).dropLast())
        }
        var refused: [Int: PhotoError] = [:]
        // Keys instead of paths, which would take most of the memory of a run of a million photos.
        var owners: [OutputKey: Int] = [:]
        owners.reserveCapacity(jobs.count)
        var repeated: Set<Int> = []
        // For each photo that shares its output, another one with that output.
        var rivals: [Int: Int] = [:]
        for index in jobs.indices {
            let output = jobs[index].output
            let path = if case .file(let path) = output { canonical.path(of: path) } else { output.path }
            if let folder, case .file = output,
                let error = Self.refusal(below: path.removingPrefix(folder), of: output.path)
            {
                refused[index] = error
                continue
            }
            let key = OutputKey(path)
            guard let owner = owners[key] else {
                owners[key] = index
                continue
            }
            if jobs[owner].photo.isSame(as: jobs[index].photo),
                jobs[owner].variant == jobs[index].variant
            {
                // The same photo, given twice, with the same output.
                repeated.insert(index)
            } else {
                rivals[index] = owner
                if rivals[owner] == nil { rivals[owner] = index }
            }
        }
        for (index, rival) in rivals.sorted(by: { $0.key < $1.key }) {
            let clash = PhotoError.outputClash(
                path: jobs[index].output.path, with: jobs[rival].photo.path, remedy: clashRemedy)
            plan.failures.append(InputFailure(path: jobs[index].photo.path, error: clash))
        }
        plan.failures += refused.sorted { $0.key < $1.key }.map {
            InputFailure(path: jobs[$0.key].photo.path, error: $0.value)
        }
        plan.remove { repeated.contains($0) || rivals[$0] != nil || refused[$0] != nil }
    }

    /// An `--output` that gives these photos different outputs.
    package var clashRemedy: String {
        switch destination {
        case _ where outputs.contains { $0.template?.uses(.dir) == true }: "{id} in the output's template"
        case _ where outputs.contains { $0.template != nil }: "{dir} or {id} in the output's template"
        case .folder(let folder):
            Wording.template(folder.appendingPathComponent("{dir}/{stem}-{id}.{ext}")).text
        case .template, .objects(_, _?): "{id} in \(Wording.output.text)'s template"
        case .objects(let base, nil): Wording.template(base.appending("{dir}/{stem}-{id}.{ext}").text).text
        case .besidePhoto, .file, .standardOutput:
            Wording.template("out/{dir}/{stem}-{chain}-{id}.{ext}").text
        }
    }

    private func refuseInputs(_ plan: inout OutputPlan) throws(OutputError) {
        let jobs = plan.jobs
        let existing = jobs.indices.compactMap { index in
            jobs[index].output.identity.map { (index, $0) }
        }
        if existing.isEmpty { return }
        let inputs = Set(jobs.lazy.map(\.photo.identity))
        let clashes = existing.filter { inputs.contains($0.1) }.map(\.0)
        guard let first = clashes.first else { return }
        if skipsExisting {
            plan.existing += clashes.map { jobs[$0] }
        } else if clashes.count == jobs.count {
            throw .ontoInput(
                output: jobs[first].output.path, input: jobs[first].photo.path, moreCount: clashes.count - 1)
        } else {
            plan.failures += clashes.map {
                InputFailure(path: jobs[$0].photo.path, error: .outputIsInput(path: jobs[$0].output.path))
            }
        }
        let isClash = Set(clashes)
        plan.remove { isClash.contains($0) }
    }

    private func refuseExisting(_ plan: inout OutputPlan) throws(OutputError) {
        var existing: [Int] = []
        var folders: [Int] = []
        for (index, job) in plan.jobs.enumerated() {
            // The link itself, because a broken link also occupies the name.
            guard case .file(let path) = job.output, let status = try? Stat(link: path) else { continue }
            if status.isFolder { folders.append(index) } else { existing.append(index) }
        }
        if !overwrites, !hasJournal, !skipsExisting, !existing.isEmpty {
            throw .exists(existing.prefix(3).map { plan.jobs[$0].output.path }, count: existing.count)
        }
        for job in folders.map({ plan.jobs[$0] }) {
            plan.failures.append(
                InputFailure(path: job.photo.path, error: .outputIsFolder(path: job.output.path)))
        }
        // With a journal, the run decides about existing outputs later.
        let skipped = skipsExisting && !hasJournal ? existing : []
        plan.existing += skipped.map { plan.jobs[$0] }
        let isOut = Set(folders + skipped)
        if !isOut.isEmpty { plan.remove { isOut.contains($0) } }
    }
}

extension PhotoJob.Output {
    /// What a photo would have in common with the output if it were the output; nil for a file that is not there.
    var identity: InputPhoto.Identity? {
        switch self {
        case .file(let path): FileIdentity(path: path).map(InputPhoto.Identity.file)
        case .object(let location): .address(location.url)
        case .standardOutput: nil
        }
    }
}

extension OutputPlan {
    fileprivate mutating func remove(_ isOut: (Int) -> Bool) {
        guard jobs.indices.contains(where: isOut) else { return }
        jobs = jobs.indices.filter { !isOut($0) }.map { jobs[$0] }
    }
}
