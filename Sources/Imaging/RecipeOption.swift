/// A setting of a recipe besides its filters, as texts name it.
package struct RecipeOption: Hashable, Sendable {
    /// The values of its word in canonical texts.
    private enum Values: Hashable, Sendable {
        /// The flag's own values; this one asks for nothing.
        case any(unchanged: String)
        /// The flag's own values. Without the flag, canonical texts have no such word.
        case optional
        /// Those of a flag without a value, and of the same with `no-`.
        /// If `off` is nil, canonical texts have no such word without the flag.
        case toggle(on: String, off: String?)
    }

    /// Its flag, without hyphens: also its key in files of settings and, with one exception, of recipes.
    package let name: String
    /// Its key in canonical texts.
    package let word: String
    private let values: Values

    package static let format = RecipeOption("format", word: "format", .any(unchanged: "keep"))
    package static let quality = RecipeOption("quality", word: "quality", .any(unchanged: "keep"))
    package static let scale = RecipeOption("scale", word: "scale", .any(unchanged: "1"))
    package static let strip = RecipeOption("strip", word: "metadata", .toggle(on: "strip", off: "keep"))
    package static let optimize = RecipeOption(
        "optimize", word: "codes", .toggle(on: "optimal", off: "standard"))
    package static let toSRGB = RecipeOption("to-srgb", word: "colours", .toggle(on: "srgb", off: "keep"))
    package static let autoOrient = RecipeOption(
        "auto-orient", word: "orientation", .toggle(on: "upright", off: "keep"))
    package static let restartRows = RecipeOption("restart-rows", word: "restarts", .optional)

    package static let lossless = RecipeOption(
        "lossless", word: "compression", .toggle(on: "lossless", off: nil))
    package static let progressive = RecipeOption(
        "progressive", word: "scans", .toggle(on: "progressive", off: nil))

    package static let maxBytes = RecipeOption("max-bytes", word: "bytes", .optional)
    package static let raw = RecipeOption("raw", word: "raw", .optional)
    package static let pngLevel = RecipeOption("png-level", word: "png", .optional)

    /// All, in the order of canonical texts.
    package static let all = [
        format, quality, scale, strip, optimize, toSRGB, autoOrient, restartRows, lossless,
        progressive, maxBytes, raw, pngLevel,
    ]

    private init(_ name: String, word: String, _ values: Values) {
        self.name = name
        self.word = word
        self.values = values
    }

    /// The flag that asks for a value of a canonical text; nil for none.
    func flag(for value: String) -> String? {
        switch values {
        case .any(unchanged: value): nil
        case .any, .optional: "--\(name) \(value)"
        case .toggle(let on, _): value == on ? "--\(name)" : nil
        }
    }

    /// The value of a flag without one; nil for no word.
    ///
    /// - Precondition: the option has such a flag.
    package func value(_ isOn: Bool) -> String? {
        guard case .toggle(let on, let off) = values else { preconditionFailure("--\(name) has values") }
        return isOn ? on : off
    }
}
