import Dispatch
import SystemPackage
import TintypeFiles
import TintypeLocking

/// Watches folders, and all folders below them, for photos that are written.
///
/// Hidden folders and the output folder are left out. Changes are collected in the background from the
/// beginning on; memory is bounded, because more than `changeLimit` of them become one request to search anew.
// @unchecked: `events` is used on the serial queue only.
public final class FolderWatch: @unchecked Sendable {
    /// What has changed since the last call.
    public struct Changes: Sendable {
        /// Files that were written or moved here, and new folders, each once.
        public var paths: [String] { exactPaths.map(\.text) }
        private var exactPaths: Set<ExactText> = []
        /// Changes were lost: the folders must be searched anew.
        public var isIncomplete = false
        /// The input folders that there are still.
        public fileprivate(set) var folders: [String]
        /// Why folders could not be watched: of the first of them.
        public var failures: [WatchError] = []

        public var isEmpty: Bool { exactPaths.isEmpty && !isIncomplete && failures.isEmpty }

        fileprivate init(folders: [String]) { self.folders = folders }

        /// Where the system's limit of watches is reached, each further folder fails.
        private static let failureLimit = 20

        /// The same folders, to be searched anew.
        public var asSearch: Changes {
            var search = Changes(folders: folders)
            search.isIncomplete = true
            return search
        }

        /// - Parameter limit: of the paths; beyond it, the folders are searched anew.
        fileprivate mutating func add(_ path: String, limit: Int) {
            if exactPaths.count < limit {
                exactPaths.insert(path.exact)
            } else {
                (exactPaths, isIncomplete) = ([], true)
            }
        }

        fileprivate mutating func add(_ more: [WatchError]) {
            failures += more.prefix(max(Self.failureLimit - failures.count, 0))
        }
    }

    private let changeLimit: Int
    private let events: FolderEvents
    private let outputFolder: String?
    private let followsLinks: Bool
    private let changes: Locked<Changes>
    private let signal = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "tintype.watch")
    private let source: any DispatchSourceRead

    /// Watches from now on.
    ///
    /// - Parameters:
    ///   - outputFolder: left out if it lies inside an input folder.
    ///   - followsLinks: whether folders that symbolic links lead to are watched.
    ///   - changeLimit: chosen to take some megabytes at most.
    /// - Throws: `WatchError` if a folder cannot be watched.
    public init(
        _ folders: [String], outputFolder: String?, followsLinks: Bool = false, changeLimit: Int = 20_000
    ) throws(WatchError) {
        do throws(Errno) {
            events = try FolderEvents()
        } catch {
            throw WatchError(folder: folders.first ?? "", reason: error)
        }
        self.outputFolder = outputFolder
        self.followsLinks = followsLinks
        self.changeLimit = changeLimit
        changes = Locked(Changes(folders: folders))
        source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            guard let self else { return }
            note(events.read())
        }
        // The descriptor must stay open until the source is cancelled.
        source.setCancelHandler { [events] in withExtendedLifetime(events) {} }
        source.resume()
        if let failure = watchAll(folders).first { throw failure }
    }

    deinit { source.cancel() }

    /// Waits until there are changes, or `wake` is called. It takes no processor time meanwhile.
    public func wait() { signal.wait() }

    /// Ends a `wait`.
    public func wake() { signal.signal() }

    /// Returns the changes so far, and forgets them.
    public func take() -> Changes {
        while signal.wait(timeout: .now()) == .success {}
        var taken = changes.withLock { changes in
            defer { changes = Changes(folders: changes.folders) }
            return changes
        }
        // New folders may be among what was lost.
        if taken.isIncomplete { taken.add(watchAll(taken.folders)) }
        return taken
    }

    private func watchAll(_ folders: [String]) -> [WatchError] { queue.sync { folders.flatMap(watch) } }

    /// Watches a folder and those below it. What vanishes meanwhile is no error.
    ///
    /// - Returns: why some of them cannot be watched.
    private func watch(_ folder: String) -> [WatchError] {
        // A run may make it only later.
        if let identity = outputFolder.flatMap(FileIdentity.init(path:)),
            identity == FileIdentity(path: folder)
        {
            return []
        }
        if followsLinks, FileIdentity.leadsBack(folder) { return [] }
        let entries: [FolderEntry]
        do throws(Errno) {
            // Watched before it is listed, so that nothing is missed.
            try events.watch(folder)
            entries = try FolderEntry.list(folder)
        } catch .noSuchFileOrDirectory, .notDirectory {
            return []
        } catch {
            return [WatchError(folder: folder, reason: error)]
        }
        return entries.filter {
            ($0.kind == .folder || followsLinks && $0.kind == .linkedFolder) && !$0.isHidden && $0.isUTF8
        }
        .flatMap { watch(folder.appendingPathComponent($0.name)) }
    }

    private func note(_ events: [FolderEvents.Event]) {
        for event in events {
            switch event {
            case .written(let path): add(path)
            case .newFolder(let path): addFolder(path)
            case .newLink(let path): isFolder(path) ? addLinkedFolder(path) : add(path)
            case .overflow: changes.withLock { $0.isIncomplete = true }
            case .gone(let folder): changes.withLock { $0.folders.removeAll { $0.exact == folder.exact } }
            }
        }
        signal.signal()
    }

    private func isFolder(_ path: String) -> Bool { (try? Stat(path).isFolder) == true }

    private func addLinkedFolder(_ path: String) { if followsLinks { addFolder(path) } }

    private func addFolder(_ path: String) {
        guard !FolderEntry.isHidden(path.lastPathComponent) else { return }
        let failures = watch(path)
        changes.withLock { $0.add(failures) }
        add(path)
    }

    private func add(_ path: String) {
        guard !FolderEntry.isHidden(path.lastPathComponent) else { return }
        changes.withLock { $0.add(path, limit: changeLimit) }
    }
}
