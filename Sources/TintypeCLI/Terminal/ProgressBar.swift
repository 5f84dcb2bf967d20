import Foundation

/// A bar that fills from the left.
enum ProgressBar {
    /// What a bar is drawn with.
    struct Glyphs: Equatable, Sendable {
        let left: Character
        let right: Character
        /// From nearly empty to full.
        let cells: [Character]
        /// Stands for what was cut off.
        let ellipsis: String

        /// Eighths of a character: U+2588 to U+258F.
        static let blocks = Glyphs(left: "▕", right: "▏", cells: Array("▏▎▍▌▋▊▉█"), ellipsis: "…")
        static let ascii = Glyphs(left: "[", right: "]", cells: ["#"], ellipsis: "...")

        private init(left: Character, right: Character, cells: [Character], ellipsis: String) {
            (self.left, self.right, self.cells, self.ellipsis) = (left, right, cells, ellipsis)
        }

        /// Blocks where the locale's encoding is UTF-8. The Linux console's fonts have no eighths.
        init(environment: [String: String]) {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first {
                !$0.isEmpty
            }
            let encoding = locale?.lowercased().filter { $0 != "-" } ?? ""
            self = encoding.hasSuffix("utf8") && environment["TERM"] != "linux" ? .blocks : .ascii
        }
    }

    /// - Parameters:
    ///   - share: what is filled, 0...1.
    ///   - width: columns in all, at least 2.
    static func text(share: Double, width: Int, _ glyphs: Glyphs) -> String {
        let cellCount = max(0, width - 2), steps = glyphs.cells.count
        let filled = Int(min(max(share, 0), 1) * Double(cellCount * steps))
        var bar = String(repeating: glyphs.cells[steps - 1], count: filled / steps)
        if filled % steps > 0 { bar.append(glyphs.cells[filled % steps - 1]) }
        bar += String(repeating: " ", count: cellCount - bar.count)
        return "\(glyphs.left)\(bar)\(glyphs.right)"
    }

    /// A quarter of the line: the width does not depend on the texts beside the bar, so it does not move.
    static func width(in columns: Int) -> Int { min(max(columns / 4, 8), 40) + 2 }

    /// ` 42%`. Rounded down: 100 % means that all is done.
    static func percentage(_ share: Double) -> String {
        String(format: "%3d%%", Int(min(max(share, 0), 1) * 100))
    }
}
