import Tintype

/// Why a settings file cannot be used.
struct SettingsError: Error, Equatable, CustomStringConvertible {
    enum Reason: Equatable {
        case cannotRead(Errno)
        case tooLarge
        /// The text is no JSON object of settings, for this reason.
        case syntax(String)
        case unknown(key: String)
        case repeated(key: String)
        /// The value is not what the setting expects.
        case wrongValue(key: String, got: String, expects: String)
        /// The value is out of range, as this complaint says.
        case outOfRange(key: String, complaint: String)
    }

    let path: String
    /// From 1; nil if the error belongs to no line.
    var line: Int?
    let reason: Reason

    /// For `tintype apply`, which has a flag that helps.
    var description: String {
        if case .cannotRead = reason { return "\(complaint) Add --no-config to run without it." }
        return "\(complaint) Correct the file, or add --no-config to ignore it."
    }

    /// What is wrong and where.
    var complaint: String {
        let place = line.map { "\(path.printableName), line \($0)" } ?? path.printableName
        return "\(place): \(explanation)"
    }

    private var explanation: String {
        switch reason {
        case .cannotRead(let error): "The settings file cannot be read: \(error)."
        case .tooLarge: "This is too large for a settings file."
        case .syntax(let text): text
        case .unknown(let key): Self.unknownText(key)
        case .repeated(let key): "The setting '\(key.excerpt())' is given twice."
        case .wrongValue(let key, let got, let expects):
            "'\(key)' expects \(expects), got \(got.excerpt())."
        case .outOfRange(let key, let complaint): "'\(key)': \(complaint)"
        }
    }

    private static func unknownText(_ key: String) -> String {
        "There is no setting '\(key.excerpt())'. " + suggestion(for: key, in: Setting.all.map(\.name))
    }
}
