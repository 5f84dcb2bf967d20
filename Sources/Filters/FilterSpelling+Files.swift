extension FilterSpelling {
    /// Longer paths do not exist.
    private static let longestPath = 4096

    /// Writes the names of files that exist so that commas, plus and percent signs in them are part of the name: of
    /// `lut:file=a,b.cube,intensity=0.5`, the longest such text that names a file.
    static func escapingFiles(in text: String, _ files: FilterFiles) -> String {
        var result = "", rest = text[...]
        while let match = rest.firstMatch(of: /[:,]file=/) {
            result += rest[..<match.range.upperBound]
            rest = rest[match.range.upperBound...]
            guard let name = longestName(beginning: rest, files) else { continue }
            result += FilterFile(String(name)).description
            rest = rest[name.endIndex...]
        }
        return result + rest
    }

    private static func longestName(beginning text: Substring, _ files: FilterFiles) -> Substring? {
        let ends = text.indices.filter { ",+".contains(text[$0]) } + [text.endIndex]
        return ends.reversed().lazy.map { text[..<$0] }.first { name in
            !name.isEmpty && name.utf8.count < longestPath && files.has(String(name))
        }
    }
}
