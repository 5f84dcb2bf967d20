import Foundation
import SystemPackage

/// One name in a folder.
package struct FolderEntry {
    package enum Kind: Equatable {
        case file, folder, other
        /// A symbolic link to a folder.
        case linkedFolder
        /// The folder lists the name, but its type cannot be read.
        case hidden(Errno)
    }

    /// The name. If it is not UTF-8, bytes outside of ASCII are written as `\xE9`.
    package let name: String
    package let isUTF8: Bool
    package let kind: Kind

    /// Whether the name starts with a dot, or is the folder of previews that Synology servers keep.
    package var isHidden: Bool { Self.isHidden(name) }

    package static func isHidden(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: ".") || name == "@eaDir"
    }

    /// The names in a folder, sorted by their bytes, without `.` and `..`.
    ///
    /// A symbolic link to a file counts as `file`, and so does a broken link, which then fails to open.
    package static func list(_ path: String) throws(Errno) -> [FolderEntry] {
        var entries: [FolderEntry] = []
        try forEach(in: path) { entries.append($0) }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Visits the names in a folder in any order, for a folder with a million.
    package static func forEach(in path: String, _ body: (FolderEntry) -> Void) throws(Errno) {
        guard let folder = opendir(path) else { throw .last }
        defer { closedir(folder) }
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            if let entry = FolderEntry(entry.pointee, in: dirfd(folder)) { body(entry) }
        }
        guard errno == 0 else { throw .last }
    }

    private init?(_ entry: dirent, in folder: Int32) {
        var entry = entry
        let bytes = withUnsafeBytes(of: &entry.d_name) { Array($0.prefix { $0 != 0 }) }
        guard bytes != Array(".".utf8), bytes != Array("..".utf8) else { return nil }
        let valid = String(validating: bytes, as: UTF8.self)
        name = valid ?? bytes.spelledOut
        isUTF8 = valid != nil
        kind = Self.kind(of: bytes.map(CChar.init(bitPattern:)) + [0], in: folder)
    }

    private static func kind(of name: [CChar], in folder: Int32) -> Kind {
        let folder = FileDescriptor(rawValue: folder)
        do throws(Errno) {
            switch try Stat(name, relativeTo: folder, flags: .symlinkNoFollow).type {
            case .directory: return .folder
            case .regular: return .file
            case .symbolicLink: break
            default: return .other
            }
        } catch {
            // The file was removed meanwhile.
            return error == .noSuchFileOrDirectory ? .other : .hidden(error)
        }
        guard let target = try? Stat(name, relativeTo: folder, flags: []) else { return .file }
        return target.isFolder ? .linkedFolder : target.isRegularFile ? .file : .other
    }
}
