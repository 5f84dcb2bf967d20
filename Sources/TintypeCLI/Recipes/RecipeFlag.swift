import ArgumentParser
import Tintype

/// A flag of `tintype apply` that decides an option of recipes, which recipe files have as a key, too.
struct RecipeFlag: Sendable {
    typealias Flag<Value> = WritableKeyPath<RecipeFlags, Value?> & Sendable

    let option: RecipeOption
    /// What it decides, for messages.
    let subject: String
    /// The same as a key of recipe files.
    let key: RecipeKey
    /// How a recipe file asks for something, for messages.
    let example: String
    /// The same as a key of the settings file; nil for a flag that cannot be there.
    var setting: Setting?
    let isGiven: @Sendable (RecipeFlags) -> Bool
    /// Whether it asks for something else than what is done without it.
    let asks: @Sendable (RecipeFlags) -> Bool
    /// Gives a recipe the flag's value, if it is given.
    let apply: @Sendable (RecipeFlags, inout Recipe) -> Void

    /// All, in the order of the help.
    static let all = [
        value(.format, "format", \.format, expects: PhotoFormat.expectation) { $0.format = $1 },
        value(.quality, "quality", \.quality, expects: "a number from 1 to 100, or \"keep\"") {
            $0.quality = $1
        },
        value(
            .maxBytes, "sizes of files", \.maxBytes, expects: FileSizeLimit.expectation,
            asks: { $0.byteCount != nil }
        ) { $0.maxByteCount = $1.byteCount },
        value(
            .raw, "RAW photos", \.raw, expects: RAWReading.expectation, example: "\"raw\": \"develop\"",
            asks: { $0 == .develop }
        ) { $0.raw = $1 },
        value(
            .scale, "scale", { $0.scale == .full ? nil : $0.scale }, expects: "0.5 or 1"
        ) { $0.halvesSize = $1 == .half },
        toggle(.strip, "metadata", \.strip, \.stripsMetadata, isKeyOfCanonicalTexts: true),
        toggle(.optimize, "Huffman codes", \.optimize, \.optimizesCodes),
        toggle(.progressive, "scans", \.progressive, \.isProgressive),
        value(
            .restartRows, "restart markers", \.restartRows, expects: RestartRows.expectation,
            asks: { $0.count != nil }
        ) { $0.restartRows = $1.count },
        value(.pngLevel, "levels of PNGs", \.pngLevel, expects: PNGLevel.expectation, asks: { $0 != .small })
        {
            $0.pngLevel = $1
        },
        toggle(.lossless, "losslessness", \.lossless, \.isLossless),
        toggle(.toSRGB, "colours", \.toSRGB, \.convertsToSRGB),
        toggle(.autoOrient, "orientation", \.autoOrient, \.turnsUpright),
    ]

    /// Those for which photos are changed, and those of which only the encoding of JPEGs depends.
    static let (converting, encoding) = (
        all.filter { !ofEncoding.contains($0.option) }, all.filter { ofEncoding.contains($0.option) }
    )
    private static let ofEncoding = RecipeProperty.all.filter(\.isOfEncoding).map(\.option)

    /// A flag with a value, which the settings file may have.
    private static func value<Value: ExpressibleByArgument>(
        _ option: RecipeOption, _ subject: String, _ flag: Flag<Value>, expects: String,
        example: String? = nil, asks: @escaping @Sendable (Value) -> Bool = { _ in true },
        set: @escaping @Sendable (inout Recipe, Value) -> Void
    ) -> RecipeFlag {
        var made = value(
            option, subject, { $0[keyPath: flag] }, expects: expects, example: example, asks: asks, set: set)
        made.setting = .option(option.name, expects: expects) {
            $0.recipe[keyPath: flag] = $1
        } isGiven: {
            $0.recipe[keyPath: flag] != nil
        }
        return made
    }

