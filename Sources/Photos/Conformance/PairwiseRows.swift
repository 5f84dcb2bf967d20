/// Rows of choices, one of each dimension.
enum PairwiseRows {
    /// Rows in which any two choices of different dimensions meet at least once. Greedy: each row covers as many new pairs as it
    /// can.
    ///
    /// - Parameter counts: the number of choices of each dimension.
    /// - Returns: for each row an index of each dimension.
    static func all(_ counts: [Int]) -> [[Int]] {
        let firsts = counts.indices.map { counts[..<$0].reduce(0, +) }
        let total = counts.reduce(0, +)
        // A pair of choices by their numbers, the smaller one first.
        var isMissing = [Bool](repeating: false, count: total * total)
        for one in counts.indices {
            for other in counts.indices.dropFirst(one + 1) {
                for first in 0..<counts[one] {
                    for second in 0..<counts[other] {
                        isMissing[(firsts[one] + first) * total + firsts[other] + second] = true
                    }
                }
            }
        }
        var rows: [[Int]] = []
        while let missing = isMissing.firstIndex(of: true) {
            let fixed = [missing / total, missing % total]
            var row = counts.indices.map { dimension in
                fixed.first { (firsts[dimension]..<firsts[dimension] + counts[dimension]).contains($0) }
            }
            for dimension in row.indices where row[dimension] == nil {
                // Where several choices are as good, another one in each row.
                let choices = (0..<counts[dimension]).map {
                    firsts[dimension] + ($0 + rows.count) % counts[dimension]
                }
                row[dimension] = choices.max { missingPairs(of: $0, row) < missingPairs(of: $1, row) }
            }
            func missingPairs(of choice: Int, _ row: [Int?]) -> Int {
                row.count { other in
                    other.map { isMissing[min($0, choice) * total + max($0, choice)] } ?? false
                }
            }
            let choices = row.compactMap(\.self)
            for (place, one) in choices.enumerated() {
                for other in choices[(place + 1)...] { isMissing[one * total + other] = false }
            }
            rows.append(zip(choices, firsts).map(-))
        }
        return rows
    }

    /// As few rows as have each choice once.
    static func each(_ counts: [Int]) -> [[Int]] {
        (0..<(counts.max() ?? 0)).map { row in counts.map { row % $0 } }
    }
}
