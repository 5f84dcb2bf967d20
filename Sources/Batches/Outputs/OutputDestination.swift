import Files
import SystemPackage
import Imaging

/// Where outputs go: the argument of `--output`.
public enum OutputDestination: Hashable, Sendable {
    /// Without `--output`: `{stem}-{chain}.{ext}` in the photo's own folder.
    case besidePhoto
    /// Each photo keeps its name, and its path relative to the input folder.
    case folder(String)
    /// A path with placeholders that each photo fills, such as `out/{stem}-{chain}.{ext}`.
    case template(OutputTemplate)
    /// One photo, with a path that ends in a photo's extension.
    case file(String)
    /// `-`: standard output, for one photo.
    case standardOutput

    /// Parses the argument of `--output`.
    ///
    /// - Parameter isFolder: whether a path is an existing folder.
    /// - Throws: `OutputError` for an empty argument, an address or an invalid template.
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

    /// The format of the destination's extension; nil if it has none of its own.
    ///
    /// - Throws: `OutputError.unknownExtension` for an extension that is not a photo's.
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

    /// Checks that the output folder can be created.
    ///
    /// - Throws: `OutputError.notAFolder` if a file has the name of the folder or of one above it.
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

    /// The folder that holds all outputs; nil if there is none.
    package var folder: String? {
        switch self {
        case .besidePhoto, .standardOutput, .file: nil
        case .folder(let folder): folder
        case .template(let template): template.fixedFolder
        }
    }
}
