import TintypeFiles

/// The names that an output may have: one rule for plans, runs, recipes, journals and manifests.
package enum OutputPath {
    /// Why a path cannot be an output's.
    package enum Problem: Hashable, Sendable {
        /// It leads out of the output folder, or is no file's name.
        case outside
        /// It is for Tintype's own files: a journal's, or temporary ones.
        case reserved
    }

    /// - Parameter path: relative to the output folder.
    package static func problem(of path: String) -> Problem? {
        let parts = path.pathParts(omittingEmpty: false)
        if parts.contains(where: { ["", ".", ".."].contains($0) }) || path.utf8.contains(0) {
            return .outside
        }
        return isReserved(path) ? .reserved : nil
    }

    /// Whether a path, or a template of one, names Tintype's own files.
    package static func isReserved(_ path: String) -> Bool {
        let parts = path.pathParts()
        // Some file systems take `.Tintype` for the same name.
        return parts.contains {
            $0.utf8.count == Journal.folderName.utf8.count && $0.lowercased() == Journal.folderName
        }
            || OutputFile.isTemporaryName(parts.last ?? "")
    }
}
