import Foundation
import TintypeFiles
import TintypeFilters
import TintypeImaging

/// Why a run's outputs cannot be written as requested. All of these are found before any work starts.
public enum OutputError: Error, Equatable, Sendable {
    /// `--output` is empty.
    case emptyName
    /// `--output`, or a template, has a zero byte in it.
    case zeroByte
    /// A template has a placeholder with this name, which does not exist.
    case unknownPlaceholder(String)
    /// A template has braces that do not match. Braces that are text must be doubled.
    case unbalancedBrace(template: String)
    /// `--output` ends in this extension, without its dot, which is not a format's.
    case unknownExtension(String)
    /// `--output` ends in the extension of a picture, without its dot, that Tintype does not write; `kind` names the format.
    case unwrittenFormat(fileExtension: String, kind: String)
    /// `--output` ends in the extension of one format, and `--format` asks for another.
    case formatMismatch(extensionSays: String, formatSays: String)
    /// `--output -` accepts one photo only.
    case severalPhotosToStandardOutput(count: Int)
    /// Each output would replace a photo of this run.
    case ontoInput(output: String, input: String, moreCount: Int)
    /// Outputs that exist already: the first few paths, and how many there are.
    case exists([String], count: Int)
    /// A file has the name of the output folder, or of a folder above it.
    case notAFolder(String)
    /// `--output` begins with `s3://` and names no bucket; the sentence tells why.
    case badLocation(String)
    /// `--output` names Tintype's own files, such as those of a journal.
    case reservedName(String)
    /// `--output` is an address of another kind.
    case isAddress(String)
}

extension OutputError: AdvisedError {
    public var problem: String {
        problem(naming: Wording.outputAtStart.text, format: Wording.format.text)
    }

    /// - Parameters:
    ///   - output: what messages call the text that names the output; it begins sentences.
    ///   - format: what they call the setting of the format.
    package func problem(naming output: String, format: String) -> String {
        switch self {
        case .emptyName:
            "\(output) is empty. Give a folder, a template such as 'out/{stem}-{chain}.{ext}', or '-'."
        case .zeroByte: "\(output) has a zero byte in it, which no file's name can have. Remove it."
        case .unknownPlaceholder(let name):
            unknownPlaceholderText(name, output)
        case .unbalancedBrace(let template):
            "\(output) '\(template.excerpt())' has braces that do not match. Write '{{' for a brace in the name."
        case .unknownExtension(let name):
            "\(output) ends in '.\(name.excerpt())', which is not a format that Tintype writes. Use "
                + "\(PhotoFormat.dottedExtensions("or", more: ["{ext}"]))."
        case .unwrittenFormat(let name, let kind):
            "\(output) ends in '.\(name)', and Tintype writes \(PhotoFormat.writtenNames("and")), but no \(kind). "
                + "Use \(PhotoFormat.dottedExtensions("or")); a folder of this name needs a slash at its end."
        case .formatMismatch(let extensionSays, let formatSays):
            "\(output) has the extension of \(extensionSays), and \(format) says \(formatSays). "
                + "Change one, or use {ext}."
        case .severalPhotosToStandardOutput(let count):
            "\(Wording.standardOutput.text) takes one photo, and there are \(count)."
        case .ontoInput(let output, let input, let more):
            "'\(output.printableName)', the output of \(input.printableName), is itself one of the photos to be filtered\(others(more)). "
                + "Originals are never replaced: \(Wording.otherFolder.text)."
        case .exists(let paths, let count):
            "\(count == 1 ? "This output exists" : "\(count) outputs exist") already: "
                + paths.map { "'\($0.printableName)'" }.joined(separator: ", ")
                + (count > paths.count ? ", ..." : "")
                + "."
        case .notAFolder(let path):
            "\(Wording.outputAtStart.text) '\(path.printableName)' cannot be a folder: there is a file of that name. Give another name, or one that "
                + "ends in \(PhotoFormat.dottedExtensions("or")) for a single photo."
        case .badLocation(let explanation):
            "\(output): \(explanation)"
        case .reservedName(let name):
            "\(output) '\(name.printableName)' is a name of Tintype's own files: '.tintype' is the folder of journals. Give another name."
        case .isAddress(let address):
            "\(Wording.outputAtStart.text) '\(address.printableName)' is an address, and Tintype writes to folders of this machine. Give a folder, and "
                + "copy it there afterwards."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .severalPhotosToStandardOutput: Wording.folderInstead.text
        case .exists(_, let count): Wording.skipReplaceOrMove(count: count).text
        default: nil
        }
    }

    private func others(_ count: Int) -> String {
        count == 0 ? "" : " (and \(count) more like this)"
    }

    private func unknownPlaceholderText(_ name: String, _ output: String) -> String {
        let known = OutputTemplate.Placeholder.allCases.map { "{\($0.rawValue)}" }
        return "\(output) has no placeholder {\(name.excerpt())}. "
            + suggestion(for: "{\(name)}", in: known, quoted: { $0 })
    }
}
