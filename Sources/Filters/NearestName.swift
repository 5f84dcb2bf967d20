/// The name that was probably meant: the one with the fewest letters to change, if those are no more than a
/// third.
package func nearestName(to name: String, in known: [String]) -> String? {
    let distances = known.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.name.count / 3) ? best.name : nil
}

/// Levenshtein distance: insertions, deletions and substitutions that turn one text into the other.
private func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in second.indices {
            let substitution = diagonal + (letter == second[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
        }
    }
    return row[second.count]
}
