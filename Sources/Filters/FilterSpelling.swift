/// The command line's form of filters, and corrections of common mistakes.
enum FilterSpelling {
    /// Splits a text at each `+`. A `+` before a digit or a point is a number's sign.
    static func filterTexts(in text: String) -> [String] {
        var texts = [""]
        for index in text.indices {
            let following = text[text.index(after: index)...].first
            let isSign = following.map { $0.isNumber || $0 == "." } ?? false
            if text[index] == "+", !isSign {
                texts.append("")
            } else {
                texts[texts.count - 1].append(text[index])
            }
        }
        return texts
    }

    /// The probable meaning of a text that cannot be parsed; nil if no correction can be parsed either.
    static func correction(of text: String) -> String? {
        let compact = text.filter { !$0.isWhitespace }
        let candidates = [
            compact, withDecimalPoints(compact), withPlusBetweenFilters(compact),
            withColon(compact, for: ","),
            withColon(compact, for: "="), withEqualsSigns(compact), withCommasBetweenSettings(compact),
            withNames(compact), withNames(withColon(compact, for: "=")),
        ]
        return candidates.first { candidate in
            candidate != text && (try? FilterChain.filters(parsing: candidate)) != nil
        }
    }

    /// `intensity=0,5` becomes `intensity=0.5`.
    private static func withDecimalPoints(_ text: String) -> String {
        joiningPieces(of: text) { before, piece in
            let digits = piece.prefix { $0 != "+" }
            let value = before.split(separator: "=", omittingEmptySubsequences: false).last ?? ""
            return digits.isNumeral && value.isNumeral && before.contains("=") ? "." : ","
        }
    }

    /// `sepia,noir` becomes `sepia+noir`.
    private static func withPlusBetweenFilters(_ text: String) -> String {
        joiningPieces(of: text) { _, piece in
            FilterCatalog[String(piece.prefix { $0 != ":" })] == nil ? "," : "+"
        }
    }

    /// The text with each comma replaced by a mark.
    private static func joiningPieces(of text: String, _ mark: (String, Substring) -> String) -> String {
        let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce(String(pieces[0])) { $0 + mark($0, $1) + $1 }
    }

    /// `sepia,intensity=1` and `sepia=1` get a colon after the filter's name, unless it has one.
    private static func withColon(_ text: String, for mark: Character) -> String {
        guard let index = text.firstIndex(of: mark),
            filterTexts(in: String(text[..<index])).last?.contains(":") == false
        else { return text }
        return text.replacingCharacters(at: index, with: ":")
    }

    /// `sepia:intensity:1` becomes `sepia:intensity=1`.
    private static func withEqualsSigns(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":") else { return text }
        let settings = text.index(after: colon)
        return text[..<settings] + String(text[settings...].map { $0 == ":" ? "=" : $0 })
    }

    /// `crop:aspect=16:9:x=0.2` becomes `crop:aspect=16:9,x=0.2`.
    private static func withCommasBetweenSettings(_ text: String) -> String {
        let filters = filterTexts(in: text).map { filter in
            guard let colon = filter.firstIndex(of: ":") else { return filter }
            let settings = filter[filter.index(after: colon)...]
            return String(filter[...colon]) + settings.replacing(/:(?=[a-z][a-z-]*=)/, with: ",")
        }
        return filters.joined(separator: "+")
    }

    /// `tilt-shift:8,0.5` becomes `tilt-shift:radius=8,focus=0.5`. The names are in the filter's order.
    private static func withNames(_ text: String) -> String {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, !parts[1].contains("="), let filter = FilterCatalog[String(parts[0])] else {
            return text
        }
        let names = names(of: filter), values = parts[1].split(separator: ",")
        guard values.count <= names.count else { return text }
        return "\(parts[0]):" + zip(names, values).map { "\($0)=\($1)" }.joined(separator: ",")
    }

    private static func names<F: Filter>(of filter: F) -> [String] { filter.parameters.map(\.name) }
}

extension StringProtocol {
    fileprivate var isNumeral: Bool { !isEmpty && allSatisfy(\.isWholeNumber) }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with character: Character) -> String {
        self[..<index] + String(character) + self[self.index(after: index)...]
    }
}
