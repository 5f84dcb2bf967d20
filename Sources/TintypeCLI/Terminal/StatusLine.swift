/// A line of parts, which shows as many of them as fit, the most important first.
struct StatusLine {
    private struct Part {
        var text: String
        var shorter: String?
        let rank: Int
        let canBeCut: Bool
    }

    private static let gap = "  "
    /// A text that is cut keeps at least so many columns.
    private static let leastCutWidth = 8

    private let width: Int
    private let glyphs: ProgressBar.Glyphs
    private var parts: [Part] = []

    /// - Parameter width: columns of the whole line.
    init(width: Int, _ glyphs: ProgressBar.Glyphs) {
        self.width = width
        self.glyphs = glyphs
    }

    /// - Parameters:
    ///   - text: nil adds nothing.
    ///   - rank: 0 is the most important.
    ///   - shorter: is shown where `text` does not fit.
    ///   - canBeCut: whether the text may be cut at its end.
    mutating func add(_ text: String?, rank: Int, orElse shorter: String? = nil, canBeCut: Bool = false) {
        guard let text, !text.isEmpty else { return }
        parts.append(Part(text: text, shorter: shorter, rank: rank, canBeCut: canBeCut))
    }

    var text: String {
        var columnsLeft = width
        var chosen: [Int: String] = [:]
        for index in parts.indices.sorted(by: { parts[$0].rank < parts[$1].rank }) {
            let gap = chosen.isEmpty ? 0 : Self.gap.count
            guard let text = text(of: parts[index], within: columnsLeft - gap) else { continue }
            chosen[index] = text
            columnsLeft -= text.count + gap
        }
        return parts.indices.compactMap { chosen[$0] }.joined(separator: Self.gap)
    }

    private func text(of part: Part, within columns: Int) -> String? {
        if part.text.count <= columns { return part.text }
        if let shorter = part.shorter, shorter.count <= columns { return shorter }
        guard part.canBeCut, columns >= Self.leastCutWidth else { return nil }
        return part.text.prefix(columns - glyphs.ellipsis.count) + glyphs.ellipsis
    }
}
