import TintypeFiles
import TintypeFilters
import TintypeStages

/// What the comments at the beginning of a kernel's file say.
///
///     // summary: Soft light around bright areas
///     // colour: keeps-grey
///     // gainmap: kept
///     // parameter: amount = 0.5 in 0...1, how much light
///     // parameter: tint = #ffe0b0, the colour of the light
///
/// A line is a comment with a lower-case word and a colon; other comments are free. The header ends at the first line
/// that is neither a comment nor empty.
struct KernelHeader {
    private(set) var summary = ""
    private(set) var colourEffect = PointStage.ColourEffect.makesColour
    private(set) var gainMapRule = GainMapRule.leftOut
    private(set) var parameters: [KernelParameter] = []

    /// A mistake in a line, counted from 1; nil is the whole file.
    struct Problem: Error, Equatable {
        let line: Int?
        let text: String
    }

    init(parsing text: String) throws(Problem) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            guard line.hasPrefix("//") || line.isEmpty else { break }
            let parts = line.drop { $0 == "/" }.split(separator: ":", maxSplits: 1).map(\.trimmed)
            guard let word = parts.first, !word.isEmpty, word.allSatisfy({ ("a"..."z").contains($0) }),
                line.contains(":")
            else { continue }
            do throws(KernelParameter.Problem) {
                try take(word, parts.count > 1 ? parts[1] : "")
            } catch {
                throw Problem(line: index + 1, text: error.text)
            }
        }
        guard !summary.isEmpty else {
            throw Problem(
                line: nil, text: "the comments at the beginning need a line such as '// summary: Soft light'")
        }
    }

    private mutating func take(_ word: String, _ value: String) throws(KernelParameter.Problem) {
        switch word {
        case "summary":
            guard summary.isEmpty, !value.isEmpty else {
                throw .init(text: "'summary' is expected once, with a line that says what the filter does")
            }
            summary = value
        case "colour":
            guard let effect = Self.effects[value] else {
                throw .init(
                    text:
                        "'colour' expects \(Self.effects.keys.sorted().alternatives), got '\(value.excerpt())'"
                )
            }
            colourEffect = effect
        case "gainmap":
            guard let rule = GainMapRule(rawValue: value) else {
                throw .init(
                    text:
                        "'gainmap' expects \(GainMapRule.allCases.map(\.rawValue).alternatives), got '\(value.excerpt())'"
                )
            }
            gainMapRule = rule
        case "parameter":
            let parameter = try KernelParameter(parsing: value)
            guard !parameters.contains(where: { $0.member == parameter.member }) else {
                throw .init(text: "the parameter '\(parameter.name.excerpt())' is given twice")
            }
            parameters.append(parameter)
        default:
            throw .init(
                text:
                    "'\(word.excerpt()):' is not known; expected are summary, colour, gainmap and parameter. "
                    + "A comment of another kind begins with a capital")
        }
    }

    /// The function's effect on grey pixels.
    private static let effects: [String: PointStage.ColourEffect] = [
        "keeps-grey": .keepsGrey, "makes-colour": .makesColour, "makes-grey": .makesGrey,
    ]

    /// Checks that the parameters are the members of `ARGUMENTS`.
    func check(_ stem: String, in text: String) throws(Problem) {
        guard let members = PointKernel.members(of: stem, in: text) else {
            throw Problem(
                line: nil, text: "expected 'ARGUMENTS(\(stem)) { ... };' at the beginning of a line")
        }
        for parameter in parameters {
            let declaration = "float \(parameter.member)\(parameter.value.count == 1 ? "" : "[3]")"
            guard
                members.contains(where: {
                    $0.name == parameter.member && $0.count == parameter.value.count
                })
            else {
                throw Problem(
                    line: nil,
                    text:
                        "the parameter '\(parameter.name.excerpt())' needs '\(declaration.excerpt())' in ARGUMENTS(\(stem))"
                )
            }
        }
        let names = parameters.map(\.member)
        if let member = members.first(where: { !names.contains($0.name) }) {
            throw Problem(
                line: nil,
                text:
                    "ARGUMENTS(\(stem)) has '\(member.name.excerpt())', and no line '// parameter: \(member.name.excerpt()) = ...' says "
                    + "what it is")
        }
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
