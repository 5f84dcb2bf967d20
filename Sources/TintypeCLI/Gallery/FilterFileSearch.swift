import Foundation
import Tintype

/// Looks for the files that filters take: tables of colours, and pictures with transparency for watermarks.
struct FilterFileSearch {
    /// More would not be found again in a list.
    private static let limit = 200
    private static let extensions: Set = ["cube", "png", "webp"]

    /// The paths of files below folders, in alphabetical order, tables first. Hidden ones and links are left out.
    ///
    /// - Parameter isRelativeTo: relative paths are made absolute unless this is the current folder, which is empty.
    static func paths(below folders: [String], isRelativeTo folder: String) -> [String] {
        var found: [String] = []
        for root in folders {
            let base =
                folder.isEmpty || root.hasPrefix("/")
                ? root : FileManager.default.currentDirectoryPath.appendingPathComponent(root)
            guard let walk = FileManager.default.enumerator(atPath: root) else { continue }
            for case let path as String in walk {
                if path.lastPathComponent.hasPrefix(".") {
                    walk.skipDescendants()
                } else if extensions.contains(
                    FileName(path.lastPathComponent).fileExtension?.lowercased() ?? ""),
                    walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
                {
                    found.append(base.appendingPathComponent(path))
                }
            }
        }
        let isTable = { (path: String) in path.lowercased().hasSuffix(".cube") }
        let sorted = found.sorted { (isTable($0) ? 0 : 1, $0) < (isTable($1) ? 0 : 1, $1) }
        return Array(sorted.prefix(limit))
    }
}
