import TintypeImaging

/// A property of recipes that is one of their options: all that texts, labels and flags know of it.
package struct RecipeProperty: Sendable {
    package let option: RecipeOption
    /// Whether only the encoding of JPEGs, WebPs, AVIFs or JPEG XLs depends on it. Photos that nothing else changes are copied as they are.
    package var isOfEncoding = false
    /// Its value as in canonical texts; nil for none.
    let text: @Sendable (Recipe) -> String?
    /// Takes a value of a canonical text.
    let set: @Sendable (inout Recipe, String) -> Void
    /// Takes the value of another recipe.
    let copy: @Sendable (inout Recipe, Recipe) -> Void
    /// The part of a file's name that tells it; nil for none.
    var label: @Sendable (Recipe) -> String? = { _ in nil }
    /// Whether a part of a file's name is a label of it.
    var isLabel: @Sendable (Substring) -> Bool = { _ in false }

    /// All, in the order of canonical texts.
    package static let all = [
        RecipeProperty(
            .format, \.format, text: { $0?.rawValue ?? "keep" }, value: { PhotoFormat(written: $0) }),
        quality,
        toggle(.scale, \.halvesSize, text: { $0 ? "0.5" : "1" }, label: "half"),
        toggle(.strip, \.stripsMetadata, label: "stripped"),
        toggle(.optimize, \.optimizesCodes, isOfEncoding: true),
        toggle(.toSRGB, \.convertsToSRGB, label: "srgb"),
        toggle(.autoOrient, \.turnsUpright, label: "upright"),
        RecipeProperty(
            .restartRows, \.restartRows, isOfEncoding: true, text: { $0.map(String.init) },
            value: { Int($0) }),
        toggle(.lossless, \.isLossless, isOfEncoding: true),
        toggle(.progressive, \.isProgressive, isOfEncoding: true),
        maxBytes,
        raw,
        RecipeProperty(
            .pngLevel, \.pngLevel, isOfEncoding: true, text: { $0 == .small ? nil : $0.rawValue },
            value: { PNGLevel(rawValue: $0) ?? .small }),
    ]

    /// All, in the order of labels.
    static let labelled = all.filter { $0.option != .quality } + [quality]

    private static let quality: RecipeProperty = {
        let prefix = "quality-"
        var property = RecipeProperty(
            .quality, \.quality,
            text: { if case .value(let value) = $0 { "\(value)" } else { "keep" } },
            value: { Int($0).map(Recipe.Quality.value) ?? .keep })
        property.label = { if case .value(let value) = $0.quality { prefix + "\(value)" } else { nil } }
        property.isLabel = { word in
            guard word.hasPrefix(prefix), let value = Int(word.dropFirst(prefix.count)) else { return false }
            return (1...100).contains(value)
        }
        return property
    }()

    private static let maxBytes: RecipeProperty = {
        let prefix = "max-bytes-"
        var property = RecipeProperty(
            .maxBytes, \.maxByteCount, text: { $0.map(String.init) }, value: { Int($0) })
        property.label = { $0.maxByteCount.map { prefix + "\($0)" } }
        property.isLabel = { word in
            word.hasPrefix(prefix)
                && Int(word.dropFirst(prefix.count)).map { $0 > 0 && word == prefix + "\($0)" } == true
        }
        return property
    }()

    private static let raw: RecipeProperty = {
        var property = RecipeProperty(
            .raw, \.raw, text: { $0 == .preview ? nil : $0.rawValue },
            value: { RAWReading(rawValue: $0) ?? .preview })
        property.label = { $0.raw == .develop ? "developed" : nil }
        property.isLabel = { $0 == "developed" }
        return property
    }()

    private init<Value: Sendable>(
        _ option: RecipeOption, _ path: WritableKeyPath<Recipe, Value> & Sendable, isOfEncoding: Bool = false,
        text: @escaping @Sendable (Value) -> String?, value: @escaping @Sendable (String) -> Value
    ) {
        self.option = option
        self.isOfEncoding = isOfEncoding
        self.text = { text($0[keyPath: path]) }
        set = { $0[keyPath: path] = value($1) }
        copy = { $0[keyPath: path] = $1[keyPath: path] }
    }

    /// - Parameters:
    ///   - text: the value in canonical texts; nil takes the option's own.
    ///   - label: of recipes that ask for it.
    private static func toggle(
        _ option: RecipeOption, _ path: WritableKeyPath<Recipe, Bool> & Sendable, isOfEncoding: Bool = false,
        text: (@Sendable (Bool) -> String?)? = nil, label: String? = nil
    ) -> RecipeProperty {
        let text = text ?? { option.value($0) }
        var property = RecipeProperty(
            option, path, isOfEncoding: isOfEncoding, text: text, value: { $0 == text(true) })
        guard let label else { return property }
        property.label = { $0[keyPath: path] ? label : nil }
        property.isLabel = { $0 == label }
        return property
    }
}

extension Recipe {
    /// Whether outputs would be copies of their photos.
    package var doesNothing: Bool {
        var plain = Recipe(FilterChain([]))
        for property in RecipeProperty.all where property.isOfEncoding { property.copy(&plain, self) }
        return self == plain
    }
}
