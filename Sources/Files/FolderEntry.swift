import Foundation
import SystemPackage

/// One name in a folder.
package struct FolderEntry {
    package enum Kind: Equatable {
        case file, folder, other
        /// The folder lists the name and does not let anybody look what it is.
        case hidden(Errno)
    }

    /// The name; where it is not UTF-8, with the bytes that are not written as `\xE9`.
    package let name: String
    package let isUTF8: Bool
    package let kind: Kind

    /// Not meant to be seen: a name with a dot first, or the previews that Synology's servers keep.
    package var isHidden: Bool { name.hasPrefix(".") || name == "@eaDir" }

    /// The names in a folder, sorted by their bytes, without `.` and `..`.
    ///
    /// A link to a file is a file, a link to a folder is `other`, a link to nothing is a file that will not
    /// open.
    package static func list(_ path: String) throws(Errno) -> [FolderEntry] {
        guard let folder = opendir(path) else { throw .last }
        defer { closedir(folder) }
        var entries: [FolderEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            if let entry = FolderEntry(entry.pointee, in: dirfd(folder)) { entries.append(entry) }
        }
        guard errno == 0 else { throw .last }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
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
            // One that is gone by now is nobody's concern.
            return error == .noSuchFileOrDirectory ? .other : .hidden(error)
        }
        guard let target = try? Stat(name, relativeTo: folder, flags: []) else { return .file }
        return target.isRegularFile ? .file : .other
    }
}
