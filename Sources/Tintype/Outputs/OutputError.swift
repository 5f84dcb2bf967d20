import Filters

/// Why outputs cannot go where they were to go. All of these are found before any work starts.
public enum OutputError: Error, Equatable, Sendable {
    case emptyName
    case unknownPlaceholder(String)
    case unbalancedBrace(template: String)
    case unknownExtension(String)
    case formatMismatch(extensionSays: String, formatSays: String)
    /// `--output -` takes one photo.
    case severalPhotosToStandardOutput(count: Int)
    /// Several photos would be written to one path.
    case collision(output: String, inputs: [String], moreCount: Int)
    /// An output would replace a photo of this run.
    case ontoInput(output: String, input: String, moreCount: Int)
    /// Files that are there already.
    case exists([String], count: Int)
    case isFolder(String)
    /// The output's name would be a folder's, or climb out of the output folder.
    case unsafeName(output: String, input: String)
}

extension OutputError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .emptyName:
            "--output is empty. Give a folder, a template such as 'out/{stem}-{chain}.{ext}', or '-'."
        case .unknownPlaceholder(let name):
            unknownPlaceholderText(name)
        case .unbalancedBrace(let template):
            "The braces of --output '\(template)' do not match. Write '{{' for a brace that is meant as such."
        case .unknownExtension(let name):
            "--output ends in '.\(name)', which is not a format that Tintype writes. Use .jpg, .png or {ext}."
        case .formatMismatch(let extensionSays, let formatSays):
            "--output's extension says \(extensionSays), --format says \(formatSays). "
                + "Change one, or use {ext}."
        case .severalPhotosToStandardOutput(let count):
            "--output - takes one photo, and there are \(count). Give a folder instead: --output out"
        case .collision(let output, let inputs, let more):
            "\(inputs.joined(separator: " and ")) would both be written to '\(output)'\(others(more)). "
                + "Use a template that keeps them apart, such as --output 'out/{dir}/{stem}.{ext}'."
        case .ontoInput(let output, let input, let more):
            "'\(output)', the output of \(input), is itself one of the photos to be filtered\(others(more)). "
                + "Originals are never replaced: give another folder with --output."
        case .exists(let paths, let count):
            "\(count == 1 ? "This output exists" : "\(count) outputs exist") already: "
                + paths.map { "'\($0)'" }.joined(separator: ", ") + (count > paths.count ? ", ..." : "")
                + ". Add --overwrite to replace \(count == 1 ? "it" : "them"), or give another --output."
        case .isFolder(let path):
            "The output '\(path)' is a folder. Give another name with --output."
        case .unsafeName(let output, let input):
            "\(input) would be written to '\(output)', outside of the output folder. Rename the photo."
        }
    }

    private func others(_ count: Int) -> String {
        count == 0 ? "" : " (and \(count) more like this)"
    }

    private func unknownPlaceholderText(_ name: String) -> String {
        let known = OutputTemplate.Placeholder.allCases.map(\.rawValue)
        let hint =
            nearestName(to: name, in: known).map { "Did you mean {\($0)}?" }
            ?? "There are: \(known.map { "{\($0)}" }.joined(separator: ", "))."
        return "--output has no placeholder {\(name)}. \(hint)"
    }
}
