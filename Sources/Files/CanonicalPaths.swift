import Foundation

/// Makes paths canonical, whether they exist or not. Caches the folders it has resolved.
package struct CanonicalPaths {
    /// By bytes, because folders may have names that are equal as text: one accent, composed and decomposed.
    private var folders: [[UInt8]: String] = [:]

    package init() {}

    /// `path` with the symbolic links of its folder resolved, as far as the folder exists.
    package mutating func path(of path: String) -> String {
        let name = path.lastPathComponent
        let folder = String(Substring(path.utf8.dropLast(name.utf8.count)))
        return resolve(folder.isEmpty ? "." : folder.trimmingTrailingSlashes).appendingPathComponent(name)
    }

    private mutating func resolve(_ folder: String) -> String {
        if let known = folders[Array(folder.utf8)] { return known }
        let resolved = folder.resolvingLinks ?? (folder == "/" || folder == "." ? folder : path(of: folder))
        folders[Array(folder.utf8)] = resolved
        return resolved
    }
}

extension String {
    /// The absolute path without symbolic links, see realpath(3); nil if there is no such file.
    package var resolvingLinks: String? {
        guard let real = realpath(self, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
