import Foundation

/// One spelling for every path, whether it exists or not. Remembers the folders it has resolved.
package struct CanonicalPaths {
    private var folders: [String: String] = [:]

    package init() {}

    /// `path` with its folder's links resolved as far as the folder exists.
    package mutating func path(of path: String) -> String {
        let name = path.lastPathComponent
        let folder = path.dropLast(name.count)
        return resolve(folder.isEmpty ? "." : String(folder).trimmingTrailingSlashes) + "/" + name
    }

    private mutating func resolve(_ folder: String) -> String {
        if let known = folders[folder] { return known }
        let resolved = folder.resolvingLinks ?? (folder == "/" || folder == "." ? folder : path(of: folder))
        folders[folder] = resolved
        return resolved
    }
}

extension String {
    /// The absolute path of the file that this path leads to, without links; nil where there is none.
    package var resolvingLinks: String? {
        guard let real = realpath(self, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
