import Files
import SystemPackage
import Imaging

/// Where outputs go, as `--output` says it.
public enum OutputDestination: Hashable, Sendable {
    /// Nothing was said: `{stem}-{chain}.{ext}` in the photo's own folder.
    case besidePhoto
    /// Each photo keeps its name, and its path below the folder that was given.
    case folder(String)
    case template(OutputTemplate)
    /// One photo, to a path that ends in a photo's extension.
    case file(String)
    case standardOutput

    /// Reads the argument of `--output`.
    ///
    /// - Parameter isFolder: whether a path is a folder that exists.
    /// - Throws: `OutputError` for a template that does not read.
    public init(_ argument: String?, isFolder: (String) -> Bool) throws(OutputError) {
        guard let argument else {
            self = .besidePhoto
            return
        }
        guard !argument.isEmpty else { throw .emptyName }
        guard !argument.contains("://") else { throw .isAddress(argument) }
        if argument == "-" {
            self = .standardOutput
        } else if OutputTemplate.hasBraces(argument) {
            self = .template(try OutputTemplate(argument))
        } else if FileName(argument.lastPathComponent).looksLikePhoto, !argument.hasSuffix("/"),
            !isFolder(argument)
        {
            self = .file(argument)
        } else {
            self = .folder(argument.trimmingTrailingSlashes)
        }
    }

    /// The format that the destination's extension asks for.
    ///
    /// - Throws: `OutputError.unknownExtension` where it spells out one that is no photo's.
    public func impliedFormat() throws(OutputError) -> PhotoFormat? {
        let fileExtension: String?
        switch self {
        case .file(let path): fileExtension = FileName(path.lastPathComponent).fileExtension
        case .template(let template): fileExtension = template.fixedExtension
        case .besidePhoto, .folder, .standardOutput: return nil
        }
        guard let fileExtension else { return nil }
        guard let format = FileName("_.\(fileExtension)").format else {
            throw .unknownExtension(fileExtension)
        }
        return format
    }

    /// - Throws: `OutputError.notAFolder` where a file is in the folder's place, or in that of one above it.
    package func checkFolder() throws(OutputError) {
        guard let folder else { return }
        var path = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty || path == "/" ? String(part) : "/\(part)"
            if path.isEmpty { path = "/" }
            guard let status = try? Stat(path) else { return }
            guard status.isFolder else { throw .notAFolder(path) }
        }
    }

    /// The folder that holds all outputs, where there is one.
    package var folder: String? {
        switch self {
        case .besidePhoto, .standardOutput, .file: nil
        case .folder(let folder): folder
        case .template(let template): template.fixedFolder
        }
    }
}
