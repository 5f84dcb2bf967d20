import TintypeFiles
import TintypeFilters

/// A path with placeholders in braces: `out/{dir}/{stem}-{chain}.{ext}`. A doubled brace is a literal one.
public struct OutputTemplate: Hashable, Sendable {
    /// The part of a path that is filled in for each photo.
    public enum Placeholder: String, CaseIterable, Hashable, Sendable {
        /// The photo's folder, relative to the input folder.
        case dir
        /// The photo's name without its extension.
        case stem
        /// The filters' names, joined by `+`.
        case chain
        /// The filters' names, and eight hexadecimal digits that differ between recipes.
        case recipe
        /// The extension of the output's format.
        case ext
        /// `stem`, a dot and `ext`.
        case name
        /// Sixteen hexadecimal digits computed from the photo's canonical path: they differ for photos of the
        /// same name, and are the same in every run.
        case id
        /// The output's name in a recipe of several outputs.
        case output
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let parts: [Part]

    /// - Throws: `OutputError.unknownPlaceholder`, with the nearest name, `OutputError.unbalancedBrace` and
    ///   `OutputError.zeroByte`.
    public init(_ text: String) throws(OutputError) {
        guard !text.utf8.contains(0) else { throw .zeroByte }
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let first = rest.first {
            rest.removeFirst()
            guard first == "{" || first == "}" else {
                literal.append(first)
                continue
            }
            if rest.first == first {
                rest.removeFirst()
                literal.append(first)
                continue
            }
            guard first == "{", let end = rest.firstIndex(of: "}") else {
                throw .unbalancedBrace(template: text)
            }
            let name = String(rest[..<end])
            guard let placeholder = Placeholder(rawValue: name) else { throw .unknownPlaceholder(name) }
            parts += [.text(literal), .placeholder(placeholder)]
            literal = ""
            rest = rest[rest.index(after: end)...]
        }
        self.parts = parts + [.text(literal)]
    }

    package func uses(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// Whether text is a template rather than a folder.
    public static func hasBraces(_ text: String) -> Bool { text.contains("{") || text.contains("}") }

    /// The folder that holds all outputs: the part of the template before its first placeholder.
    package var fixedFolder: String {
        guard case .text(let text)? = parts.first, let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        else {
            return "."
        }
        return slash == text.startIndex ? "/" : String(Substring(text.utf8[..<slash]))
    }

    /// The template's literal extension; nil if a placeholder ends it.
    package var fixedExtension: String? {
        guard case .text(let text)? = parts.last, text.contains(".") else { return nil }
        return FileName("_" + text.lastPathComponent).fileExtension
    }

    /// The path for one photo, without empty components and `.`.
    package func path(_ values: [Placeholder: String]) -> String {
        let text = parts.map { part in
            switch part {
            case .text(let text): text
            // An empty folder at the front must not turn the path into an absolute one.
            case .placeholder(.dir): values[.dir].flatMap { $0.isEmpty ? nil : $0 } ?? "."
            case .placeholder(let placeholder): values[placeholder] ?? ""
            }
        }.joined()
        let components = text.pathParts().filter { $0 != "." }.joined(separator: "/")
        return text.utf8.first == UInt8(ascii: "/") ? "/" + components : components
    }
}