    /// - Parameters:
    ///   - given: the flag's value; nil if it is not given.
    ///   - asks: whether a value asks for something else than what is done without it.
    private static func value<Value: ExpressibleByArgument>(
        _ option: RecipeOption, _ subject: String, _ given: @escaping @Sendable (RecipeFlags) -> Value?,
        expects: String, example: String? = nil,
        asks: @escaping @Sendable (Value) -> Bool = { _ in true },
        set: @escaping @Sendable (inout Recipe, Value) -> Void
    ) -> RecipeFlag {
        let key = RecipeKey(name: option.name, expects: expects) { draft, value in
            guard let value: Value = value.parsed() else { return false }
            set(&draft.recipe, value)
            return true
        }
        return RecipeFlag(
            option: option, subject: subject, key: key, example: example ?? "a \(option.name)",
            isGiven: { given($0) != nil }, asks: { given($0).map(asks) ?? false }
        ) { flags, recipe in
            if let value = given(flags) { set(&recipe, value) }
        }
    }

    /// A flag without a value.
    ///
    /// - Parameter isKeyOfCanonicalTexts: whether recipe files have the key and the values of canonical texts.
    private static func toggle(
        _ option: RecipeOption, _ subject: String, _ flag: Flag<Bool>,
        _ property: WritableKeyPath<Recipe, Bool> & Sendable, isKeyOfCanonicalTexts: Bool = false
    ) -> RecipeFlag {
        let valueOf: @Sendable (Bool) -> SettingValue = {
            isKeyOfCanonicalTexts ? option.value($0).map(SettingValue.text) ?? .flag($0) : .flag($0)
        }
        let key = RecipeKey(
            name: isKeyOfCanonicalTexts ? option.word : option.name,
            expects: isKeyOfCanonicalTexts
                ? "\(valueOf(false)) or \(valueOf(true))" : SettingValue.flagExpectation
        ) { draft, value in
            guard let isOn = [true, false].first(where: { valueOf($0) == value }) else { return false }
            draft.recipe[keyPath: property] = isOn
            return true
        }
        return RecipeFlag(
            option: option, subject: subject, key: key,
            example: "\"\(key.name)\": \(valueOf(true))",
            setting: .flag(option.name) {
                $0.recipe[keyPath: flag] = $1
            } isGiven: {
                $0.recipe[keyPath: flag] != nil
            },
            isGiven: { $0[keyPath: flag] != nil }, asks: { $0[keyPath: flag] == true }
        ) { flags, recipe in
            if let isOn = flags[keyPath: flag] { recipe[keyPath: property] = isOn }
        }
    }
}

extension RecipeFlags {
    /// Refuses flags whose values `--recipe` decides.
    func checkRecipeFile() throws {
        let isAnyGiven = !filters.isEmpty || RecipeFlag.all.contains { $0.isGiven(self) }
        guard recipeFile != nil, isAnyGiven else { return }
        let subjects = ["filters"] + RecipeFlag.all.map(\.subject)
        let flags = ["-f"] + RecipeFlag.all.map { "--\($0.option.name)" }
        throw ValidationError(
            "--recipe decides \(subjects.joined(conjunction: "and")): leave out \(flags.joined(conjunction: "and"))."
        )
    }

    /// Why there is nothing to do.
    ///
    /// - Parameter inputs: what is to be filtered; it may begin with filters instead.
    func emptyComplaint(_ inputs: [String]) -> ValidationError {
        if let hint = UsageHint.filtersFirst(inputs) {
            return ValidationError("There is nothing to do. \(hint)")
        }
        let flags = RecipeFlag.converting.map { "--\($0.option.name)" }.joined(conjunction: "and")
        let jpegFlags = RecipeFlag.encoding.filter { $0.asks(self) }.map {
            " --\($0.option.name) is for photos that one of these encodes."
        }
        return ValidationError(
            "There is nothing to do. Give a filter, such as -f sepia, or one of \(flags), or a --recipe."
                + jpegFlags.joined())
    }
}
