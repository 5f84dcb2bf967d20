extension BenchmarkReport {
    /// The report for a terminal.
    ///
    /// - Parameter width: columns of the terminal. Wider tables are split in two.
    package func text(width: Int) -> String {
        func lines(_ sentences: [String]) -> String { TextTable.text(sentences.map { [$0] }, width: width) }
        let errors = devices.compactMap { device in device.error.map { "\(label(device.device)): \($0)\n" } }
        let warnings = lines(conditions?.warnings ?? [])
        let result = lines(headlines)
        let heading = "tintype \(version) (\(commit)), \(date)\n" + facts.map { $0.text + "\n" }.joined()
        return
            ([result, heading, warnings, deviceTable(isBrief: true).text + errors.joined(), floorTable.text]
            + chains.flatMap { chainTexts($0, width: width) }
            + [
                scalingTable.text, togetherTable.text, energyTable.text, transferTable.text,
                startupTable.text,
                breakEvenTable.text,
                lines(shareSentences + leftOutSentences),
            ])
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func chainTexts(_ chain: String, width: Int) -> [String] {
        let results = results.filter { $0.chain == chain }
        let words: [Column] = [("PHOTO", \.photo), deviceColumn]
        let speeds = Self.speedColumns + Self.kernelColumns
        let whole = resultTable(results, words: words, figures: speeds + Self.splitColumns).text
        if whole.split(separator: "\n").allSatisfy({ $0.count <= width }) { return ["\(chain)\n" + whole] }
        return [
            "\(chain)\n" + resultTable(results, words: words, figures: speeds).text,
            resultTable(results, words: words, figures: Self.splitColumns).text,
        ]
    }
}
