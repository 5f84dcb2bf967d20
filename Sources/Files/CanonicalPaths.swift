import Foundation

/// Makes paths canonical, whether they exist or not. Caches the folders it has resolved.
package struct CanonicalPaths {
    private var folders: [String: String] = [:]

    package init() {}

    /// `path` with the symbolic links of its folder resolved, as far as the folder exists.
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
    /// The absolute path without symbolic links, see realpath(3); nil if there is no such file.
    package var resolvingLinks: String? {
        guard let real = realpath(self, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
