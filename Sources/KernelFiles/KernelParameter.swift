import TintypeFiles
import TintypeFilters
import TintypeStages

/// A parameter in the header of a kernel's file: `amount = 0.5 in 0...1, how much`, or
/// `tint = #ffe0b0, the colour of the light`.
struct KernelParameter: Hashable, Sendable {
    /// A value, or the default.
    enum Value: Hashable, Sendable {
        case number(Float)
        case colour(PlainColour)

        /// The floats that the kernel gets.
        var count: Int {
            switch self {
            case .number: 1
            case .colour: 3
            }
        }

        /// The text of another value of this kind, from the floats that the kernel gets.
        func text(of floats: [Float]) -> String {
            switch self {
            case .number: return floats[0].plainText
            case .colour:
                let channels = floats.map { UInt8(($0 * 255).rounded()) }
                return PlainColour(channels[0], channels[1], channels[2]).description
            }
        }

        /// A colour is its sRGB-encoded channels, 0...1.
        var argument: PointArgument {
            switch self {
            case .number(let number): .value(number)
            case .colour(let colour):
                .table([colour.red, colour.green, colour.blue].map { Float($0) / 255 })
            }
        }
    }

    struct Problem: Error, Equatable {
        let text: String
    }

    /// Lower-case words joined by hyphens.
    let name: String
    let summary: String
    /// The default.
    let value: Value
    /// The range of a number; not used for a colour.
    let range: ClosedRange<Float>

    /// The member of `ARGUMENTS`.
    var member: String { name.kernelStem }

    private static let expected = Problem(
        text: "expected 'parameter: amount = 0.5 in 0...1, how much' or "
            + "'parameter: tint = #ffe0b0, which colour'")

    init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: ",", maxSplits: 1).map(\.trimmed)
        let sides = (parts.first ?? "").split(separator: "=").map(\.trimmed)
        guard parts.count == 2, sides.count == 2, !parts[1].isEmpty else { throw Self.expected }
        (name, summary) = (sides[0], parts[1])
        guard FilterCatalog.isName(name), name != "code" else {
            throw Problem(
                text:
                    "'\(name.excerpt())' cannot be a parameter's name, which is lower-case letters, digits and hyphens, "
                    + "such as glow-size, and not 'code'")
        }
        if sides[1].hasPrefix("#") {
            guard let colour = PlainColour(sides[1]) else { throw Self.expected }
            (value, range) = (.colour(colour), 0...1)
            return
        }
        let words = sides[1].split(separator: " ").map(String.init)
        guard words.count == 3, words[1] == "in", let number = Float(words[0]),
            let range = Self.range(words[2])
        else { throw Self.expected }
        guard range.contains(number) else {
            throw Problem(
                text:
                    "the default \(words[0].excerpt()) of '\(name.excerpt())' is not in \(words[2].excerpt())"
            )
        }
        (value, self.range) = (.number(number), range)
    }

    /// Reads `0...1`.
    private static func range(_ text: String) -> ClosedRange<Float>? {
        guard let dots = text.firstRange(of: "..."), let lower = Float(text[..<dots.lowerBound]),
            let upper = Float(text[dots.upperBound...]), lower.isFinite, upper.isFinite, lower < upper
        else { return nil }
        return lower...upper
    }
}
