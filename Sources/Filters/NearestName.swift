/// The name closest to `name` by edit distance; nil if more than a third of the letters differ.
package func nearestName(to name: String, in known: [String]) -> String? {
    // A name is at least as far as it is longer, and distances of long ones take time.
    let known = known.filter { name.utf8.count <= 4 * ($0.utf8.count + 2) }
    let distances = known.map { (name: $0, distance: editDistance(name.lowercased(), $0.lowercased())) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.name.count / 3) ? best.name : nil
}

/// A sentence after the mention of an unknown name: what was meant, or what there is.
///
/// - Parameter intro: begins the list of all names.
package func suggestion(
    for name: String, in known: [String], intro: String = "There are",
    quoted: (String) -> String = { "'\($0)'" }
) -> String {
    if let near = nearestName(to: name, in: known) { return "Did you mean \(quoted(near))?" }
    return "\(intro): \(known.joined(separator: ", "))."
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of adjacent letters.
private func editDistance(_ first: String, _ second: String) -> Int {
    let first = Array(first), second = Array(second)
    var rows = [Array(0...second.count)]
    for i in first.indices {
        var row = [i + 1]
        for j in second.indices {
            var distance = min(rows[i][j] + (first[i] == second[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                distance = min(distance, rows[i - 1][j - 1] + 1)
            }
            row.append(distance)
        }
        rows.append(row)
    }
    return rows[first.count][second.count]
}
