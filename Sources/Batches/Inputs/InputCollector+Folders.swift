import SystemPackage
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypePhotos

/// The search of folders.
extension InputCollector {
    /// A folder being searched.
    struct Folder {
        let path: String
        /// Its path relative to the input folder; empty for the input folder itself.
        var below = ""
        /// Whether a glob includes the folder and thereby everything in it.
        var isIncluded = false
        /// The journals of this folder and of those above it, up to the input folder, each with its folder's
        /// path.
        var journals: [(path: String, journal: FolderJournals)] = []

        /// Whether a file is one of Tintype's outputs, as a journal tells.
        func hasMade(_ path: String) throws(JournalError) -> Bool {
            for (journalFolder, journal) in journals {
                let output = path.utf8.dropFirst(journalFolder.utf8.count + 1)
                if try journal.hasMade(String(Substring(output))) { return true }
            }
            return false
        }
    }

    /// Finds the photos among changed files and folders below an input folder, by the rules of a search.
    ///
    /// - Parameters:
    ///   - paths: begin with the folder's path. What does not exist any more is passed over.
    ///   - folder: as it was given to `collect`.
    public mutating func collect(_ paths: some Sequence<String>, below folder: String) {
        let changed = Dictionary(grouping: paths) { $0.parentFolder.exact }
        for (parent, paths) in changed.sorted(by: { $0.key < $1.key }) {
            guard let parent = self.folder(at: parent.text, below: folder) else { continue }
            addFolder(parent, only: Set(paths.map(\.lastPathComponent.exact)))
        }
    }

    /// - Returns: nil if a search of the input folder would not come to this one.
    private mutating func folder(at path: String, below root: String) -> Folder? {
        var folder = Folder(path: root)
        // The folder that a path is in has no slash at its end; one that the user named may.
        for name in (path.removingPrefix(root.trimmingTrailingSlashes) ?? path).pathParts() {
            let below = folder.below.appendingPathComponent(name)
            guard !FolderEntry.isHidden(name), !globs.excludes(below),
                let next = subfolder(
                    folder.path.appendingPathComponent(name), below,
                    isIncluded: folder.isIncluded || globs.includes(below), of: folder)
            else { return nil }
            folder = next
        }
        return FileIdentity(path: path) == nil ? nil : folder
    }

    /// - Parameter names: what is looked at; nil is everything.
    mutating func addFolder(_ folder: Folder, only names: Set<ExactText>? = nil) {
        let entries: [FolderEntry]
        do throws(Errno) {
            entries = try FolderEntry.list(folder.path)
        } catch {
            return fail(folder.path, .cannotRead(error))
        }
        var siblings = SiblingNames(entries)
        for entry in entries where !entry.isHidden && names?.contains(entry.name.exact) ?? true {
            let path = folder.path.appendingPathComponent(entry.name)
            let below = folder.below.appendingPathComponent(entry.name)
            guard !globs.excludes(below) else {
                passedOver.excludedCount += 1
                continue
            }
            guard entry.isUTF8 else {
                fail(path, .nameIsNotUTF8)
                continue
            }
            let isIncluded = folder.isIncluded || globs.includes(below)
            switch entry.kind {
            case .folder, .linkedFolder:
                guard mayEnter(path, entry.kind) else { continue }
                if let subfolder = subfolder(path, below, isIncluded: isIncluded, of: folder) {
                    addFolder(subfolder)
                }
            case .file where isIncluded && FileName(entry.name).isUnfinished: passedOver.addUnfinished()
            case .file where isIncluded: addEntry(path, in: folder, &siblings)
            case .hidden(let error): fail(path, .cannotRead(error))
            case .file: passedOver.excludedCount += 1
            case .other: continue
            }
        }
    }

    /// Whether a folder is searched, as far as links decide.
    private mutating func mayEnter(_ path: String, _ kind: FolderEntry.Kind) -> Bool {
        guard followsLinks else {
            if kind == .linkedFolder { passedOver.linkedFolderCount += 1 }
            return kind == .folder
        }
        // A real folder too: a link above it may have led here.
        guard FileIdentity.leadsBack(path) else { return true }
        passedOver.circleCount += 1
        return false
    }

    /// - Returns: nil if the folder is not searched.
    private mutating func subfolder(
        _ path: String, _ below: String, isIncluded: Bool, of parent: Folder
    ) -> Folder? {
        if skippedFolder != nil, isInOutputs(path) {
            passedOver.ownOutputCount += Self.photoCount(in: path)
            return nil
        }
        var folder = Folder(path: path, below: below, isIncluded: isIncluded)
        folder.journals = parent.journals
        do throws(JournalError) {
            if let journal = try FolderJournals(outputFolder: path) {
                folder.journals.append((path, journal))
            }
        } catch {
            fail(path, .journal(error))
            return nil
        }
        return folder
    }

    /// Whether a folder is the output folder, or a link has led into that.
    private func isInOutputs(_ path: String) -> Bool {
        if FileIdentity(path: path) == skippedFolder { return true }
        guard followsLinks, var real = path.resolvingLinks else { return false }
        while real != real.parentFolder {
            real = real.parentFolder
            if FileIdentity(path: real) == skippedFolder { return true }
        }
        return false
    }

    /// Adds a file of a folder, unless it is one of Tintype's outputs, or a RAW photo beside the camera's own photo.
    private mutating func addEntry(_ path: String, in folder: Folder, _ siblings: inout SiblingNames) {
        do throws(JournalError) {
            let name = FileName(path.lastPathComponent)
            if try folder.hasMade(path) || siblings.hasPhoto(for: name) {
                passedOver.ownOutputCount += 1
                return
            }
            if name.format == .raw, try hasTwin(name, in: folder, &siblings) {
                passedOver.addRAWTwin()
            } else {
                addFile(path, folder: folder.below, isNamed: false)
            }
        } catch {
            fail(path, .journal(error))
        }
    }

    /// Whether there is a photo of a RAW photo's name that the globs choose, and that Tintype has not made.
    private func hasTwin(
        _ name: FileName, in folder: Folder, _ siblings: inout SiblingNames
    ) throws(JournalError) -> Bool {
        for twin in siblings.twins(ofRAW: name) where !siblings.hasPhoto(for: FileName(twin)) {
            let below = folder.below.appendingPathComponent(twin)
            guard !globs.excludes(below), folder.isIncluded || globs.includes(below) else { continue }
            if try !folder.hasMade(folder.path.appendingPathComponent(twin)) { return true }
        }
        return false
    }

    /// Counts the photos in a folder and below it, by their extensions.
    private static func photoCount(in folder: String) -> Int {
        guard let entries = try? FolderEntry.list(folder) else { return 0 }
        return entries.reduce(0) { count, entry in
            switch entry.kind {
            case _ where entry.isHidden: count
            case .folder: count + photoCount(in: folder.appendingPathComponent(entry.name))
            case .file: count + (FileName(entry.name).looksLikePhoto ? 1 : 0)
            case .linkedFolder, .other, .hidden: count
            }
        }
    }
}
