import Foundation
import SystemPackage

/// Changes of files in folders, as inotify(7) tells them. Its owner calls it from one thread at a time.
///
/// Not all file systems tell changes: those made by other machines of a network do not arrive.
// @unchecked: the owner sees to it that no two threads use it at once.
package final class FolderEvents: @unchecked Sendable {
    package enum Event: Equatable {
        /// A file was closed by a writer, or moved here.
        case written(String)
        /// A folder was made, or moved here. It is not watched yet.
        case newFolder(String)
        /// A symbolic link was made, or moved here.
        case newLink(String)
        /// A watched folder was removed, moved or unmounted.
        case gone(String)
        /// Events were lost.
        case overflow
    }

    private let file: OpenFile
    /// The paths of each watched folder: links may give it several.
    private var folders: [Int32: [String]] = [:]

    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    package init() throws(Errno) {
        let number = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
        guard number >= 0 else { throw .last }
        file = OpenFile(owning: number)
    }

    /// Is readable when there are events.
    package var descriptor: Int32 { file.number }

    /// The number of watched folders.
    package var folderCount: Int { folders.count }

    /// Watches a folder, without those below it.
    package func watch(_ folder: String) throws(Errno) {
        let watch = inotify_add_watch(file.number, folder, Self.mask)
        guard watch >= 0 else { throw .last }
        if folders[watch]?.contains(folder) != true { folders[watch, default: []].append(folder) }
    }

    /// The events since the last call; none if nothing has happened.
    package func read() -> [Event] {
        var events: [Event] = []
        // At least one event of the longest name.
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return events }
            buffer.withUnsafeBytes { add(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: &events) }
        }
    }

    private func add(_ bytes: UnsafeRawBufferPointer, to events: inout [Event]) {
        let headSize = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + headSize <= bytes.count {
            let head = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let name = bytes[(offset + headSize)...].prefix(Int(head.len)).prefix { $0 != 0 }
            offset += headSize + Int(head.len)
            if Self.has(head, Int(IN_Q_OVERFLOW)) { events.append(.overflow) }
            let paths = folders[head.wd] ?? []
            if Self.has(head, Int(IN_IGNORED)) {
                folders[head.wd] = nil
                continue
            }
            events += paths.compactMap { event(of: head, named: name, in: $0) }
        }
    }

    private static func has(_ head: inotify_event, _ bits: Int) -> Bool {
        head.mask & UInt32(truncatingIfNeeded: bits) != 0
    }

    private func event(
        of head: inotify_event, named name: Slice<UnsafeRawBufferPointer>, in folder: String
    ) -> Event? {
        func has(_ bits: Int) -> Bool { Self.has(head, bits) }
        if has(Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF) | Int(IN_UNMOUNT)) { return .gone(folder) }
        guard let name = String(validating: name, as: UTF8.self) else { return nil }
        let path = folder.appendingPathComponent(name)
        guard has(Int(IN_ISDIR)) else {
            if has(Int(IN_MOVED_FROM)) { forget(path) }
            // A link is never written, and closes nothing.
            if has(Int(IN_CREATE) | Int(IN_MOVED_TO)), (try? Stat(link: path).type) == .symbolicLink {
                return .newLink(path)
            }
            return has(Int(IN_CLOSE_WRITE) | Int(IN_MOVED_TO)) ? .written(path) : nil
        }
        if has(Int(IN_MOVED_FROM)) { forget(path) }
        return has(Int(IN_CREATE) | Int(IN_MOVED_TO)) ? .newFolder(path) : nil
    }

    /// Stops watching a folder and those below it: their paths are not true any more.
    private func forget(_ path: String) {
        for (watch, paths) in folders {
            let rest = paths.filter { $0 != path && $0.removingPrefix(path + "/") == nil }
            guard rest.count < paths.count else { continue }
            if rest.isEmpty { inotify_rm_watch(file.number, watch) }
            folders[watch] = rest.isEmpty ? nil : rest
        }
    }
}

extension OpenFile {
    /// Whether a process has the file open for writing; false if the system does not tell.
    ///
    /// SIGIO must be ignored: the system sends it to a process whose lease is in the way of a writer.
    package var isBeingWritten: Bool {
        // F_SETLEASE, which Swift does not import. A read lease is only given for files without writers.
        let setLease: Int32 = 1024
        guard fcntl(number, setLease, F_RDLCK) == 0 else { return errno == EAGAIN }
        _ = fcntl(number, setLease, F_UNLCK)
        return false
    }
}
