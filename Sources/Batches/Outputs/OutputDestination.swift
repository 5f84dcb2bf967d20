import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals

/// Where outputs go: the argument of `--output`.
public enum OutputDestination: Hashable, Sendable {
    /// Without `--output`: `{stem}-{chain}.{ext}` in the photo's own folder.
    case besidePhoto
    /// Each photo keeps its name, and its path relative to the input folder.
    case folder(String)
    /// A path with placeholders that each photo fills, such as `out/{stem}-{chain}.{ext}`.
    case template(OutputTemplate)
    /// Objects of an S3 bucket below this location; named like photos in a folder, or by a template.
    case objects(S3Location, names: OutputTemplate?)
    /// One photo, with a path that ends in a photo's extension.
    case file(String)
    /// `-`: standard output, for one photo.
    case standardOutput

    /// A folder, as `folder(_:)` with its path.
    ///
    /// - Precondition: `url` is a file's.
    public static func folder(_ url: URL) -> OutputDestination { .folder(url.requiredFilePath) }

    /// One photo, as `file(_:)` with its path.
    ///
    /// - Precondition: `url` is a file's.
    public static func file(_ url: URL) -> OutputDestination { .file(url.requiredFilePath) }

    /// Parses the argument of `--output`.
    ///
    /// - Parameter isFolder: whether a path is an existing folder.
    /// - Throws: `OutputError` for an empty argument, an address, an invalid template, the name of a picture in a format that is
    ///   not written, or a name of Tintype's own files.
    public init(_ argument: String?, isFolder: (String) -> Bool) throws(OutputError) {
        guard let argument else {
            self = .besidePhoto
            return
        }
        guard !argument.isEmpty else { throw .emptyName }
        guard !argument.utf8.contains(0) else { throw .zeroByte }
        guard !OutputPath.isReserved(argument) else { throw .reservedName(argument) }
        if S3Location.isLocation(argument) {
            self = try Self.objects(argument)
            return
        }
        guard !argument.contains("://") else { throw .isAddress(argument) }
        if argument == "-" {
            self = .standardOutput
        } else if OutputTemplate.hasBraces(argument) {
            self = .template(try OutputTemplate(argument))
        } else if Self.isOutputName(argument),
            argument.utf8.last != UInt8(ascii: "/"),
            !isFolder(argument)
        {
            self = .file(argument)
        } else {
            if !isFolder(argument) { try Self.checkFormat(argument) }
            self = .folder(argument.trimmingTrailingSlashes)
        }
    }

    private static func isOutputName(_ path: String) -> Bool {
        FileName(path.lastPathComponent).outputFormat != nil
    }

    /// Refuses what was hardly meant as a folder. A slash at its end says that it is one.
    private static func checkFormat(_ argument: String) throws(OutputError) {
        let name = FileName(argument.lastPathComponent)
        guard !argument.hasSuffix("/"), let fileExtension = name.fileExtension,
            let kind = name.format?.name ?? PassedOver.kind(of: name)
        else { return }
        throw .unwrittenFormat(fileExtension: fileExtension, kind: kind)
    }

    private static func objects(_ argument: String) throws(OutputError) -> OutputDestination {
        // The bucket and the folders before the first placeholder.
        let fixed = argument.prefix { $0 != "{" && $0 != "}" }
        let isTemplate =
            fixed.count < argument.count
            || !argument.hasSuffix("/") && isOutputName(argument)
        if !isTemplate { try checkFormat(argument) }
        let end = isTemplate ? fixed.lastIndex(of: "/").map { fixed.index(after: $0) } : nil
        let base: S3Location
        do throws(DownloadError) {
            base = try S3Location(String(argument[..<(end ?? argument.endIndex)]))
        } catch {
            throw .badLocation(error.explanation)
        }
        return .objects(
            base,
            names: try end.map { index throws(OutputError) in
                try OutputTemplate(String(argument[index...]))
            })
    }

    /// The format of the destination's extension; nil if it has none of its own.
    ///
    /// - Throws: `OutputError.unknownExtension` for an extension that is not a photo's.
    public func impliedFormat() throws(OutputError) -> PhotoFormat? {
        let fileExtension: String?
        switch self {
        case .file(let path): fileExtension = FileName(path.lastPathComponent).fileExtension
        default: fileExtension = template?.fixedExtension
        }
        guard let fileExtension else { return nil }
        guard let format = FileName("_.\(fileExtension)").outputFormat else {
            throw .unknownExtension(fileExtension)
        }
        return format
    }

    /// What names the outputs; nil if the destination does.
    package var template: OutputTemplate? {
        switch self {
        case .template(let template), .objects(_, let template?): template
        case .objects(_, nil), .besidePhoto, .folder, .file, .standardOutput: nil
        }
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

    /// The folder that holds all outputs, or the text of an S3 location; nil if there is none.
    public var place: String? { if case .objects(let base, _) = self { base.text } else { folder } }

    /// The folder that holds all outputs; nil if there is none.
    package var folder: String? {
        switch self {
        case .besidePhoto, .standardOutput, .file, .objects: nil
        case .folder(let folder): folder
        case .template(let template): template.fixedFolder
        }
    }
}

extension URL {
    /// - Precondition: this is a file's URL.
    var requiredFilePath: String {
        guard let filePath else { preconditionFailure("outputs need a file's URL") }
        return filePath
    }
}
