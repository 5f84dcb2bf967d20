import ArgumentParser
import Tintype

/// A flag of `tintype apply` that the settings file may have a default for.
struct Setting: Sendable {
    typealias Option<Value> = WritableKeyPath<ApplyCommand, Value> & Sendable

    /// The flag's long name, without hyphens.
    let name: String
    /// What values there are, for messages: "a number from 1 on".
    let expects: String
    /// Whether the values are paths relative to the settings file's folder.
    var isBesideFile = false
    /// Whether the command line has the flag.
    let isGiven: @Sendable (ApplyCommand) -> Bool
    /// Gives the flag the value; false if it is no value of this setting.
    let assign: @Sendable (inout ApplyCommand, SettingValue) -> Bool

    /// All, in the order of the help.
    static let all =
        RecipeFlag.all.compactMap(\.setting) + [
            list(
                "kernel", \.recipe.kernels.paths, expects: "a list of files such as [\"glow.cl\"]",
                isBesideFile: true),
            option("retry", \.sources.network.retry, expects: "a number from 0 on"),
            option("max-download", \.sources.maxDownload, expects: "a size such as \"500M\""),
            path("ca-file", \.sources.network.caFile, expects: "the path of a file"),
            option(
                "endpoint", \.sources.network.endpoint,
                expects: "an address such as \"https://storage.example.org\""),
            option("addressing", \.sources.network.addressing, expects: "\"auto\", \"path\" or \"virtual\""),
            list("exclude", \.files.exclude, expects: "a list of patterns such as [\"*.png\"]"),
            flag("follow", \.files.follow),
            path("output", \.outputs.output, expects: "a folder or a template such as \"out/{stem}.{ext}\""),
            flag("keep-times", \.outputs.keepTimes),
            option("sync", \.outputs.sync, expects: "\"each\", \"batch\" or \"none\""),
            list(
                "device", \.deviceChoice.devices,
                expects: "\"auto\", \"gpu\", \"cpu\", a device's name, or a list"),
            option("fallback", \.deviceChoice.fallback, expects: "\"cpu\" or \"fail\""),
            option("device-timeout", \.deviceChoice.deviceTimeout, expects: "a number of seconds"),
            option("device-check", \.deviceChoice.deviceCheck, expects: "a number from 0 to 100"),
            option("device-codec", \.deviceChoice.deviceCodec, expects: "\"auto\", \"always\" or \"never\""),
            flag("driver-process", \.deviceChoice.driverProcess),
            option("jobs", \.limits.jobs, expects: "a number from 1 on"),
            option("memory", \.limits.memory, expects: "a size such as \"2G\""),
            option("max-photo-memory", \.limits.maxPhotoMemory, expects: "a size such as \"500M\""),
            option("max-pixels", \.limits.maxPixels, expects: "a number from 1 on"),
        ]

    private static func option<Value: ExpressibleByArgument>(
        _ name: String, _ option: Option<Value?>, expects: String
    ) -> Setting {
        Self.option(name, expects: expects) {
            $0[keyPath: option] = $1
        } isGiven: {
            $0[keyPath: option] != nil
        }
    }

    static func option<Value: ExpressibleByArgument>(
        _ name: String, expects: String, set: @escaping @Sendable (inout ApplyCommand, Value) -> Void,
        isGiven: @escaping @Sendable (ApplyCommand) -> Bool
    ) -> Setting {
        Setting(name: name, expects: expects, isGiven: isGiven) { command, value in
            guard let value: Value = value.parsed() else { return false }
            set(&command, value)
            return true
        }
    }

    private static func flag(_ name: String, _ flag: Option<Bool?>) -> Setting {
        Self.flag(name) {
            $0[keyPath: flag] = $1
        } isGiven: {
            $0[keyPath: flag] != nil
        }
    }

    static func flag(
        _ name: String, set: @escaping @Sendable (inout ApplyCommand, Bool) -> Void,
        isGiven: @escaping @Sendable (ApplyCommand) -> Bool
    ) -> Setting {
        Setting(name: name, expects: SettingValue.flagExpectation, isGiven: isGiven) { command, value in
            guard case .flag(let isOn) = value else { return false }
            set(&command, isOn)
            return true
        }
    }

    /// A path: not empty, and not `-`.
    private static func path(_ name: String, _ path: Option<String?>, expects: String) -> Setting {
        Setting(name: name, expects: expects) {
            $0[keyPath: path] != nil
        } assign: { command, value in
            guard case .text(let text) = value, !["", "-"].contains(text) else { return false }
            command[keyPath: path] = text
            return true
        }
    }

    /// Texts; the flag's own replace them.
    private static func list(
        _ name: String, _ list: Option<[String]>, expects: String, isBesideFile: Bool = false
    ) -> Setting {
        Setting(name: name, expects: expects, isBesideFile: isBesideFile) {
            !$0[keyPath: list].isEmpty
        } assign: { command, value in
            switch value {
            case .list(let texts): command[keyPath: list] = texts
            case .text(let text): command[keyPath: list] = [text]
            case .number, .flag, .object, .null: return false
            }
            return true
        }
    }
}

extension SettingValue {
    /// With paths relative to `folder`, unless they are absolute.
    func paths(relativeTo folder: String) -> SettingValue {
        func path(_ text: String) -> String {
            text.hasPrefix("/") ? text : folder.appendingPathComponent(text)
        }
        return switch self {
        case .text(let text): .text(path(text))
        case .list(let texts): .list(texts.map(path))
        case .number, .flag, .object, .null: self
        }
    }

    /// What a flag without an argument has as its value, for messages.
    static let flagExpectation = "true or false"

    /// The value as a flag's argument; nil if the flag has no such value.
    func parsed<Value: ExpressibleByArgument>() -> Value? {
        switch self {
        case .text(let text), .number(let text): Value(argument: text)
        case .flag, .list, .object, .null: nil
        }
    }
}
