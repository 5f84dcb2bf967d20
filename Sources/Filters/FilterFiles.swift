import Foundation
import TintypeFiles

/// The files that filters may read, and where they are.
public struct FilterFiles: Sendable {
    /// Where relative paths are looked up, in this order.
    private let folders: [String]
    private var paths: Set<ExactText>?
    /// Those that are in memory and not on the disk, by path.
    private var contents: [ExactText: [UInt8]] = [:]
    private let readPicture: PictureReader

    /// All files that this process can read.
    ///
    /// - Parameters:
    ///   - folders: where relative paths are looked up, in this order. An empty one is the current folder.
    ///   - readPicture: decodes the files that are pictures.
    package init(in folders: [String], pictures readPicture: @escaping PictureReader) {
        self.folders = folders
        paths = nil
        self.readPicture = readPicture
    }

    /// Only the files that a chain reads already.
    ///
    /// - Parameters:
    ///   - folders: as in `init(in:pictures:)`.
    ///   - readPicture: decodes those that are pictures.
    package init(
        of chain: FilterChain, in folders: [String], pictures readPicture: @escaping PictureReader
    ) {
        self.folders = folders
        paths = Set(chain.filePaths.map(\.exact))
        self.readPicture = readPicture
    }

    /// These files, and those of some further paths.
    package func adding(_ paths: [String]) -> FilterFiles {
        var files = self
        files.paths?.formUnion(paths.map(\.exact))
        return files
    }

    /// These files, and some that are in memory.
    ///
    /// - Parameter contents: by path. A path is not looked up on the disk.
    package func adding(contents: [String: [UInt8]]) -> FilterFiles {
        var files = adding(Array(contents.keys))
        for (path, bytes) in contents { files.contents[path.exact] = bytes }
        return files
    }

    /// No files at all.
    package static let none = FilterFiles(of: FilterChain([]), in: []) { _ in
        preconditionFailure("no file is read, so none is decoded")
    }

    /// The largest file that is read, in bytes: a Hald CLUT of level 16 has 96 MiB of samples.
    private static let maximumByteCount = 128 << 20

    /// Whether there is a file of this path.
    func has(_ path: String) -> Bool {
        guard paths?.contains(path.exact) ?? true else { return false }
        if contents[path.exact] != nil { return true }
        return places(of: FilterFile(path)).contains { place in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Reads a file, and sets its hash.
    ///
    /// - Returns: the contents, and the path that they have been read from.
    /// - Throws: `FilterError` if it cannot be read, or has not the hash that it must have.
    func read(
        _ file: inout FilterFile, for filter: String
    ) throws(FilterError) -> (contents: [UInt8], path: String) {
        guard !file.path.isEmpty else { throw .noFile(filter: filter, parameter: "file") }
        guard paths?.contains(file.path.exact) ?? true else {
            throw .unreadableFile(
                filter: filter, path: file.path, reason: "only files that were given at the start may be read"
            )
        }
        var failure: FilterError?
        for path in places(of: file) {
            do throws(FilterError) {
                let contents = try contents(of: path, for: filter)
                let hash = FilterFile.hash(of: contents)
                guard file.contentHash == nil || file.contentHash == hash else {
                    throw .unreadableFile(filter: filter, path: path, reason: "its contents have changed")
                }
                file.contentHash = hash
                return (contents, path)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? .noFile(filter: filter, parameter: "file")
    }

    /// Decodes a picture's file.
    func picture(_ contents: [UInt8]) throws -> PictureSamples { try readPicture(contents) }

    /// Where a file may be. One whose hash is known is also found under its name alone: a manifest with an absolute path
    /// may have come to another machine.
    private func places(of file: FilterFile) -> [String] {
        if contents[file.path.exact] != nil { return [file.path] }
        guard file.path.hasPrefix("/") else { return folders.map { $0.appendingPathComponent(file.path) } }
        guard file.contentHash != nil else { return [file.path] }
        return [file.path] + folders.map { $0.appendingPathComponent(file.path.lastPathComponent) }
    }

    private func contents(of path: String, for filter: String) throws(FilterError) -> [UInt8] {
        if let contents = contents[path.exact] { return contents }
        do {
            let open = try OpenFile(reading: path)
            guard try open.status().isRegularFile else {
                throw FilterError.unreadableFile(filter: filter, path: path, reason: "it is not a file")
            }
            let byteCount = try open.status().byteCount
            guard byteCount <= Self.maximumByteCount else {
                throw FilterError.unreadableFile(
                    filter: filter, path: path, reason: "it is larger than \(Self.maximumByteCount >> 20) MiB"
                )
            }
            return try open.firstBytes(byteCount)
        } catch let error as FilterError {
            throw error
        } catch {
            throw .unreadableFile(filter: filter, path: path, reason: "\(error)")
        }
    }
}

extension FilterChain {
    /// The paths of the files that the filters read.
    package var filePaths: [String] { filters.flatMap { Self.filePaths($0) } }

    private static func filePaths<F: Filter>(_ filter: F) -> [String] {
        filter.parameters.filter { $0.values == .file }.map { FilterFile(text: $0.text(in: filter)).path }
    }

    /// A chain of the same files for another folder: the relative paths of these have `folder` before them.
    package func placingFiles(in folder: String) -> FilterChain {
        FilterChain(filters.map { Self.placingFiles(of: $0, in: folder) })
    }

    private static func placingFiles<F: Filter>(of filter: F, in folder: String) -> any Filter {
        var filter = filter
        for parameter in filter.parameters where parameter.values == .file {
            let file = FilterFile(text: parameter.text(in: filter))
            guard !file.path.isEmpty, !file.path.hasPrefix("/") else { continue }
            var placed = FilterFile(folder.appendingPathComponent(file.path))
            placed.contentHash = file.contentHash
            // Every path is taken.
            try? parameter.set(placed.description, in: &filter)
        }
        return filter
    }
}
