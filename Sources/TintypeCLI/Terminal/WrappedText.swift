import TintypeBenchmarking

extension String {
    /// The text with line breaks between words, so that no line has more columns, unless one word has.
    ///
    /// A command that ends a sentence begins a line of its own and is not broken: it may be copied.
    func wrapped(to columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).wrappedLine(to: columns) }.joined(separator: "\n")
    }

    private func wrappedLine(to columns: Int) -> String {
        guard columnCount > columns else { return self }
        let command = [": tintype ", ": ssh "].compactMap { range(of: $0)?.lowerBound }.min()
            .map { index(after: $0) }
        var lines = [""]
        for word in self[..<(command ?? endIndex)].split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.columnCount + 1 + word.description.columnCount <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        if let command { lines.append(String(self[index(after: command)...])) }
        return lines.joined(separator: "\n")
    }
}
